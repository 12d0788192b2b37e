import Glibc
import Storage

/// The default folder of the database: the XDG base directory for data.
enum DataFolder {
  /// `$XDG_DATA_HOME/rowhouse/rowhouse.sqlite` if that variable is an absolute path, or else below `~/.local/share`,
  /// or below `/var/lib/.local/share` if HOME is not set.
  static var standardDatabase: String {
    let base: String
    if let home = environment("XDG_DATA_HOME"), home.hasPrefix("/") {
      base = home
    } else {
      base = (environment("HOME") ?? "/var/lib") + "/.local/share"
    }
    return base + "/rowhouse/rowhouse.sqlite"
  }

  /// The path of the database that the options name, or else of the standard one, whose folder this creates.
  static func database(_ options: Options) throws(Failure) -> String {
    try make(options)
    return options.text("db") ?? standardDatabase
  }

  /// The same path, for commands whose result would be lost with a database in memory.
  ///
  /// Throws `usage` for a database in memory.
  static func lastingDatabase(_ options: Options) throws(Failure) -> String {
    try requireLasting(options)
    return try database(options)
  }

  static func requireLasting(_ options: Options) throws(Failure) {
    guard options.text("db") != ":memory:" else {
      throw Failure(
        .usage, "A database in memory is lost when the command ends. Name a file with --db.")
    }
  }

  /// The path of the database that the options name, or else of the standard one, for commands that must not create it.
  ///
  /// Throws `noInput` if the database is missing.
  static func existingDatabase(_ options: Options) throws(Failure) -> String {
    let path = options.text("db") ?? standardDatabase
    do throws(StoreOpeningError) { try Database.requireThere(path: path) } catch {
      throw Failure(error)
    }
    return path
  }

  /// Runs a command on an existing database, or with `--create` also on a new one. Reports whether it created one.
  ///
  /// - Throws: `noInput` if the database is missing and `--create` is not given.
  static func withDatabase<Value>(
    _ options: Options, _ run: (String) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let path = options.text("db") ?? standardDatabase
    var isMissing = false
    do throws(StoreOpeningError) { try Database.requireThere(path: path) } catch {
      // Opening the database reports all other errors.
      if case .missing = error { isMissing = true }
    }
    if isMissing {
      guard options.isOn("create") else {
        throw Failure(
          .noInput, "\(path) does not exist. Add --create to make a new database there.")
      }
      try make(options)
      // An interrupted command leaves no new database.
      Interruption.watch()
    }
    let value = try run(path)
    if isMissing { Terminal.note("Made a new database at \(path).") }
    return value
  }

  /// Creates the folder of the standard database, if the options name no other database.
  static func make(_ options: Options) throws(Failure) {
    guard options.source("db") == .standard else { return }
    var folder = ""
    for part in standardDatabase.split(separator: "/").dropLast() {
      folder += "/" + part
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
        throw Failure(
          .cannotCreate, "Cannot create \(folder): \(String(cString: strerror(errno))).")
      }
    }
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
