import Inventory
import Storage

enum RestoreCommand: Subcommand {
  static let name = "restore"
  static let summary = "Make a database of a backup, with no server running."
  static let options = [
    Option.database,
    Option("force", .onOff, "Put the database that is there aside, under another name."),
  ]
  static let operands = ["PATH"]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let path = try DataFolder.database(options)
    guard path != ":memory:" else {
      throw Failure(.usage, "A database in memory would be gone with the command.")
    }
    let progress = CopyBar("restoring")
    let restoration: Restoration
    do throws(CopyError) {
      restoration = try Database.restore(
        from: options.operands[0], to: path, replacing: options.isOn("force")
      ) { done, all in progress.show(done, all) }
    } catch { throw Failure(error) }
    progress.finish()
    for migration in restoration.applied { Terminal.say("applied \(migration)") }
    if let aside = restoration.keptAside { Terminal.say("What was there is now \(aside)") }
    if restoration.tokens > 0 {
      Terminal.say(
        "The tokens of that time let people in again (\(restoration.tokens)): "
          + "revoke what was revoked since")
    }
    Terminal.say(
      "\(path): restored, goes on from \(CopiedInventory.text(restoration.inventories))")
    return .success
  }
}
