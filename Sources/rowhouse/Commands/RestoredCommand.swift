import Inventory
import Storage

enum RestoredCommand: Subcommand {
  static let name = "restored"
  static let summary =
    "Tell a PostgreSQL database that it was recovered to an earlier state. Stop the servers first."
  static let options = [Option.database]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let path = try DataFolder.existingDatabase(options)
    let inventories: [CopiedInventory]
    do throws(StoreOpeningError) { inventories = try Database.declareRecovered(path: path) } catch {
      throw Failure(error)
    }
    Terminal.say("\(Database.name(path)): continues from \(CopiedInventory.text(inventories))")
    return .success
  }
}
