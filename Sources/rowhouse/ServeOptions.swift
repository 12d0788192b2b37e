import API
import Inventory
import Server
import Storage

/// What `rowhouse serve` is told, with every limit and its default.
struct ServeOptions {
  static let all = [
    Option.database,
    Option(
      "listen", "ADDR:PORT", standard: "127.0.0.1:8080",
      "Where to listen; also [::1]:8080, unix:PATH, fd:3; port 0 takes a free one. May be repeated."
    ),
    Option(
      "no-auth", nil, standard: nil,
      "Ask for no token, also beyond loopback: anybody who connects may do anything."),
    Option(
      "allow-host", "NAME", standard: "loopback's names",
      "A host that requests may name besides (403). May be repeated."),
    Option(
      "cors-origin", "ORIGIN", standard: "none",
      "Lets pages of this origin, as https://app.example, speak to the server. May be repeated."),
    Option(
      "require-preconditions", nil, standard: nil,
      "Refuse a write by index that has neither If-Match nor the row's id (428)."),
    Option("loops", "N", standard: "the number of cores", "Event loops."),
    Option("request-line", "SIZE", standard: "8KiB", "Longest request line (414)."),
    Option("header-section", "SIZE", standard: "32KiB", "Longest header section (431)."),
    Option("header-fields", "N", standard: "100", "Most header fields (431)."),
    Option("json-body", "SIZE", standard: "1MiB", "Largest JSON body (413)."),
    Option("reorder-body", "SIZE", standard: "8MiB", "Largest body of a reorder (413)."),
    Option("photo-size", "SIZE", standard: "20MiB", "Largest photo (413)."),
    Option("uploads", "N", standard: "1000", "Photos being received (503)."),
    Option("table-body", "SIZE", standard: "16MiB", "Largest table to import (413)."),
    Option("import-body", "SIZE", standard: "4GiB", "Largest import (413)."),
    Option(
      "spool", "FOLDER", standard: "$TMPDIR, or /var/tmp",
      "Where exports and imports wait, in files that have no name."),
    Option("json-depth", "N", standard: "64", "Deepest JSON (400)."),
    Option("page-cache", "SIZE", standard: "32MiB", "Encoded pages of rows kept in memory."),
    Option("buffered-bodies", "SIZE", standard: "64MiB", "All bodies being received (503)."),
    Option("header-time", "TIME", standard: "10s", "For a whole header section (408)."),
    Option("body-time", "TIME", standard: "30s", "For a buffered body (408)."),
    Option("least-rate", "SIZE", standard: "1KiB", "Bytes a second of a streamed body (408)."),
    Option("idle-time", "TIME", standard: "75s", "For a connection without a request."),
    Option("connections", "N", standard: "10000", "Open connections; then accepting pauses."),
    Option("event-streams", "N", standard: "1000", "Clients that follow events (503)."),
    Option("event-heartbeat", "TIME", standard: "15s", "Between an event stream's comments."),
    Option("writer-queue", "N", standard: "1024", "Writes that may wait (503)."),
    Option("database-size", "SIZE", standard: "no limit", "Largest database file (507)."),
    Option("trash-days", "DAYS", standard: "30", "Until the deleted is gone for good; 0: never."),
    Option(
      "history", "N", standard: "100000", "Changes that can be undone and caught up with; 0: all."),
    Option(
      "history-size", "SIZE", standard: "256MiB", "Room for them in the database; 0: no limit."),
    Option("history-days", "DAYS", standard: "0", "How long they are kept; 0: no limit."),
    Option("read-time", "TIME", standard: "10s", "For a long read (503)."),
    Option(
      "log-format", "FORMAT", standard: "text",
      "One line a request: text, json, or none."),
    Option("log", "PATH", standard: "stderr", "Where those lines go; SIGHUP opens the file anew."),
    Option(
      "about", "FILE", standard: nil,
      "A JSON object with name, licence, contact, support and credits, for /v1/about."),
    Option("shutdown-time", "TIME", standard: "10s", "For what is running when told to stop."),
  ]

  var store: SQLiteStore.Configuration
  var server: HTTPServer.Configuration
  var api: API.Configuration
  /// In milliseconds.
  var shutdownTime: Int64
  /// Nil: no lines.
  var logFormat: AccessFormat?
  /// Nil: stderr.
  var logPath: String?
  /// Whether addresses beyond loopback are meant.
  private let isOpen: Bool

  init(_ options: Options) throws(Failure) {
    let addresses = try Self.addresses(options)
    isOpen = options.isOn("no-auth")
    let days = 24 * 60 * 60 * 1_000
    var limits = Server.Limits()
    set(&limits.head.requestLine, try options.size("request-line", 64...1 << 20))
    set(&limits.head.headerSection, try options.size("header-section", 256...1 << 20))
    set(&limits.head.fieldCount, try options.number("header-fields", 1...10_000))
    set(&limits.bufferedBodies, try options.size("buffered-bodies", 1 << 10...1 << 36))
    set(&limits.headerTime, try options.duration("header-time", 1...days))
    set(&limits.bodyTime, try options.duration("body-time", 1...days))
    set(&limits.leastRate, try options.size("least-rate", 1...1 << 30))
    set(&limits.idleTime, try options.duration("idle-time", 1...days))
    set(&limits.connections, try options.number("connections", 1...1_000_000))
    server = HTTPServer.Configuration(
      addresses: addresses, loops: try options.number("loops", 1...256), limits: limits)

    api = API.Configuration(
      version: Version.number, build: Version.build,
      about: try AboutFile.read(options.text("about")))
    api.allowedHosts = options.list("allow-host")
    api.allow(try Self.origins(options))
    api.requiresPreconditions = options.isOn("require-preconditions")
    set(&api.bodies.usual, try options.size("json-body", 1 << 10...1 << 26))
    set(&api.bodies.reorder, try options.size("reorder-body", 1 << 10...1 << 26))
    set(&api.bodies.photo, try options.size("photo-size", 1 << 10...1 << 30))
    set(&api.uploads, try options.number("uploads", 1...1_000_000).map { UploadLimit($0) })
    api.pages = PageCache(limit: try options.size("page-cache", 0...1 << 36) ?? 32 << 20)
    set(&api.bodies.table, try options.size("table-body", 1 << 10...1 << 28))
    set(&api.bodies.imported, try options.size("import-body", 1 << 10...1 << 40))
    set(&api.spoolFolder, options.text("spool"))
    if let count = try options.number("event-streams", 0...1_000_000) {
      api.eventStreams = EventStreamLimit(count)
    }
    set(&api.eventHeartbeat, try options.duration("event-heartbeat", 1...days))
    set(&api.bodies.depth, try options.number("json-depth", 2...512))

    let path = try DataFolder.database(options)
    store = SQLiteStore.Configuration(path: path)
    set(&store.queueLimit, try options.number("writer-queue", 1...1_000_000))
    store.sizeLimit = try options.size("database-size", 1 << 20...1 << 46)
    let mostDays = 100_000
    if let days = try options.number("trash-days", 0...mostDays) {
      store.trashTime = Int64(days) * 86_400
    }
    api.trashTime = store.trashTime > 0 ? store.trashTime : nil
    set(&store.history.count, try options.number("history", 0...1_000_000_000))
    set(&store.history.size, try options.size("history-size", 0...1 << 46))
    if let days = try options.number("history-days", 0...mostDays) {
      store.history.seconds = Int64(days) * 86_400
    }
    if let time = try options.duration("read-time", 1...days) {
      store.longReadDeadline = .milliseconds(time)
    }
    shutdownTime = try options.duration("shutdown-time", 0...days) ?? 10_000
    logFormat = try Self.logFormat(options)
    logPath = options.text("log")
    api.isOpen = isOpen
  }

  /// Whether some address can be reached from elsewhere: what can be stays closed also while there is
  /// no token, and once the last one has been revoked.
  func demandsTokens(at addresses: [ListenAddress]) -> Bool {
    !isOpen && addresses.contains { !Self.isLocal($0) }
  }

  private static func origins(_ options: Options) throws(Failure) -> [Origin] {
    var origins: [Origin] = []
    for text in options.list("cors-origin") {
      guard text != "*" else {
        throw Failure(
          .usage,
          "--cors-origin names the sites that are meant. * would let any page that somebody "
            + "looks at speak to this server.")
      }
      guard let origin = Origin(text: text) else {
        throw Failure(
          .usage,
          "--cors-origin takes an origin as browsers write it, such as https://app.example or "
            + "http://localhost:3000, without a path, not \(text).")
      }
      origins.append(origin)
    }
    return origins
  }

  private static func logFormat(_ options: Options) throws(Failure) -> AccessFormat? {
    let text = options.text("log-format") ?? AccessFormat.text.rawValue
    if text == "none" { return nil }
    guard let format = AccessFormat(rawValue: text) else {
      throw Failure(.usage, "--log-format is text, json or none, not \(text).")
    }
    return format
  }

  private static func addresses(_ options: Options) throws(Failure) -> [ListenAddress] {
    let texts = options.list("listen")
    let handedDown = HandedDownSockets.addresses
    if texts.isEmpty, !handedDown.isEmpty { return handedDown }
    var addresses: [ListenAddress] = []
    for text in texts.isEmpty ? ["127.0.0.1:8080"] : texts {
      guard let address = ListenAddress(text) else {
        throw Failure(
          .usage, "--listen takes ADDR:PORT, [ADDR]:PORT, unix:PATH or fd:N, not \(text).")
      }
      addresses.append(address)
    }
    return addresses
  }

  /// Refuses addresses that others can reach while there is no token, unless that was said to be meant.
  func requireLocal(_ addresses: [ListenAddress], hasTokens: Bool) throws(Failure) {
    guard !isOpen, !hasTokens, let first = addresses.first(where: { !Self.isLocal($0) }) else {
      return
    }
    throw Failure(
      .usage,
      "\(first) is not a loopback address, and whoever reaches it could do anything. "
        + "Make a token first (rowhouse token create), or say --no-auth to listen there all the same."
    )
  }

  /// Whether only this machine can reach the address.
  static func isLocal(_ address: ListenAddress) -> Bool {
    switch address {
    case .v4(let host, _): host.hasPrefix("127.")
    case .v6(let host, _): host == "::1"
    case .unix: true
    // Where it listens is seen when it is taken over.
    case .inherited: true
    }
  }
}

private func set<Value>(_ place: inout Value, _ value: Value?) {
  if let value { place = value }
}
