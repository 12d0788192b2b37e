import API
import Server
import Storage

/// The metrics of a running server, for `/metrics`.
struct ServerMetrics: MetricsSource {
  let server: HTTPServer
  let store: DatabaseStore
  /// Nil without scheduled backups.
  let backups: BackupSchedule?
  /// In seconds since 1970.
  let start: Double

  func measure(_ completion: @escaping @Sendable ([MetricFamily]) -> Void) {
    let (store, backups, start) = (store, backups, start)
    server.report { counts in
      let statistics = store.statistics
      completion(
        [Self.build(statistics)] + Self.requests(counts) + Self.connections(counts)
          + Self.storage(statistics) + Self.backup(backups)
          + ProcessStatistics.families(start: start))
    }
  }

  private static func build(_ statistics: StoreStatistics) -> MetricFamily {
    var family = MetricFamily(.gauge, "rowhouse_build_info", "Version and build. Always 1.")
    family.add(
      .whole(1),
      [
        ("version", Version.number), ("build", Version.build), ("sqlite", statistics.engineVersion),
      ])
    return family
  }

  private struct Route: Hashable {
    let method: String
    let route: String
  }

  /// The metrics of requests. A missing method or route is an empty label, which equals none.
  private static func requests(_ counts: ServerCounts) -> [MetricFamily] {
    var answers: [Route: [Int: Int]] = [:]
    var times: [Route: DurationHistogram] = [:]
    var refusals: [String: Int] = [:]
    for loop in counts.loops {
      for requests in loop.requests {
        let route = Route(
          method: requests.method ?? "", route: requests.route.map { "\($0)" } ?? "")
        answers[route, default: [:]][requests.status ?? 0, default: 0] += requests.durations.count
        times[route, default: DurationHistogram()].add(requests.durations)
      }
      refusals.merge(loop.refusals, uniquingKeysWith: +)
    }
    var total = MetricFamily(
      .counter, "rowhouse_http_requests_total",
      "Finished requests. Status 0 means that the client left before its answer.")
    var duration = MetricFamily(
      .histogram, "rowhouse_http_request_duration_seconds",
      "Time from a request's first byte until its answer is sent, or until a stream ends.")
    for route in answers.keys.sorted(by: { ($0.route, $0.method) < ($1.route, $1.method) }) {
      let labels = [("method", route.method), ("route", route.route)]
      for (status, count) in (answers[route] ?? [:]).sorted(by: { $0.key < $1.key }) {
        total.add(.whole(count), labels + [("status", String(status))])
      }
      guard let times = times[route] else { continue }
      duration.add(
        buckets: times.buckets, upTo: DurationHistogram.bounds.map { Double($0) / 1_000_000 },
        sum: Double(times.sum) / 1_000_000, labels)
    }
    var refused = MetricFamily(
      .counter, "rowhouse_http_refused_requests_total",
      "Requests refused because of a limit.")
    for (reason, count) in refusals.sorted(by: { $0.key < $1.key }) {
      refused.add(.whole(count), [("reason", reason)])
    }
    return [total, duration, refused]
  }

  private static func connections(_ counts: ServerCounts) -> [MetricFamily] {
    func sum(_ value: (LoopCounts) -> Int) -> MetricFamily.Value {
      .whole(counts.loops.reduce(0) { $0 + value($1) })
    }
    return [
      MetricFamily(
        .gauge, "rowhouse_http_connections", "Open connections.", .whole(counts.openConnections)),
      MetricFamily(
        .counter, "rowhouse_http_connections_total", "Accepted connections.",
        sum(\.connections)),
      MetricFamily(
        .counter, "rowhouse_http_connections_turned_away_total",
        "Connections closed at once because there were no free file descriptors.",
        sum(\.turnedAway)),
      MetricFamily(
        .counter, "rowhouse_http_slow_readers_total",
        "Connections closed because their clients did not read.", sum(\.slowReaders)),
      MetricFamily(
        .counter, "rowhouse_http_received_bytes_total", "Bytes received.",
        sum(\.bytesReceived)),
      MetricFamily(
        .counter, "rowhouse_http_sent_bytes_total", "Bytes sent.",
        sum(\.bytesSent)),
      MetricFamily(
        .gauge, "rowhouse_http_buffered_body_bytes", "Memory of request bodies.",
        .whole(counts.bufferedBytes)),
      MetricFamily(
        .gauge, "rowhouse_http_waiting_output_bytes",
        "Memory of output that clients have not read yet.",
        .whole(counts.waitingOutput)),
    ]
  }

  private static func backup(_ backups: BackupSchedule?) -> [MetricFamily] {
    guard let time = backups?.lastSuccess else { return [] }
    return [
      MetricFamily(
        .gauge, "rowhouse_backup_success_time_seconds",
        "Time of the last scheduled backup, in seconds since 1970.", .whole(Int(time)))
    ]
  }

  private static func storage(_ statistics: StoreStatistics) -> [MetricFamily] {
    var sizes = MetricFamily(
      .histogram, "rowhouse_commit_writes", "Writes in each commit.")
    sizes.add(
      buckets: statistics.groupSizes.buckets, upTo: statistics.groupSizes.bounds.map(Double.init),
      sum: Double(statistics.groupSizes.sum))
    var times = MetricFamily(
      .histogram, "rowhouse_commit_duration_seconds",
      "Time of each commit, including its sync to the disk.")
    times.add(
      buckets: statistics.commitTimes.buckets,
      upTo: statistics.commitTimes.bounds.map { Double($0) / 1_000_000 },
      sum: Double(statistics.commitTimes.sum) / 1_000_000)
    let common = [
      MetricFamily(
        .gauge, "rowhouse_writer_queue", "Waiting writes.",
        .whole(statistics.waitingWrites)),
      sizes, times,
    ]
    if let server = statistics.server { return common + Self.server(server, statistics) }
    return common + [
      MetricFamily(
        .gauge, "rowhouse_database_bytes", "Size of the database file.",
        .whole(statistics.databaseSize)),
      MetricFamily(
        .gauge, "rowhouse_wal_bytes",
        "Size of the write-ahead log.",
        .whole(statistics.walSize)),
    ]
  }

  private static func server(
    _ server: StoreStatistics.Server, _ statistics: StoreStatistics
  ) -> [MetricFamily] {
    [
      MetricFamily(
        .gauge, "rowhouse_db_connections", "Open connections to PostgreSQL.",
        .whole(server.connections)),
      MetricFamily(
        .gauge, "rowhouse_db_running_reads", "Reads that use a connection.",
        .whole(server.runningReads)),
      MetricFamily(
        .gauge, "rowhouse_db_waiting_reads", "Reads that wait for a connection.",
        .whole(server.waitingReads)),
      MetricFamily(
        .counter, "rowhouse_db_round_trips_total",
        "Requests to PostgreSQL, each of which waits for its answer.",
        .whole(server.roundTrips)),
      MetricFamily(
        .counter, "rowhouse_db_turn_wait_seconds_total",
        "Time for which writes have waited for other processes.",
        .fraction(Double(statistics.turnWait) / 1_000_000)),
    ]
  }
}
