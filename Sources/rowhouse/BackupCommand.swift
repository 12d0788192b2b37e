import Inventory
import Storage

enum BackupCommand: Subcommand {
  static let name = "backup"
  static let summary = "Copy a database to a file, whole and looked through."
  static let options = [
    Option.database, Option("force", .onOff, "Replace the file if it exists."),
  ]
  static let operands = ["PATH"]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let path = try DataFolder.database(options)
    let start = ContinuousClock.now
    let progress = CopyBar("copying")
    let backup: Backup
    do throws(CopyError) {
      backup = try Database.backUp(
        path: path, to: options.operands[0], replacing: options.isOn("force")
      ) { done, all in progress.show(done, all) }
    } catch { throw Failure(error) }
    progress.finish()
    Terminal.say(
      "\(backup.path): \(backup.size) bytes, \(CopiedInventory.text(backup.inventories)), "
        + "in \(start.duration(to: .now).text)")
    return .success
  }
}

/// A bar for what tells of its progress from within.
final class CopyBar {
  private var bar: ProgressBar

  init(_ label: String) { bar = ProgressBar(label) }

  func show(_ done: Int, _ all: Int) -> Bool {
    bar.show(done, of: all)
    return true
  }

  func finish() { bar.finish() }
}

extension CopiedInventory {
  /// "revision 7", or each inventory with its own.
  static func text(_ all: [CopiedInventory]) -> String {
    guard all.count != 1 else { return "revision \(all[0].revision)" }
    return all.map { "inventory \($0.id) at revision \($0.revision)" }.joined(separator: ", ")
  }
}

extension Duration {
  /// In milliseconds, "240 ms".
  var text: String {
    "\(components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000) ms"
  }
}
