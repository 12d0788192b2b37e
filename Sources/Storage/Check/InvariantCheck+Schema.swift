import Inventory
import SQLite

extension InvariantCheck {
  /// All tables, views, triggers and indices are those of the migrations, and there are no others.
  func checkSchema(_ report: (String) -> Void) throws(StorageError) {
    let own = try Self.schema(of: db)
    let fresh: Connection
    do throws(SQLiteError) {
      fresh = try Connection(path: ":memory:", mode: .readWriteCreate)
    } catch { throw .sqlite(error) }
    do throws(MigrationError) { _ = try Schema.migrator.migrate(fresh) } catch {
      throw .broken("the schema cannot be made: \(error)")
    }
    let due = try Self.schema(of: fresh)
    for object in own.keys.sorted() where due[object] == nil {
      report("\(object.kind) \(object.name): it is not Rowhouse's")
    }
    for (object, text) in due.sorted(by: { $0.key < $1.key }) {
      guard let present = own[object] else {
        report("\(object.kind) \(object.name): it is missing")
        continue
      }
      // SQLite writes the text of tables anew when they are altered, each version in its own way.
      if object.kind != "table", present != text {
        report("\(object.kind) \(object.name): it has been altered")
      }
    }
  }

  private struct SchemaObject: Hashable, Comparable {
    let kind: String
    let name: String

    static func < (one: Self, other: Self) -> Bool {
      (one.kind, one.name) < (other.kind, other.name)
    }
  }

  /// Each object with its text; names with sqlite_ are SQLite's own.
  private static func schema(
    of db: Connection
  ) throws(StorageError) -> [SchemaObject: String] {
    var objects: [SchemaObject: String] = [:]
    try db.sql(
      """
      SELECT type, name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      """
    ).each { objects[SchemaObject(kind: $0.string(0), name: $0.string(1))] = $0.string(2) }
    return objects
  }

  /// No list is below the lowest level that a server can allow.
  func checkDepth(_ report: (String) -> Void) throws(StorageError) {
    for (inventory, level) in try DeepestLevels(in: db).all
    where level > DepthLimit.levels.upperBound {
      report(
        "inventory \(inventory): its lists go down to level \(level), where "
          + "\(DepthLimit.levels.upperBound) is the lowest that is supported")
    }
  }
}
