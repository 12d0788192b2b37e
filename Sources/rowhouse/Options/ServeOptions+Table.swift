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
        "a list of the sites that are meant, since any page that somebody looks at could speak to this server"
    }
    return Origin(text: text) == nil
      ? "an origin as browsers write it, such as https://app.example or http://localhost:3000, "
        + "without a path" : nil
  }

  /// Every option of `rowhouse serve`, and every setting that a file may have.
  static let all = [
    Option.database,
    Option(
      "listen", .text("ADDR:PORT"),
      standard: .found(standardAddress) {
        let inherited = HandedDownSockets.addresses.map(\.description)
        return inherited.isEmpty ? standardAddress : inherited.joined(separator: ",")
      }, isRepeated: true,
      "Where to listen; also [::1]:8080, localhost:8080, unix:PATH, unix:PATH?mode=0660, fd:3; port 0 takes a "
        + "free one, and of a name's addresses the first is taken, an IPv4 one if there is any."
    ) {
      ListenAddress($0) == nil
        ? "ADDR:PORT, [ADDR]:PORT, NAME:PORT, unix:PATH, unix:PATH?mode=0660 or fd:N" : nil
    },
    Option(
      "no-auth", .onOff,
      "Ask for no token, also beyond loopback: anybody who connects may do anything."),
    Option(
      "allow-host", .text("NAME"), standard: .described("loopback's names"), isRepeated: true,
      "A host that requests may name besides (403)."),
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
      "Lets pages of this origin, as https://app.example, speak to the server.",
      demand: originDemand),
    Option(
      "require-preconditions", .onOff,
      "Refuse a write by index that has neither If-Match nor the row's id (428)."),
    Option(
      "loops", .number(1...256),
      standard: .found("the number of cores") { String(sysconf(Int32(_SC_NPROCESSORS_ONLN))) },
      "Event loops."),
    Option(
      "request-line", .size(64...1 << 20), standard: "8KiB", "Longest request line (414)."),
    Option(
      "header-section", .size(256...1 << 20), standard: "32KiB", "Longest header section (431)."),
    Option("header-fields", .number(1...10_000), standard: "100", "Most header fields (431)."),
    Option("json-body", .size(1 << 10...1 << 26), standard: "1MiB", "Largest JSON body (413)."),
    Option(
      "reorder-body", .size(1 << 10...1 << 26), standard: "8MiB",
      "Largest body of a reorder (413)."),
    Option("photo-size", .size(1 << 10...1 << 30), standard: "20MiB", "Largest photo (413)."),
    Option("uploads", .number(1...1_000_000), standard: "1000", "Photos being received (503)."),
    Option(
      "table-body", .size(1 << 10...1 << 28), standard: "16MiB",
      "Largest table to import (413)."),
    Option("import-body", .size(1 << 10...1 << 40), standard: "4GiB", "Largest import (413)."),
    Option(
      "spool", .path("FOLDER"), standard: .found("$TMPDIR, or /var/tmp") { Spool.standardFolder },
      "Where exports and imports wait, in files that have no name."),
    Option(
      "spool-size", .size(1 << 10...1 << 44), standard: "8GiB",
      "All exports and imports that wait there (503)."),
    Option("json-depth", .number(2...512), standard: "64", "Deepest JSON (400)."),
    Option(
      "page-cache", .size(0...1 << 36), standard: "32MiB",
      "Encoded pages of rows kept in memory."),
    Option(
      "buffered-bodies", .size(1 << 10...1 << 36), standard: "64MiB",
      "All bodies being received (503)."),
    Option(
      "header-time", .duration(1...aDay), standard: "10s", "For a whole header section (408)."),
    Option("body-time", .duration(1...aDay), standard: "30s", "For a buffered body (408)."),
    Option(
      "least-rate", .size(1...1 << 30), standard: "1KiB",
      "Bytes a second of a streamed body (408)."),
    Option(
      "idle-time", .duration(1...aDay), standard: "75s", "For a connection without a request."),
    Option(
      "connections", .number(1...1_000_000), standard: "10000",
      "Open connections; then accepting pauses."),
    Option(
      "event-streams", .number(0...1_000_000), standard: "1000",
      "Clients that follow events (503)."),
    Option(
      "event-heartbeat", .duration(1...aDay), standard: "15s",
      "Between an event stream's comments."),
    Option("writer-queue", .number(1...1_000_000), standard: "1024", "Writes that may wait (503)."),
    Option(
      "depth-limit", .number(DepthLimit.levels), standard: "1000",
      "Lowest level for lists, the root list's being 1 (409)."),
    Option(
      "database-size", .size(1 << 20...1 << 46), standard: .described("no limit"),
      "Largest database file (507)."),
    Option(
      "trash-days", .number(0...manyDays, "DAYS"), standard: "30",
      "Until the deleted is gone for good; 0: never."),
    Option(
      "history", .number(0...1_000_000_000), standard: "100000",
      "Changes that can be undone and caught up with; 0: all."),
    Option(
      "history-size", .size(0...1 << 46), standard: "256MiB",
      "Room for them in the database; 0: no limit."),
    Option(
      "history-days", .number(0...manyDays, "DAYS"), standard: "0",
      "How long they are kept; 0: no limit."),
    Option(
      "backup-to", .path("FOLDER"), standard: .described("none"),
      "Where to copy the database to, again and again; the folder has to be there."),
    Option(
      "backup-every", .duration(1_000...366 * aDay), standard: "1d", "From one copy to the next."),
    Option(
      "backup-keep", .number(1...1_000_000), standard: "7", "Copies that are kept, the newest."),
    Option(
      "read-time", .duration(1...aDay), standard: "10s",
      "For a long read, its wait for others included (503)."),
    Option(
      "export-time", .duration(1...aDay), standard: "1h",
      "For an export to be written, before it is sent (503)."),
    Option(
      "log-format", .choice(["text", "json", "none"], "FORMAT"), standard: "text",
      "One line a request and a message, as text or as JSON, or none."),
    Option(
      "log-level", .choice(["debug", "info", "warning", "error"], "LEVEL"), standard: "info",
      "What matters less is left out; requests are info."),
    Option(
      "log", .path("PATH"), standard: .described("stderr"),
      "Where the lines go; SIGHUP opens the file anew."),
    Option(
      "about", .path("FILE"),
      "A JSON object with name, company, copyright, legal, licence, contact, support and credits, for /v1/about."
    ),
    Option(
      "print-url", .onOff, "Print the URL on stdout once it is served, and nothing else."),
    Option(
      "end-with-stdin", .onOff,
      "Stop when stdin ends, as it does with whoever has started the server and holds its other end."
    ),
    Option(
      "test-mode", .onOff,
      "For test suites: POST /v1/test/reset, snapshot and restore. Needs --db :memory:."),
    Option(
      "clock", .text("TIME"), standard: .described("the time of day"),
      "For test suites: what every change and answer is dated with; fixed is \(TestSettings.fixedTime)."
    ) { TestSettings.instant($0) == nil ? "fixed, or a time as \(TestSettings.fixedTime)" : nil },
    Option(
      "ids", .choice(["random", "sequential"], "KIND"), standard: "random",
      "For test suites: sequential ids are the same in each run, and so are made-up items and tokens. "
        + "Needs --db :memory:."),
    Option(
      "shutdown-time", .duration(0...aDay), standard: "10s",
      "For what is running when told to stop."
    ),
  ]
}
