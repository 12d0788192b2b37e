import Storage

enum HealthCommand: Subcommand {
  static let name = "health"
  static let summary =
    "Ask the running server whether it can read and write. Exits with 69 if not."
  static let options = [Option.database]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let path = options.text("db") ?? DataFolder.standardDatabase
    if Database.isOnServer(path) {
      throw Failure(
        .usage,
        "This command asks a server through the socket beside its database file, and a database on "
          + "PostgreSQL has none. Call /readyz of the server instead.")
    }
    let call = ControlRequest(method: .get, target: "/readyz")
    guard try call.isAnsweredWell(database: path) else {
      throw Failure(.unavailable, "No server runs on \(path).")
    }
    Terminal.say("ready")
    return .success
  }
}
