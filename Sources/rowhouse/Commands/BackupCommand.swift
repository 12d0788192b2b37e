import Inventory
import Storage

enum BackupCommand: Subcommand {
  static let name = "backup"
  static let summary =
    "Copy a database to a checked file, also while the server runs."
  static let options = [
    Option.database, Option("force", .onOff, "Replace the file if it exists."),
  ]
  static let operands = ["PATH"]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let path = try DataFolder.database(options)
    let start = ContinuousClock.now
    let bar = ProgressBar("copying")
    Interruption.watch()
    let backup: Backup
    do throws(BackupError) {
      backup = try Database.backUp(
        path: path, to: options.operands[0], replacing: options.isOn("force")
      ) { done, all in
        bar.show(done, of: all)
        return !Interruption.hasCome
      }
    } catch { throw Failure(error) }
    bar.finish()
    Terminal.say(backup.summary(since: start))
    return .success
  }
}

extension Backup {
  /// The path, the size, the revision, and the time that it took.
  func summary(since start: ContinuousClock.Instant) -> String {
    let time = start.duration(to: .now).components
    let milliseconds = time.seconds * 1_000 + time.attoseconds / 1_000_000_000_000_000
    return "\(path): \(size) bytes, \(CopiedInventory.text(inventories)), in \(milliseconds) ms"
  }
}

extension CopiedInventory {
  /// "revision 7", or each inventory with its revision.
  static func text(_ all: [CopiedInventory]) -> String {
    guard all.count != 1 else { return "revision \(all[0].revision)" }
    return all.map { "inventory \($0.id) at revision \($0.revision)" }.joined(separator: ", ")
  }
}
