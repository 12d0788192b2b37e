import Inventory
import SQLite

/// The result of a reader's work for a command, passed to the writer.
enum Prepared: Sendable {
  case order(PreparedOrder)
  case undo(PreparedUndo)
}

/// A new order of a long list, computed by a reader from one state.
struct PreparedOrder: Sendable {
  let list: RowKey
  /// The inventory's revision in that state.
  let revision: Revision
  /// The root of the list's tree in that state.
  let root: Int64
  /// The keys of the rows in the new order.
  let rows: [RowKey]
  /// The former index of the row now at each place.
  let places: [Int]
  /// The indices of `rows` by ascending key.
  let indicesByKey: [Int]
  /// `places` in the format of the log.
  let logged: [UInt8]
  /// The moves in the receipt; nil for a resync.
  private let moves: [Delta.Move]?
  /// Whether the order depends on the rows' values, so that an edit of a row makes it out of date.
  var dependsOnValues = false
  /// The written arrangement; nil if it has not been written.
  var arrangement: Arrangement?

  var changesNothing: Bool { places.isIdentity }

  init(of list: ListRecord, at revision: Revision, rows: [RowKey], by places: [Int]) {
    self.list = list.key
    self.revision = revision
    root = list.tree.root
    let ordered = places.map { rows[$0] }
    self.rows = ordered
    indicesByKey = ordered.indices.sorted { ordered[$0] < ordered[$1] }
    self.places = places
    logged = OperationColumns(.permute(order: places)).places ?? []
    var composer = DeltaComposer(countBefore: rows.count)
    composer.apply(.permute(order: places))
    moves = composer.batch()?.moves
  }

  /// The content of the receipt's delta for the list in this order.
  func content(of list: ListRecord) -> Delta.Content {
    guard let moves else { return .resync }
    return .changes(
      Delta.Changes(
        permissions: list.details.permissions, countBefore: list.tree.count,
        countAfter: list.tree.count, moves: moves))
  }
}

extension [Int] {
  /// Whether each number is its own index.
  var isIdentity: Bool { !indices.contains { self[$0] != $0 } }
}
