import API
import Glibc
import Inventory
import Storage

enum ExportCommand: Subcommand {
  static let name = "export"
  static let summary =
    "Write everything in an inventory to a file, or to stdout, to be imported again."
  static let options = [
    Option.database, Option.onlyInventory,
    Option("force", .onOff, "Replace the file if it exists."),
  ]
  static let operands = ["[FILE]"]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let database = try DataFolder.existingDatabase(options)
    let target: OutputTarget
    do throws(BackupError) {
      let path = options.operands.first.flatMap { $0 == "-" ? nil : $0 }
      target = try OutputTarget(
        path, isReplaced: options.isOn("force"), database: database)
    } catch { throw Failure(error) }
    var store = try SynchronousStore(path: database, isReading: true)
    defer { store.close() }
    try store.chooseInventory(options)
    let spool: Spool
    do throws(InventoryError) {
      spool = try store.read { (snapshot) throws(InventoryError) in
        let counts = try snapshot.counts()
        let all = counts.lists + counts.items
        let bar = ProgressBar("exporting")
        let spool = try Export.spool(.root, from: snapshot, in: SpoolRoom(limit: .max)) { done in
          if done % 1_000 == 0 { bar.show(done, of: all) }
        }
        bar.show(all, of: all)
        bar.finish()
        return spool
      }
    } catch { throw Failure(ExitCode(error), "Exporting failed: \(error)") }
    // Elsewhere nothing unfinished would stay, and the wait for a reader does not notice an interruption.
    if case .file = target { Interruption.watch() }
    try target.write(failure: { Failure($0) }) { (descriptor) throws(Failure) in
      try copy(spool, to: descriptor, target.name)
    }
    if target != .stdout { Terminal.say("\(target.name): \(spool.count) bytes") }
    return .success
  }

  private static func copy(
    _ spool: Spool, to descriptor: Int32, _ name: String
  ) throws(Failure) {
    var offset = 0
    var piece: [UInt8] = []
    while offset < spool.count {
      try Interruption.check()
      piece.removeAll(keepingCapacity: true)
      do throws(Spool.Failure) { try spool.read(at: offset, limit: 1 << 18, into: &piece) } catch {
        throw Failure(.inputOutput, "Reading the export failed: \(error).")
      }
      if let code = piece.withUnsafeBytes({ Terminal.write($0, to: descriptor) }) {
        throw Failure(.inputOutput, "Cannot write to \(name): \(String(cString: strerror(code))).")
      }
      offset += piece.count
    }
  }
}

extension OutputTarget {
  /// The name for messages.
  fileprivate var name: String {
    switch self {
    case .stdout: "stdout"
    case .stream(let path), .file(let path, _): path
    }
  }
}
