import API
import Glibc
import Inventory
import Server

extension ServeOptions {
  private static let aDay = 24 * 60 * 60 * 1_000
  private static let manyDays = 100_000
  private static let standardAddress = "127.0.0.1:8080"

  private static let originDemand: @Sendable (String) -> String? = { text in
    if text == "*" {
      return
        "a list of origins, because with * any web page could call this server"
    }
    return Origin(text: text) == nil
      ? "an origin, such as https://app.example or http://localhost:3000, "
        + "without a path" : nil
  }

  /// Every option of `rowhouse serve`, and every setting that a file may have.
  static let all = [
    Option.database,
    Option(
      "listen", .text("ADDR:PORT"),
      standard: .found(standardAddress) {
        let inherited = InheritedSockets.addresses.map(\.description)
        return inherited.isEmpty ? standardAddress : inherited.joined(separator: ",")
      }, isRepeated: true,
      "Address to listen on. Also [::1]:8080, localhost:8080, unix:PATH, unix:PATH?mode=0660 or fd:3. "
        + "Port 0 selects a free port. A name's first IPv4 address is used, else its first IPv6 address."
    ) {
      ListenAddress($0) == nil
        ? "ADDR:PORT, [ADDR]:PORT, NAME:PORT, unix:PATH, unix:PATH?mode=0660 or fd:N" : nil
    },
    Option(
      "no-auth", .onOff,
      "Require no token, also beyond loopback. Everyone who can connect may do everything."),
    Option(
      "allow-host", .text("NAME"), standard: .described("loopback's names"), isRepeated: true,
      "Another host name that requests may use. Other hosts are refused (403)."),
    Option(
      "base-path", .text("PATH"), standard: .described("none"),
      "Path prefix of a reverse proxy, such as /rowhouse. The proxy may strip it."
    ) {
      BasePath($0) == nil
        ? "a path such as /rowhouse: a slash, letters, digits and -._~, and no slash at its end"
        : nil
    },
    Option(
      "cors-origin", .text("ORIGIN"), standard: .described("none"), isRepeated: true,
      "Let pages of this origin, such as https://app.example, call the server.",
      demand: originDemand),
    Option(
      "require-preconditions", .onOff,
      "Refuse a change by index without If-Match or the row's id (428)."),
    Option(
      "loops", .number(1...256),
      standard: .found("the number of cores") { String(sysconf(Int32(_SC_NPROCESSORS_ONLN))) },
      "Event loops."),
    Option(
      "request-line", .size(64...1 << 20), standard: "8KiB", "Longest request line (414)."),
    Option(
      "header-section", .size(256...1 << 20), standard: "32KiB", "Longest header section (431)."),
    Option(
      "header-fields", .number(1...10_000), standard: "100",
      "Maximum number of header fields (431)."),
    Option("json-body", .size(1 << 10...1 << 26), standard: "1MiB", "Largest JSON body (413)."),
    Option(
      "reorder-body", .size(1 << 10...1 << 26), standard: "8MiB",
      "Largest body of a reorder (413)."),
    Option(
      "photo-size", .size(1 << 10...API.Configuration.BodyLimits.highestPhoto), standard: "20MiB",
      "Largest photo (413)."),
    Option(
      "uploads", .number(1...1_000_000), standard: "1000",
      "Maximum number of photo uploads at a time (503)."),
    Option(
      "table-body", .size(1 << 10...1 << 28), standard: "16MiB",
      "Largest table to import (413)."),
    Option("import-body", .size(1 << 10...1 << 40), standard: "4GiB", "Largest import (413)."),
    Option(
      "spool", .path("FOLDER"), standard: .found("$TMPDIR, or /var/tmp") { Spool.standardFolder },
      "Folder for the temporary files of exports and imports."),
    Option(
      "spool-size", .size(1 << 10...1 << 44), standard: "16GiB",
      "Maximum size of all temporary files of exports and imports together (503)."),
    Option("json-depth", .number(2...512), standard: "64", "Maximum depth of JSON (400)."),
    Option(
      "page-cache", .size(0...1 << 36), standard: "8MiB",
      "Memory for the cache of encoded pages."),
    Option(
      "buffered-bodies", .size(1 << 10...1 << 36), standard: "64MiB",
      "Memory for all bodies being received (503)."),
    Option(
      "header-time", .duration(1...aDay), standard: "10s", "Time limit for a header section (408)."),
    Option(
      "body-time", .duration(1...aDay), standard: "30s", "Time limit for a buffered body (408)."),
    Option(
      "least-rate", .size(1...1 << 30), standard: "1KiB",
      "Minimum bytes per second of a streamed body (408). Slower readers are disconnected."),
    Option(
      "idle-time", .duration(1...aDay), standard: "75s", "Time until an idle connection is closed."),
    Option(
      "connections", .number(1...1_000_000), standard: "10000",
      "Maximum number of connections. New ones then wait."),
    Option(
      "event-streams", .number(0...1_000_000), standard: "1000",
      "Maximum number of event streams (503)."),
    Option(
      "event-heartbeat", .duration(1...aDay), standard: "15s",
      "Time between the comments that keep event streams open."),
    Option(
      "db-connections", .number(1...100), standard: "4",
      "Connections to a PostgreSQL database for short reads. A process has seven more."),
    Option(
      "db-timeout", .duration(100...3_600_000), standard: "10s",
      "How long a PostgreSQL database may take for a statement, a lock or a connection (503)."),
    Option(
      "db-prepare", .choice(["on", "off"], "WHETHER"), standard: "on",
      "on: a PostgreSQL server prepares statements. off: for transaction poolers such as pgbouncer."
    ),
    Option(
      "writer-queue", .number(1...1_000_000), standard: "1024",
      "Maximum number of waiting writes of one token (503). Four times as many in all."),
    Option(
      "depth-limit", .number(DepthLimit.levels), standard: "1000",
      "Maximum levels of lists. The root list is level 1 (409)."),
    Option(
      "database-size", .size(1 << 20...1 << 46), standard: .described("no limit"),
      "Largest database file (507)."),
    Option(
      "trash-days", .number(0...manyDays, "DAYS"), standard: "30",
      "Days until deleted rows are purged. 0 means never."),
    Option(
      "history", .number(0...1_000_000_000), standard: "100000",
      "Maximum number of changes in the log. 0 means no limit."),
    Option(
      "history-size", .size(0...1 << 46), standard: "256MiB",
      "Maximum size of the log. 0 means no limit."),
    Option(
      "history-days", .number(0...manyDays, "DAYS"), standard: "0",
      "Days that changes stay in the log. 0 means no limit."),
    Option(
      "backup-to", .path("FOLDER"), standard: .described("none"),
      "Existing folder for scheduled backups."),
    Option(
      "backup-every", .duration(1_000...366 * aDay), standard: "1d",
      "Time between scheduled backups."),
    Option(
      "backup-keep", .number(1...1_000_000), standard: "7", "Number of scheduled backups to keep."),
    Option(
      "read-time", .duration(1...aDay), standard: "10s",
      "Time limit for a long read, its waiting time included (503)."),
    Option(
      "export-time", .duration(1...aDay), standard: "1h",
      "Time limit for writing an export, before it is sent (503)."),
    Option(
      "log-format", .choice(["text", "json", "none"], "FORMAT"), standard: "text",
      "Format of log lines: text, json or none."),
    Option(
      "log-level", .choice(["debug", "info", "warning", "error"], "LEVEL"), standard: "info",
      "Lowest level to log: debug, info, warning or error. Requests are info."),
    Option(
      "log", .path("PATH"), standard: .described("stderr"),
      "Log file. SIGHUP reopens it."),
    Option(
      "about", .path("FILE"),
      "JSON file for /v1/about: an object with name, company, copyright, legal, licence, contact, support and credits."
    ),
    Option(
      "print-url", .onOff, "Print only the URL on stdout, once the server is ready."),
    Option(
      "end-with-stdin", .onOff,
      "Stop when stdin ends, which it does when the parent process ends."
    ),
    Option(
      "seed", .text("WHAT"), standard: .described("nothing"),
      "First contents of a new database: demo, empty, rows=N, or an export's path. "
        + "Refused for a database with contents."
    ) {
      Seed(text: $0) == nil
        ? "demo, empty, rows=N with N from 1 to \(Seed.largestList), or the path of an export" : nil
    },
    Option(
      "test-mode", .onOff,
      "For tests: adds the calls below /v1/test/, which reset the server, set its clock, and let requests fail. "
        + "Needs --db :memory:."),
    Option(
      "clock", .text("TIME"), standard: .described("the time of day"),
      "For tests: the time of every change and answer. fixed is \(TestSettings.fixedTime)."
    ) {
      TestSettings.instant($0) == nil ? "fixed, or a time such as \(TestSettings.fixedTime)" : nil
    },
    Option(
      "ids", .choice(["random", "sequential"], "KIND"), standard: "random",
      "For tests: sequential makes ids, random items and tokens the same in each run. "
        + "Needs --db :memory:."),
    Option(
      "shutdown-time", .duration(0...aDay), standard: "10s",
      "Time for running requests to finish when the server stops."
    ),
  ]
}
