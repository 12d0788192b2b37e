import API
import Glibc
import Inventory
import Storage

enum ImportCommand: Subcommand {
  static let name = "import"
  static let summary =
    "Read an export into a database. - reads stdin. A new database becomes equal to the export."
  static let options = [
    Option.database, Option.onlyInventory,
    Option(
      "replace", .onOff,
      "Replace everything in the inventory, and empty its trash, instead of merging into it."),
    Option("dry-run", .onOff, "Change nothing. Report what would be created and updated."),
  ]
  static let operands = ["FILE"]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let path = try DataFolder.lastingDatabase(options)
    let name = options.operands[0]
    let descriptor = try open(name)
    defer { close(descriptor) }
    let isDryRun = options.isOn("dry-run")
    // A dry run must not create a database.
    let isMissing = !Database.isOnServer(path) && access(path, F_OK) != 0
    Interruption.watch()
    var store = try SynchronousStore(path: isDryRun && isMissing ? ":memory:" : path)
    var isDone = false
    // A refusal and an interruption leave no new database.
    defer { if isDone { store.close() } else { store.discard() } }
    try store.chooseInventory(options)
    // A new database has nothing to merge with. So it gets the file's root list and currency.
    let isReplacing = options.isOn("replace") || isMissing
    let losses = isReplacing ? try listLosses(in: store, isDryRun: isDryRun) : []
    let report = try load(
      descriptor, name,
      Import.Options(mode: isReplacing ? .replace : .merge, isDryRun: isDryRun),
      into: store, Database.name(path))
    isDone = true
    Terminal.say(
      "\(Database.name(path)): \(report.lists) lists, \(report.items) items and \(report.photos) photos read, "
        + "\(report.counts.created) "
        + (isDryRun ? "would be " : "") + "made, \(report.counts.updated) changed"
        + (isMissing && !isDryRun ? ", in a new database" : "")
        + losses.map { ". " + $0 }.joined())
    return .success
  }

  /// What a replacement takes from an inventory, such as "1 list and 40 items were replaced". The root list does not
  /// count.
  private static func listLosses(
    in store: SynchronousStore, isDryRun: Bool
  ) throws(Failure) -> [String] {
    let totals: SubtreeTotals
    let trashed: Int
    do throws(InventoryError) {
      totals = try store.read { (snapshot) throws(InventoryError) in
        try snapshot.subtreeTotals(of: .root)
      }
      trashed = try store.read { (snapshot) throws(InventoryError) in
        try snapshot.trash(PageWindow(limit: 0)).count
      }
    } catch { throw Failure(ExitCode(error), "The database cannot be read: \(error)") }
    var losses: [String] = []
    if totals.listCount + totals.itemCount > 0 {
      losses.append(
        counted(totals.listCount, "list") + " and " + counted(totals.itemCount, "item")
          + (isDryRun ? " would be" : " were") + " replaced")
    }
    if trashed > 0 {
      losses.append(
        counted(trashed, "row") + " in the trash "
          + (isDryRun ? "would be" : trashed == 1 ? "was" : "were") + " purged")
    }
    return losses
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)" + (count == 1 ? "" : "s")
  }

  /// Imports an export at a path into an opened database.
  static func load(
    _ name: String, _ options: Import.Options, into store: SynchronousStore, _ database: String
  ) throws(Failure) -> Import.Report {
    let descriptor = try open(name)
    defer { close(descriptor) }
    return try load(descriptor, name, options, into: store, database)
  }

  private static func open(_ name: String) throws(Failure) -> Int32 {
    let descriptor = name == "-" ? STDIN_FILENO : Glibc.open(name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(.noInput, "Cannot open \(name): \(String(cString: strerror(errno))).")
    }
    return descriptor
  }

  private static func load(
    _ descriptor: Int32, _ name: String, _ options: Import.Options, into store: SynchronousStore,
    _ database: String
  ) throws(Failure) -> Import.Report {
    var run = Import(options, store: store.waited, context: store.context)
    do throws(Failure) { return try read(descriptor, name, database, into: &run) } catch {
      run.abandon()
      throw error
    }
  }

  /// Waits until something can be read without blocking. A blocked read does not notice an interruption.
  private static func awaitInput(_ descriptor: Int32) throws(Failure) {
    var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var count: Int32 = 0
    repeat {
      try Interruption.check()
      count = poll(&input, 1, 100)
    } while count == 0 || count < 0 && errno == EINTR
  }

  private static func read(
    _ descriptor: Int32, _ name: String, _ database: String, into run: inout Import
  ) throws(Failure) -> Import.Report {
    var status = stat()
    let size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    let bar = ProgressBar("importing")
    var done = 0
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      try awaitInput(descriptor)
      let count = piece.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw Failure(.inputOutput, "Cannot read \(name): \(String(cString: strerror(errno))).")
      }
      if count == 0 { break }
      try refused { (run) throws(Problem) in try run.take(Array(piece[..<count])) }
      done += count
      bar.show(done, of: size)
    }
    bar.finish()
    return try refused { (run) throws(Problem) in try run.finish() }

    func refused<Value>(
      _ body: (inout Import) throws(Problem) -> Value
    ) throws(Failure) -> Value {
      do throws(Problem) { return try body(&run) } catch {
        let code = ExitCode(status: error.status, code: error.code.rawValue)
        throw Failure(code, "\(code.blamesInput ? name : database): \(error.detail)")
      }
    }
  }
}
