import Inventory
import Navigation

/// An inventory as one caller sees it in one snapshot. Navigators are checked against it.
struct NavigatorScope {
  private let snapshot: any Snapshot

  init(_ snapshot: any Snapshot) { self.snapshot = snapshot }

  func root() throws(InventoryError) -> ListID { try snapshot.list(.root).id }

  /// The path from the root list to a list or an item.
  func path(to target: ScreenTarget) throws(InventoryError) -> [PathStep] {
    try require([ScreenReference(target)])
    guard let row = target.row else { return [] }
    return try snapshot.place(of: row).path
  }

  /// - Throws: `notFound` or `inTrash` for a list or item that the caller may not see.
  func require(_ references: [ScreenReference]) throws(InventoryError) {
    let subjects = try snapshot.screenSubjects(of: Set(references.compactMap(\.target.row)))
    for target in references.map(\.target) {
      guard let row = target.row, subjects[row]?.isList != target.isList else { continue }
      if target.isList {
        _ = try snapshot.list(.id(ListID(row)))
      } else {
        _ = try snapshot.item(ItemID(row))
      }
    }
  }

  /// The navigator without screens of deleted rows. If the first screen of a stack is removed, the screen of the
  /// nearest existing ancestor takes its place.
  ///
  /// - Parameter isRestoring: whether to remove momentary screens too (`ScreenReference.isMomentary`).
  func settled(
    _ details: NavigatorDetails, isRestoring: Bool = false
  ) throws(InventoryError) -> NavigatorEdit {
    var settled = details
    if isRestoring { settled.leaveOutMomentary() }
    var subjects = try snapshot.screenSubjects(of: settled.rows)
    try settled.settle { target in
      target.row.map { subjects[$0]?.isList == target.isList } ?? true
    } nearest: { (row) throws(InventoryError) in
      ScreenTarget(try snapshot.nearestAncestor(of: row))
    }
    if settled != details { subjects = try snapshot.screenSubjects(of: settled.rows) }
    // The depth matters only to screens that add a list.
    for screen in settled.tabs.flatMap(\.stack) where screen.added == .list {
      guard case .list(let list) = screen.target else { continue }
      subjects[RowID(list)]?.isTooDeepForLists = try snapshot.isTooDeep(nil, in: list)
    }
    return NavigatorEdit(details: settled, subjects: subjects)
  }
}
