import API
import FoundationEssentials
import Inventory
import Storage

enum SeedCommand: Subcommand {
  static let name = "seed"
  static let summary = "Fill a database with a demo: a home of nested rooms and a garage of cars."
  static let options = [
    Option.database,
    Option(
      "rows", .number(1...Seed.largestList),
      "Make one list of N rows instead, to try long lists."),
  ]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let rows = options.number("rows")
    let path = try DataFolder.lastingDatabase(options)
    Interruption.watch()
    let store = try SynchronousStore(path: path)
    var isDone = false
    // A failure and an interruption leave no new database.
    defer { if isDone { store.close() } else { store.discard() } }
    if let rows {
      let id = try makeList(rows: rows, in: store)
      Terminal.say("\(Database.name(path)): a list of \(rows) rows: \(id)")
    } else {
      let result = try DemoInventory.make(in: store)
      Terminal.say(
        "\(Database.name(path)): \(result.made) added, \(result.found) already existed")
    }
    isDone = true
    return .success
  }

  /// Creates a long list of generated things at the end of the root list, for load tests. Returns its id.
  static func makeList(
    rows: Int, in store: SynchronousStore
  ) throws(Failure) -> ListID {
    let id = ListID(.version7())
    try store.make(
      .createList(NewList(id: id, parent: .root, details: ListDetails(title: "\(rows) rows"))))
    let progress = ProgressBar("seeding")
    var done = 0
    while done < rows {
      try Interruption.check()
      let count = min(Limits.rowsInOneChange, rows - done)
      let items = (done..<done + count).map { number in
        NewItem(
          id: ItemID(.version7()),
          details: ItemDetails(
            name: "Thing \(number)", serialNumber: "S\(String(number, radix: 36).uppercased())",
            value: Cents(Int64(number % 10_000) + 1)))
      }
      try store.make(.appendItems(items, to: .id(id)))
      done += count
      progress.show(done, of: rows)
    }
    progress.finish()
    return id
  }
}
