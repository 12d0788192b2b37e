import Inventory

/// A database that has been brought back from a backup.
package struct Restoration: Sendable {
  /// What was there before has this name now, with the files beside it.
  package let keptAside: String?
  /// The migrations that the backup had to be brought up to date with.
  package let applied: [String]
  package let inventories: [CopiedInventory]
  /// How many tokens let people in, as they did at the time of the backup.
  package let tokens: Int
}
