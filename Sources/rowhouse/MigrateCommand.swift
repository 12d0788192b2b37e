import Storage

enum MigrateCommand: Subcommand {
  static let name = "migrate"
  static let summary = "Bring a database's schema up to date; serve does it by itself."
  static let options = [Option.database]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let path = try DataFolder.database(options)
    let applied: [String]
    do throws(StoreOpeningError) {
      applied = try Database.migrate(path: path)
    } catch { throw Failure(error) }
    for migration in applied { Terminal.say("applied \(migration)") }
    Terminal.say("\(path) is up to date")
    return .success
  }
}

extension Option {
  static let database = Option(
    "db", "PATH", standard: "$XDG_DATA_HOME/rowhouse/rowhouse.sqlite", "The database file.")
  static let inventory = Option(
    "inventory", "ID", standard: "the first one", "Which inventory is meant.")
}
