import Inventory
import SQL

/// The integer primary key of a stored row. Keys of inventories and of rows have different types, so that one cannot
/// be used for the other. Callers of the API never see keys.
struct Key<Subject>: Hashable, Comparable, Sendable, CustomStringConvertible {
  let value: Int64
  init(_ value: Int64) { self.value = value }

  var description: String { String(value) }
  /// The highest key that a row can have.
  static var max: Self { Self(.max) }

  static func < (one: Self, other: Self) -> Bool { one.value < other.value }
}

typealias InventoryKey = Key<InventoryRecord>
/// The key of a list or an item in `row`. A list has the same key in `list`.
typealias RowKey = Key<Row>
typealias PhotoKey = Key<PhotoRecord>
typealias NavigatorKey = Key<NavigatorRecord>
typealias SyncClientKey = Key<SyncStore>
typealias ArrangementKey = Key<Arrangement>

extension Statement {
  @discardableResult
  func bind<Subject>(_ key: Key<Subject>?) -> Statement { bind(key?.value) }

  func key<Subject>(_ column: Int) -> Key<Subject> { Key(int64(column)) }

  func keyOrNil<Subject>(_ column: Int) -> Key<Subject>? { int64OrNil(column).map(Key.init) }
}
