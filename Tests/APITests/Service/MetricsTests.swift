import HTTP
import Inventory
import Testing

@testable import API

@Suite("Who may read the metrics, and what they look like")
struct MetricsTests {
  private struct Source: MetricsSource {
    func measure(_ completion: @escaping @Sendable ([MetricFamily]) -> Void) {
      var family = MetricFamily(.gauge, "x", "What\nit \\ is.")
      family.add(.fraction(0.5), [("a", "q\"\\\n"), ("b", "")])
      var histogram = MetricFamily(.histogram, "h", "H.")
      histogram.add(buckets: [2, 0, 1], upTo: [0.001, 10], sum: 20, [("r", "/v1")])
      completion([family, MetricFamily(.counter, "none_total", "Nothing."), histogram])
    }
  }

  private func handler() throws -> Service {
    try Service { $0.metrics = Source() }
  }

  @Test func `labels and help are escaped, buckets add up`() throws {
    let answer = try handler().send(.get, "/metrics")
    #expect(answer.status == 200)
    #expect(answer.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
    #expect(answer.fields["cache-control"] == "no-store")
    let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
    #expect(
      lines.prefix(10) == [
        #"# HELP x What\nit \\ is."#, "# TYPE x gauge", #"x{a="q\"\\\n",b=""} 0.5"#,
        "# HELP h H.", "# TYPE h histogram", #"h_bucket{r="/v1",le="0.001"} 2"#,
        #"h_bucket{r="/v1",le="10"} 2"#, #"h_bucket{r="/v1",le="+Inf"} 3"#,
        #"h_sum{r="/v1"} 20"#, #"h_count{r="/v1"} 3"#,
      ])
    #expect(lines.contains("rowhouse_event_streams 0"))
  }

  @Test func `a stream whose client does not read is counted as dropped, and no other is`() throws {
    let service = try handler()
    func dropped() throws -> [Substring] {
      let text = String(decoding: try service.send(.get, "/metrics").body, as: UTF8.self)
      return text.split(separator: "\n")
        .filter { $0.hasPrefix("rowhouse_event_streams_dropped_total ") }
    }
    for ending in [StreamEnding.clientGone, .complete, .failed, .shutdown] {
      try service.source("/v1/events").ended(ending)
    }
    #expect(try dropped() == ["rowhouse_event_streams_dropped_total 0"])
    try service.source("/v1/events").ended(.readerTooSlow)
    #expect(try dropped() == ["rowhouse_event_streams_dropped_total 1"])
  }

  @Test(arguments: [
    (Peer(family: .unix), 200), (Peer(family: .v4, high: 0x7F00_0001_0000_0000), 200),
    (Peer(family: .v4, high: 0x7F12_3456_0000_0000), 200), (Peer(family: .v6, low: 1), 200),
    (Peer(family: .v4, high: 0x0A00_0001_0000_0000), 403),
    (Peer(family: .v6, high: 0x2001_0DB8_0000_0000, low: 1), 403),
  ])
  func `without a token they are for this machine alone`(peer: Peer, status: Int) throws {
    let (answer, _) = try handler().exchange(.get, "/metrics", peer: peer)
    #expect(answer.status == status)
  }

  @Test(arguments: Role.allCases)
  func `they take the highest role`(role: Role) throws {
    let service = try Service(role: role) { $0.metrics = Source() }
    #expect(try service.send(.get, "/metrics").status == (role == .admin ? 200 : 403))
  }

  @Test func `parameters are refused`() throws {
    #expect(try handler().send(.get, "/metrics?name=x").status == 422)
  }
}
