import API
import Inventory
import Server
import Storage

/// The settings of `rowhouse serve`, from the options in `ServeOptions.all`.
struct ServeOptions {
  var store: DatabaseStore.Configuration
  var server: HTTPServer.Configuration
  var api: API.Configuration
  /// In milliseconds.
  var shutdownTime: Int64
  /// Nil: no log.
  var logFormat: LogFormat?
  var logLevel: LogLevel
  /// Nil: stderr.
  var logPath: String?
  /// Nil: none.
  var backups: Backups?

  /// The scheduled backups.
  struct Backups {
    let folder: String
    /// In seconds.
    let interval: Int64
    let kept: Int
  }

  let tests: TestSettings
  /// The first contents of a new database. Nil: none, and the database need not be new.
  let seed: Seed?
  /// Whether stdout shows only the URL.
  let printsURL: Bool
  /// Whether the server stops when stdin ends.
  let endsWithInput: Bool
  /// Whether `--no-auth` permits addresses beyond loopback without tokens.
  private let isOpen: Bool

  init(_ options: Options) throws(Failure) {
    isOpen = options.isOn("no-auth")
    var limits = Server.Limits()
    set(&limits.head.requestLine, options.number("request-line"))
    set(&limits.head.headerSection, options.number("header-section"))
    set(&limits.head.fieldCount, options.number("header-fields"))
    set(&limits.bufferedBodies, options.number("buffered-bodies"))
    set(&limits.headerTime, options.duration("header-time"))
    set(&limits.bodyTime, options.duration("body-time"))
    set(&limits.leastRate, options.number("least-rate"))
    set(&limits.idleTime, options.duration("idle-time"))
    set(&limits.connections, options.number("connections"))
    server = HTTPServer.Configuration(addresses: try Self.addresses(options.list("listen")))
    set(&server.loops, options.number("loops"))
    server.limits = limits

    api = API.Configuration(
      version: Version.number, build: Version.build,
      about: try Self.about(options.text("about")))
    api.isOpen = isOpen
    api.basePath = options.text("base-path").flatMap { BasePath($0) } ?? .none
    api.allowedHosts = options.list("allow-host")
    api.allow(options.list("cors-origin").compactMap { Origin(text: $0) })
    api.requiresPreconditions = options.isOn("require-preconditions")
    set(&api.bodies.usual, options.number("json-body"))
    set(&api.bodies.reorder, options.number("reorder-body"))
    set(&api.bodies.photo, options.number("photo-size"))
    set(&api.uploads, options.number("uploads").map { Quota($0) })
    set(&api.pages, options.number("page-cache").map { PageCache(limit: $0) })
    set(&api.bodies.table, options.number("table-body"))
    set(&api.bodies.imported, options.number("import-body"))
    api.spools = SpoolRoom(
      folder: options.text("spool") ?? Spool.standardFolder,
      limit: options.number("spool-size") ?? 16 << 30)
    set(&api.eventStreams, options.number("event-streams").map { EventStreamLimit($0) })
    set(&api.eventHeartbeat, options.duration("event-heartbeat"))
    set(&api.bodies.depth, options.number("json-depth"))

    store = DatabaseStore.Configuration(path: options.text("db") ?? DataFolder.standardDatabase)
    #if PostgreSQL
      set(&store.readers, options.number("db-connections"))
      let timeout = options.duration("db-timeout").map { Duration.milliseconds($0) }
      set(&store.postgreSQL.statementTime, timeout)
      set(&store.postgreSQL.connectionTime, timeout)
      store.postgreSQL.prepares = options.text("db-prepare") != "off"
    #endif
    set(&store.queueLimit, options.number("writer-queue"))
    set(&store.depthLimit, options.number("depth-limit").flatMap { DepthLimit(level: $0) })
    store.sizeLimit = options.number("database-size")
    set(&store.trashTime, options.number("trash-days").map { Int64($0) * 86_400 })
    api.trashTime = store.trashTime > 0 ? store.trashTime : nil
    set(&store.history.count, options.number("history"))
    set(&store.history.size, options.number("history-size"))
    set(&store.history.seconds, options.number("history-days").map { Int64($0) * 86_400 })
    set(&store.longReadDeadline, options.duration("read-time").map { .milliseconds($0) })
    set(&store.everythingDeadline, options.duration("export-time").map { .milliseconds($0) })
    shutdownTime = options.duration("shutdown-time") ?? 10_000
    logFormat = options.text("log-format").flatMap(LogFormat.init)
    logLevel = options.text("log-level").flatMap { LogLevel(name: $0) } ?? .info
    logPath = options.text("log")
    backups = options.text("backup-to").map { folder in
      Backups(
        folder: folder, interval: (options.duration("backup-every") ?? 86_400_000) / 1_000,
        kept: options.number("backup-keep") ?? 7)
    }
    tests = TestSettings(options)
    seed = options.text("seed").flatMap { Seed(text: $0) }
    if tests.setsClock {
      server.time = SetTime()
      // A clock that stands still or jumps on purpose never settles.
      store.clockSettlingTime = .zero
    }
    printsURL = options.isOn("print-url")
    endsWithInput = options.isOn("end-with-stdin")
  }

  /// The texts for `/v1/about`: the defaults, replaced by those in the file at a path.
  private static func about(_ path: String?) throws(Failure) -> API.Configuration.About {
    var about = API.Configuration.About(licence: "MIT")
    guard let path else { return about }
    let bytes = try SettingsFile.bytes(
      of: path, upTo: API.Configuration.About.largestFile, else: .badData)
    do throws(API.Configuration.About.Fault) { try about.read(bytes) } catch {
      throw Failure(.badData, "\(path): \(error.sentence)")
    }
    return about
  }

  /// The addresses to listen on, with names resolved, so that later checks apply to the real addresses.
  private static func addresses(_ texts: [String]) throws(Failure) -> [ListenAddress] {
    var addresses: [ListenAddress] = []
    for text in texts {
      guard let address = ListenAddress(text) else { continue }
      do throws(ServerError) { addresses.append(try address.resolved()) } catch {
        throw Failure(error)
      }
    }
    return addresses
  }

  /// Whether `--no-auth` lets clients on other machines in without a token.
  func letsAnybodyIn(at addresses: [ListenAddress]) -> Bool {
    isOpen && addresses.contains { !Self.isLocal($0) }
  }

  /// Whether the server demands tokens even if there are none: other machines can reach it, and `--no-auth` is not
  /// given.
  func demandsTokens(at addresses: [ListenAddress]) -> Bool {
    !isOpen && addresses.contains { !Self.isLocal($0) }
  }

  /// Throws if others can reach an address while there is no token, unless `--no-auth` is given.
  func requireLocal(_ addresses: [ListenAddress], hasTokens: Bool) throws(Failure) {
    guard !isOpen, !hasTokens, let first = addresses.first(where: { !Self.isLocal($0) }) else {
      return
    }
    throw Failure(
      .usage,
      "\(first) is not a loopback address, so everyone who can reach it could do everything. "
        + "Create a token first (rowhouse token create), or add --no-auth to listen there anyway."
    )
  }

  /// Whether only this machine can reach the address.
  static func isLocal(_ address: ListenAddress) -> Bool {
    switch address {
    case .v4(let host, _): host.hasPrefix("127.")
    case .v6(let host, _): host == "::1"
    case .unix: true
    // Its address is checked after binding.
    case .inherited: true
    // Unknown until it is resolved.
    case .named: false
    }
  }
}

private func set<Value>(_ place: inout Value, _ value: Value?) {
  if let value { place = value }
}
