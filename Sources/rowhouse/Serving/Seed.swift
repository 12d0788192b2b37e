import API
import Inventory
import Storage

/// The first contents of a new database.
enum Seed {
  case demo
  case empty
  /// One list of so many generated things.
  case rows(Int)
  /// An export, by its path.
  case file(String)

  static let largestList = 10_000_000

  /// Nil for a malformed or too large number of rows.
  init?(text: String) {
    switch text {
    case "demo": self = .demo
    case "empty": self = .empty
    case _ where text.hasPrefix("rows="):
      guard let count = Int(text.dropFirst(5)), (1...Self.largestList).contains(count) else {
        return nil
      }
      self = .rows(count)
    case "": return nil
    default: self = .file(text)
    }
  }

  /// - Throws: `usage` if the database has been used: more than one inventory, a token or a change.
  func fill(_ opened: DatabaseStore) throws(Failure) {
    let store = SynchronousStore(opened)
    try requireUnused(store, hasTokens: opened.hasTokens, path: opened.path)
    switch self {
    case .demo: _ = try DemoInventory.make(in: store)
    case .empty: break
    case .rows(let count): _ = try SeedCommand.makeList(rows: count, in: store)
    case .file(let name):
      // The export's root list becomes the root list.
      _ = try ImportCommand.load(name, Import.Options(mode: .replace), into: store, opened.path)
    }
  }

  private func requireUnused(
    _ store: SynchronousStore, hasTokens: Bool, path: String
  ) throws(Failure) {
    let isUnused: Bool
    do throws(InventoryError) {
      isUnused = try store.read { (snapshot) throws(InventoryError) in
        guard try snapshot.revision() == Revision(0) else { return false }
        return try snapshot.inventories().count == 1
      }
    } catch { throw Failure(ExitCode(error), "The database cannot be read: \(error)") }
    guard isUnused, !hasTokens else {
      throw Failure(
        .usage,
        "\(path) has contents, and --seed is for a new database. "
          + "Name another one with --db, or start without --seed.")
    }
  }
}
