import Inventory
import SQLite

/// What a reader has worked out of a command, for the writer.
enum Prepared: Sendable {
  case order(PreparedOrder)
  case undo(PreparedUndo)
}

/// A new order of a long list, worked out by a reader from one state before the writer is asked for it.
struct PreparedOrder: Sendable {
  let list: Int64
  /// The inventory's revision in that state.
  let revision: Revision
  /// The root of the list's tree in that state.
  let root: Int64
  /// The keys of the rows in the new order.
  let rows: [Int64]
  /// Where the row now at each place stood.
  let places: [Int]
  /// The indices of `rows` by ascending key.
  let indicesByKey: [Int]
  /// `places` as the log keeps them.
  let logged: [UInt8]
  /// What the receipt says; nil: a resync.
  private let moves: [Delta.Move]?
  /// Whether the order goes by what the rows hold, so that an edit of one makes it out of date.
  var dependsOnValues = false
  /// Where it has been written; nil: nowhere yet.
  var arrangement: Arrangement?

  var changesNothing: Bool { places.isIdentity }

  init(of list: ListRecord, at revision: Revision, rows: [Int64], by places: [Int]) {
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

  /// What the receipt says of the list in this order.
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
