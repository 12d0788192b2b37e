import Inventory
import Storage

enum RestoreCommand: Subcommand {
  static let name = "restore"
  static let summary = "Make a database from a backup. Stop the server first."
  static let options = [
    Option.database,
    Option("force", .onOff, "Rename an existing database and keep it."),
  ]
  static let operands = ["PATH"]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let path = try DataFolder.lastingDatabase(options)
    let bar = ProgressBar("restoring")
    Interruption.watch()
    let restoration: Restoration
    do throws(BackupError) {
      restoration = try Database.restore(
        from: options.operands[0], to: path, replacing: options.isOn("force")
      ) { done, all in
        bar.show(done, of: all)
        return !Interruption.hasCome
      }
    } catch { throw Failure(error) }
    bar.finish()
    for migration in restoration.applied { Terminal.say("applied \(migration)") }
    if let aside = restoration.keptAside { Terminal.say("The previous database is now \(aside)") }
    if let time = restoration.futureChange {
      Terminal.note(
        "The backup has a change from \(time), which is later than this machine's clock. "
          + "If the clock is wrong, set it, and restore again with --force.")
    }
    if restoration.tokens > 0 {
      Terminal.say(
        "The tokens of the backup are valid again (\(restoration.tokens)). "
          + "Revoke those again that were revoked after the backup.")
    }
    Terminal.say(
      "\(path): restored, continues from \(CopiedInventory.text(restoration.inventories))")
    return .success
  }
}
