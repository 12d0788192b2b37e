import Inventory
import Support
import Testing

@Suite struct `What became of a deleted row outside of a caller's list` {
  private let store: OpenStore
  private let list: ListID
  private let other: ListID
  private let caller: Caller

  init() throws {
    store = try OpenStore { $0.housekeepingInterval = .seconds(86_400) }
    list = try store.addList("Shelf")
    other = try store.addList("Other")
    caller = Caller(root: list, role: .editor, name: "test")
  }

  enum Fate: CaseIterable { case restored, deletedAgain, purged }

  @Test(arguments: Fate.allCases)
  func `is not revealed by an undo of the deletion`(fate: Fate) throws {
    let item = RowID(try store.addThing("Globe", to: .id(list)))
    let deletion = Command.deleteRow(item, kind: .any, isRecursive: false)
    let revision = try store.write(deletion, as: caller).receipt.revision
    if fate != .purged { try store.write(.restore(item, into: .id(other), nil)) }
    if fate == .deletedAgain { try store.write(deletion) }
    if fate == .purged { try store.write(.purge(item)) }
    #expect(
      store.result(.undo(revision), as: caller)
        == .failure(.undoConflict([UndoConflict(item, .gone)])))
  }
}
