import API
import Glibc
import HTTP
import Inventory
import Server
import Storage
import Synchronization

enum ServeCommand: Subcommand {
  static let name = "serve"
  static let summary = "Run the server. SIGTERM or SIGINT stops it."
  static let options = ServeOptions.all

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let start = ProcessStatistics.now
    let settings = try ServeOptions(options)
    try InheritedSockets.require(settings.server.addresses)
    try DataFolder.make(options)
    // Before any thread starts, because threads inherit the blocked signals.
    let signals = StopSignals()
    if settings.endsWithInput { signals.stopWithInput() }
    let log = Log(try openLog(settings))
    let connections = settings.server.limits.connections
    if let limit = DescriptorLimit.raise(forConnections: connections) {
      log.tell(
        .warning,
        "\(limit) file descriptors are too few for \(connections) connections. Raise ulimit -n.")
    }
    let isOnServer = Database.isOnServer(settings.store.path)
    if !isOnServer, access(settings.store.path, F_OK) != 0 {
      // A missing database has no tokens. It must not be created for a server that cannot start.
      try settings.requireLocal(settings.server.addresses, hasTokens: false)
    }
    try settings.tests.apply(database: settings.store.path)
    if let backups = settings.backups {
      guard !isOnServer else { throw Failure(BackupError.onServer) }
      try require(folder: backups.folder, "Cannot write backups to")
    }
    // The standard folder for exports and imports may be missing: a server may never need it.
    if options.source("spool") != .standard {
      try require(folder: settings.api.spools.folder, "Cannot keep exports and imports in")
    }
    let store = try openStore(settings, signals, log)
    var backups: BackupSchedule?
    if let folder = settings.backups { backups = try BackupSchedule(store, folder, log) }
    do throws(Failure) {
      try settings.seed?.fill(store)
      try settings.tests.keepStart(of: store)
    } catch {
      log.stop()
      // A server that cannot start leaves no new database.
      store.discard()
      throw error
    }
    var configuration = settings.server
    configuration.observer = log.observer
    let administrators = isOnServer ? nil : ControlSocket.address(database: store.path)
    if let administrators {
      configuration.addresses.append(administrators)
    } else if !isOnServer {
      log.tell(
        .warning,
        "The path of the database is too long for a socket beside it. "
          + "Commands such as rowhouse token cannot reach this server.")
    }
    var settled = settings.api
    settled.onSpoolFault = { cause in
      log.tell(.error, StorageFailure.outOfDescriptors(cause: cause).line(of: store.path))
    }
    if settings.tests.isTestMode { settled.harness = TestHarness(store) }
    if administrators != nil {
      configuration.reservedAddress = configuration.addresses.count - 1
      settled.administratorsListener = configuration.reservedAddress
    }
    let api = Settled(settled)
    let server = HTTPServer(configuration) { _, waker in
      do throws(InventoryError) {
        let configuration = api.configuration.withLock { $0 }
        let handler = try APIHandler(store: store, configuration: configuration, waker: waker)
        return configuration.harness.map { FaultyHandler(handler, $0) } ?? handler
      } catch {
        log.tell(.error, "A loop cannot read the database: \(error)")
        log.stop()
        exit(ExitCode.inputOutput.rawValue)
      }
    }
    do throws(Failure) {
      do throws(ServerError) { try server.bind() } catch { throw Failure(error) }
      // The address of an inherited socket is known only now.
      try settings.requireLocal(server.addresses, hasTokens: store.hasTokens)
      let demandsTokens = settings.demandsTokens(at: server.addresses)
      api.configuration.withLock {
        $0.demandsTokens = demandsTokens
        $0.metrics = ServerMetrics(
          server: server, store: store, backups: backups, start: start)
      }
      do throws(ServerError) { try server.start() } catch { throw Failure(error) }
    } catch {
      log.stop()
      // A server that cannot start leaves no new database.
      store.discard()
      throw error
    }
    backups?.start()
    let addresses = Array(server.addresses.prefix(settings.server.addresses.count))
    if settings.printsURL {
      if let url = addresses.lazy.compactMap(url).first {
        Terminal.say(url + settings.api.basePath.text)
      }
    } else {
      announce(addresses, settings.api.basePath, store.path, isNew: store.isNew)
    }
    let places = addresses.map(\.description).joined(separator: ", ")
    log.tell(
      .info,
      "Rowhouse \(Version.number) (\(Version.build)) serves \(store.path) on \(places).")
    ConfigCommand.tell(of: options, log)
    if settings.letsAnybodyIn(at: server.addresses) {
      log.tell(.warning, "Everyone who can connect may do everything (--no-auth).")
    }
    let signal = signals.wait {
      log.tell(.info, "SIGHUP: the log is reopened.")
      log.reopen()
    }
    log.tell(.info, "\(signal): finishing running requests.")
    // Long reads and waiting writes must be answered before the server cuts connections.
    store.endLongReads(within: .milliseconds(settings.shutdownTime * 6 / 10))
    store.endWrites(within: .milliseconds(settings.shutdownTime * 8 / 10))
    server.shutdown(deadline: settings.shutdownTime * 9 / 10)
    backups?.stop()
    store.close()
    // Read last, because the database may fail during the shutdown.
    let failure = signals.storageFailure
    if let failure { log.tell(.error, "The database failed: \(failure.text(of: store.path))") }
    log.tell(.info, "Stopped.")
    log.stop()
    guard let failure else { return .success }
    throw Failure(
      .inputOutput,
      "The database failed: \(failure.cause). Start the server again to recover."
        + (failure.isDamage ? " \(Remedy.forDamage(store.path))" : ""))
  }

  /// The configuration of the API. It is completed after the addresses are bound, and before the loops read it.
  private final class Settled: Sendable {
    let configuration: Mutex<API.Configuration>
    init(_ configuration: API.Configuration) { self.configuration = Mutex(configuration) }
  }

  private static func openLog(_ settings: ServeOptions) throws(Failure) -> ServerLog? {
    guard let format = settings.logFormat else { return nil }
    if let path = settings.logPath {
      do throws(BackupError) {
        try Database.requireForeign(path, database: settings.store.path)
      } catch { throw Failure(error) }
    }
    let destination: LogDestination =
      settings.logPath.map { .file(path: $0) } ?? .descriptor(STDERR_FILENO)
    do throws(ServerError) {
      return try ServerLog(format, to: destination, level: settings.logLevel) {
        Terminal.complain("The log stays in its old file: \($0.cause)")
      }
    } catch {
      throw Failure(.cannotCreate, "The log cannot be opened: \(error.cause)")
    }
  }

  /// Requires that a folder exists. A missing folder is more likely an unmounted disk than one to create.
  private static func require(folder: String, _ complaint: String) throws(Failure) {
    // With a slash at the end, the path of a file is an error (path_resolution(7)).
    guard access(folder + "/", R_OK | W_OK | X_OK) == 0 else {
      throw Failure(
        .cannotCreate, "\(complaint) \(folder): \(String(cString: strerror(errno))).")
    }
  }

  private static func openStore(
    _ settings: ServeOptions, _ signals: StopSignals, _ log: Log
  ) throws(Failure) -> DatabaseStore {
    var configuration = settings.store
    // Each chore's look is several exchanges with the server, and every process looks.
    if Database.isOnServer(configuration.path) { configuration.housekeepingInterval = .seconds(10) }
    configuration.onMediumFailure = { signals.storageFailed($0) }
    configuration.onStorageFailure = { [path = Database.name(configuration.path)] in
      log.tell(.error, $0.line(of: path))
    }
    let isBackup = Database.isBackup(path: configuration.path)
    let store: DatabaseStore
    do throws(StoreOpeningError) { store = try DatabaseStore(configuration) } catch {
      throw Failure(error)
    }
    if isBackup { log.tell(.warning, Remedy.forBackup(store.path)) }
    return store
  }

  private static func announce(
    _ addresses: [ListenAddress], _ base: BasePath, _ path: String, isNew: Bool
  ) {
    var lines = ["Database: \(path)"] + (isNew ? ["The database is new."] : [])
    lines += addresses.map { "Listening on \(url($0) ?? "\($0)")" }
    if let url = addresses.lazy.compactMap(url).first {
      lines.append("Try: curl -s \(url)\(base.text)/v1/lists/root/rows")
    }
    // One write, so that a program that waits for one line has them all.
    Terminal.say(lines.joined(separator: "\n"))
  }

  /// Nil for a socket in the file system, which has no URL.
  private static func url(_ address: ListenAddress) -> String? {
    if case .unix = address { nil } else { "http://\(address)" }
  }
}

extension StorageFailure {
  /// A line of the log about the database at a path.
  fileprivate func line(of path: String) -> String {
    if case .outOfDescriptors = self {
      "Out of file descriptors (see ulimit -n and --connections): \(cause)"
    } else if case .unavailable = self {
      "The database cannot be used now: \(cause)"
    } else {
      "Something failed in the database: \(text(of: path))"
    }
  }

  fileprivate var isDamage: Bool { if case .damaged = self { true } else { false } }

  /// The cause of the failure, with advice if the database is damaged.
  fileprivate func text(of path: String) -> String {
    isDamage ? "\(cause). \(Remedy.forDamage(path))" : cause
  }
}

extension ServerError {
  /// The system's message for the failed call.
  fileprivate var cause: String {
    if case .failed(_, let errno, _) = self { String(cString: strerror(errno)) } else { "\(self)" }
  }
}
