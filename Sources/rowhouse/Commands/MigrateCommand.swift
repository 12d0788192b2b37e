import Storage

enum MigrateCommand: Subcommand {
  static let name = "migrate"
  static let summary = "Update a database to the present schema. serve does so by itself."
  static let options = [Option.database, Option.create]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    try DataFolder.withDatabase(options) { (path) throws(Failure) in
      let applied: [String]
      var isInterrupted = false
      do throws(StoreOpeningError) {
        applied = try Database.migrate(path: path) {
          isInterrupted = Interruption.hasCome
          return isInterrupted
        }
      } catch { throw Failure(error) }
      guard !isInterrupted else { throw Interruption.failure }
      for migration in applied { Terminal.say("applied \(migration)") }
      Terminal.say("\(Database.name(path)) is up to date")
    }
    return .success
  }
}
