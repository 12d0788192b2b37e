import Inventory

/// A copy of a whole database as it was at one moment, which has been looked through and is on the disk.
package struct Backup: Sendable {
  package let path: String
  /// In bytes.
  package let size: Int
  /// What stands in it: those that people see, the default one first.
  package let inventories: [CopiedInventory]
}

/// How far a copy has come, told now and then: so many of so many pages, then of rows that are looked
/// at; false gives it up.
package typealias BackupProgress = (_ done: Int, _ all: Int) -> Bool
