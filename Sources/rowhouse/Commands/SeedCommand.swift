import FoundationEssentials
import Inventory
import Storage

enum SeedCommand: Subcommand {
  static let name = "seed"
  static let summary = "Fill a database with a demo: a home of nested rooms and a garage of cars."
  static let options = [
    Option.database,
    Option(
      "rows", .number(1...10_000_000),
      "Make one list of N rows instead, to try long lists."),
  ]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let rows = options.number("rows")
    let path = try DataFolder.database(options)
    guard path != ":memory:" else {
      throw Failure(
        .usage, "A database in memory is lost when the command ends. Name a file with --db.")
    }
    let store = try SynchronousStore(path: path)
    var isDone = false
    // A failure leaves no new database.
    defer { if isDone { store.close() } else { store.discard() } }
    if let rows {
      let id = try LoadList.make(rows: rows, in: store)
      Terminal.say("\(path): a list of \(rows) rows: \(id)")
    } else {
      let result = try DemoInventory.make(in: store)
      Terminal.say("\(path): \(result.made) added, \(result.found) already existed")
    }
    isDone = true
    return .success
  }
}
