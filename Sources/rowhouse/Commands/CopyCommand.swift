import Storage

enum CopyCommand: Subcommand {
  static let name = "copy"
  static let summary =
    "Copy a database from a file to PostgreSQL, or back. Stop the servers first."
  static let options: [Option] = []
  static let operands = ["SOURCE", "TARGET"]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let (source, target) = (options.operands[0], options.operands[1])
    let bar = ProgressBar("copying")
    var rows = 0
    do throws(StoreOpeningError) {
      try Database.copy(from: source, to: target) { done, all in
        rows = all
        bar.show(done, of: all)
      }
    } catch { throw Failure(error) }
    bar.finish()
    Terminal.say("Copied \(rows) rows from \(Database.name(source)) to \(Database.name(target)).")
    return .success
  }
}
