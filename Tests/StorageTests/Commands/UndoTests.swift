import Foundation
import Inventory
import SQL
@testable import Storage
@testable import Support
import Testing

@Suite struct `Undo` {
  static let seeds: Range<UInt64> =
    0..<(ProcessInfo.processInfo.environment["ROWHOUSE_TEST_SEEDS"].flatMap(UInt64.init) ?? 50)

  /// Random histories; after every few steps the last change is undone, and that undone.
  @Test(arguments: seeds)
  func `of an undo is as if nothing had been`(seed: UInt64) throws {
    let store = try OpenStore(shape: TreeShape(fanOut: 4, gap: 4))
    let root = try store.read { (snapshot) throws(InventoryError) in
      try snapshot.list(.root)
    }
    let model = ArrayStore(root: root)
    let names = NodeNames(root: root.id)
    var random = RandomHistory(seed: seed)
    for _ in 0..<100 {
      let step = random.step(in: model.state)
      let context = WriteContext(caller: .local, requestID: "test")
      let command = step.command.staged(in: [model, store.store], names, context)
      _ = model.perform(command, context)
      guard case .success(let outcome) = store.result(command), outcome.receipt.isUndoable else {
        continue
      }
      let after = try Self.everything(in: store, model.state)
      _ = model.perform(.undo(outcome.receipt.revision), context)
      guard let undone = try Self.undo(outcome, in: store) else { continue }
      _ = model.perform(.undo(undone.receipt.revision), context)
      guard let redone = try Self.undo(undone, in: store) else { continue }
      #expect(redone.receipt.isChanged)
      #expect(try Self.everything(in: store, model.state) == after, "seed \(seed): \(step)")
    }
  }

  /// Random histories; after every few changes all of them are undone, the last one first.
  @Test(arguments: seeds, [1_000, 2])
  func `of one change after the other leads back through all states`(
    seed: UInt64, bound: Int
  ) throws {
    let store = try OpenStore(shape: TreeShape(fanOut: 4, gap: 4)) { $0.orderBound = bound }
    let root = try store.read { (snapshot) throws(InventoryError) in
      try snapshot.list(.root)
    }
    let model = ArrayStore(root: root)
    let names = NodeNames(root: root.id)
    let context = WriteContext(caller: .local, requestID: "test")
    var random = RandomHistory(seed: seed)
    var changes:
      [(outcome: Outcome, step: HistoryStep, before: [ListID: [Row]], trash: [TrashedRow])] = []
    var now = try Self.everything(in: store, model.state)
    var trash = try Self.trash(in: store)
    for number in 0..<150 {
      let step = random.step(in: model.state)
      let command = step.command.staged(in: [model, store.store], names, context)
      _ = model.perform(command, context)
      let result = store.result(command)
      if case .purge = command { changes = [] }
      if case .success(let outcome) = result, outcome.receipt.isChanged {
        changes =
          outcome.receipt.isUndoable
          ? changes + [(outcome: outcome, step: step, before: now, trash: trash)] : []
      }
      if number % 15 == 14 {
        while let (outcome, step, before, trash) = changes.popLast() {
          _ = model.perform(.undo(outcome.receipt.revision), context)
          guard try Self.undo(outcome, in: store) != nil else { break }
          #expect(try Self.everything(in: store, model.state) == before, "seed \(seed): \(step)")
          // Undoing a creation adds to the trash.
          let kept = try Self.trash(in: store)
          #expect(trash.allSatisfy(kept.contains), "seed \(seed): \(step)")
        }
        changes = []
      }
      now = try Self.everything(in: store, model.state)
      trash = try Self.trash(in: store)
    }
  }

  @Test func `of a stack of changes works after any number of them`() throws {
    let store = try OpenStore { $0.orderBound = 20 }
    let items = try ["a", "b", "c"].map { try store.addThing($0) }
    var changes: [(revision: Revision, before: [String])] = []
    for number in 0..<60 {
      let before = try store.titles()
      let command: Command =
        switch number % 3 {
        case 0: .moveRow(in: .root, from: 0, to: 2, expecting: nil)
        case 1: .reorder(.root, .sorted(SortOrder(key: .title, isDescending: number % 2 == 0)))
        default: .relocate(RowID(items[1]), into: .root, .first)
        }
      let receipt = try store.write(command).receipt
      if receipt.isChanged { changes.append((receipt.revision, before)) }
    }
    for (revision, before) in changes.reversed() {
      try store.write(.undo(revision))
      #expect(try store.titles() == before)
    }
  }

  @Test func `of a move works where the row came back, and is refused where it did not`() throws {
    let store = try OpenStore()
    for name in ["a", "b", "c"] { try store.addThing(name) }
    let moved = try store.write(.moveRow(in: .root, from: 0, to: 1, expecting: nil))
    try store.write(.moveRow(in: .root, from: 1, to: 2, expecting: nil))
    let refusal = store.result(.undo(moved.receipt.revision))
    guard case .failure(.undoConflict(let conflicts)) = refusal else {
      Issue.record("\(refusal)")
      return
    }
    #expect(conflicts.map(\.reason) == [.moved])
    try store.write(.moveRow(in: .root, from: 2, to: 1, expecting: nil))
    try store.write(.undo(moved.receipt.revision))
    #expect(try store.titles() == ["a", "b", "c"])
  }

  @Test func `of an addition works where an edit has been undone`() throws {
    let store = try OpenStore()
    let item = ItemID(.version7())
    let added = try store.write(
      .createItem(NewItem(id: item, details: ItemDetails(name: "a")), in: .root, .last))
    let edited = try store.write(
      .editItem(item) { (details) throws(InventoryError) in
        var details = details
        details.name = "b"
        return details
      })
    let refusal = store.result(.undo(added.receipt.revision))
    guard case .failure(.undoConflict(let conflicts)) = refusal else {
      Issue.record("\(refusal)")
      return
    }
    #expect(conflicts.map(\.reason) == [.edited])
    try store.write(.undo(edited.receipt.revision))
    try store.write(.undo(added.receipt.revision))
    #expect(try store.titles() == [])
  }

  /// A tree: the list "outer" has the list "inner", which has the item "x".
  private struct Tree {
    let outer: ListID
    let inner: ListID
    let item: ItemID

    init(in store: OpenStore) throws {
      outer = try store.addList("outer")
      inner = try store.addList("inner", to: .id(outer))
      item = try store.addThing("x", to: .id(inner))
    }
  }

  private static let changesInTrees: [(what: String, make: @Sendable (Tree) -> Command)] = [
    (
      "an item is added",
      {
        .appendItems(
          [NewItem(id: ItemID(.version7()), details: ItemDetails(name: "y"))], to: .id($0.inner))
      }
    ),
    (
      "a list is added",
      {
        .createList(
          NewList(id: ListID(.version7()), parent: .id($0.inner), details: ListDetails(title: "y")))
      }
    ),
    ("the item is moved away", { .relocate(RowID($0.item), into: .root, .last) }),
    ("the item gets contents", { .makeContents(of: $0.item, id: ListID(.version7())) }),
    (
      "the item gets notes",
      {
        .editItem($0.item) { (details) throws(InventoryError) in
          var details = details
          details.notes = "fragile"
          return details
        }
      }
    ),
    (
      "the inner list is renamed",
      {
        .editList(.id($0.inner)) { (details) throws(InventoryError) in
          var details = details
          details.title = "renamed"
          return details
        }
      }
    ),
  ]

  @Test(arguments: changesInTrees.indices, [1_000, 2])
  func `of a restore is refused where something below the row has changed`(
    _ index: Int, bound: Int
  ) throws {
    let store = try OpenStore { $0.orderBound = bound }
    let tree = try Tree(in: store)
    try store.write(Self.delete(RowID(tree.outer)))
    let restored = try store.write(.restore(RowID(tree.outer), into: nil, nil)).receipt.revision
    let changed = try store.write(Self.changesInTrees[index].make(tree))
    #expect(
      store.result(.undo(restored))
        == .failure(.undoConflict([UndoConflict(RowID(tree.outer), .edited)])))
    guard changed.receipt.isUndoable else { return }
    try store.write(.undo(changed.receipt.revision))
    try store.write(.undo(restored))
    #expect(try store.titles() == [])
  }

  @Test(arguments: ["zeroblob(16)", "x'FFFFFFFF'", "x'00'"])
  func `of a log that does not fit the list changes nothing`(places: String) throws {
    let store = try OpenStore()
    for name in ["a", "b", "c", "d"] { try store.addThing(name) }
    let ordered = try store.write(
      .reorder(.root, .sorted(SortOrder(key: .title, isDescending: true))))
    try store.connection().execute(
      "UPDATE operation SET places = \(places) WHERE places IS NOT NULL")
    let refusal = store.result(.undo(ordered.receipt.revision))
    guard case .failure(.storageDamaged) = refusal else {
      Issue.record("\(refusal)")
      return
    }
    #expect(try store.titles() == ["d", "c", "b", "a"])
  }

  /// Nil where a list does not permit what the inverse needs, or leads too far down.
  private static func undo(_ outcome: Outcome, in store: OpenStore) throws -> Outcome? {
    switch store.result(.undo(outcome.receipt.revision)) {
    case .failure(.listForbids), .failure(.tooDeep): nil
    case let other: try other.get()
    }
  }

  /// The trash, without the rows whose list is purged.
  private static func trash(in store: OpenStore) throws -> [TrashedRow] {
    try store.read { (snapshot) throws(InventoryError) in
      try snapshot.trash(PageWindow(limit: 1_000)).elements.filter { $0.listID != nil }
    }
  }

  /// Ways to restore rows, in two lists A and B of the root.
  static let restorations: [(what: String, commands: @Sendable (Shelves) -> [Command])] = [
    ("restored to another list", { [delete($0.item), .restore($0.item, into: $0.b, nil)] }),
    ("restored to another place", { [delete($0.item), .restore($0.item, into: nil, .last)] }),
    (
      "deleted again from there",
      {
        [
          delete($0.item), .restore($0.item, into: $0.b, nil), delete($0.item),
          .restore($0.item, into: $0.a, .first),
        ]
      }
    ),
    (
      "deleted in a batch",
      {
        [
          .batch($0.a, Batch(deletions: [.id($0.item), .id($0.list)], isRecursive: true)),
          .restore($0.item, into: $0.b, nil), .restore($0.list, into: $0.b, .first),
        ]
      }
    ),
    (
      "a list",
      {
        [
          delete($0.list), .restore($0.list, into: $0.b, nil), delete($0.list),
          .restore($0.list, into: nil, nil),
        ]
      }
    ),
    (
      "moved home",
      {
        [
          delete($0.item), .restore($0.item, into: $0.b, nil),
          .relocate($0.item, into: $0.a, .first),
        ]
      }
    ),
    (
      "moved before",
      {
        [
          .relocate($0.item, into: $0.b, .first), delete($0.item),
          .restore($0.item, into: $0.a, nil),
        ]
      }
    ),
    (
      "restored after its list was deleted",
      { [delete($0.item), delete($0.outer), .restore($0.item, into: $0.b, nil)] }
    ),
  ]

  private static func delete(_ row: RowID) -> Command {
    .deleteRow(row, kind: .any, isRecursive: true)
  }

  /// The list A with four rows, of which `item` and `list` are in the middle, and the empty list B.
  struct Shelves {
    let a: ListReference
    let b: ListReference
    let outer: RowID
    let item: RowID
    let list: RowID

    init(_ store: OpenStore) throws {
      let first = try store.addList("A")
      (a, outer) = (.id(first), RowID(first))
      b = .id(try store.addList("B"))
      try store.addThing("first", to: a)
      item = RowID(try store.addThing("item", to: a))
      let inner = try store.addList("list", to: a)
      list = RowID(inner)
      try store.addThing("inside", to: .id(inner))
      try store.addThing("last", to: a)
    }
  }

  @Test(arguments: restorations.indices)
  func `of a restore gives the trash back what it had`(_ index: Int) throws {
    struct State: Equatable {
      let titles: [[String]?]
      let trash: [TrashedRow]
    }
    let clock = SetClock()
    let store = try OpenStore {
      $0.now = { Date(timeIntervalSince1970: Double(clock.now.seconds)) }
    }
    let shelves = try Shelves(store)
    func state() throws -> State {
      State(
        titles: [shelves.a, shelves.b].map { try? store.titles(of: $0) },
        trash: try Self.trash(in: store))
    }
    func wait() { clock.set(Timestamp(seconds: clock.now.seconds + 60)) }
    var states = [try state()]
    var revisions: [Revision] = []
    for command in Self.restorations[index].commands(shelves) {
      wait()
      revisions.append(try store.write(command).receipt.revision)
      states.append(try state())
    }
    // Back, forward again by undoing the undos, and back.
    for _ in 0..<2 {
      var undos: [Revision] = []
      for (number, revision) in revisions.enumerated().reversed() {
        wait()
        undos.append(try store.write(.undo(revision)).receipt.revision)
        #expect(try state() == states[number], "\(Self.restorations[index].what) \(number)")
      }
      revisions = []
      for (number, revision) in undos.reversed().enumerated() {
        revisions.append(try store.write(.undo(revision)).receipt.revision)
        #expect(try state() == states[number + 1], "\(Self.restorations[index].what) \(number)")
      }
    }
    #expect(try store.store.findings() == [])
  }

  @Test(arguments: [true, false])
  func `of a restore keeps the time of the deletion, though the former list is purged`(
    isPurgedFirst: Bool
  ) throws {
    let clock = SetClock()
    let store = try OpenStore {
      $0.now = { Date(timeIntervalSince1970: Double(clock.now.seconds)) }
    }
    let shelves = try Shelves(store)
    func purgeList() throws {
      try store.write(Self.delete(shelves.outer))
      try store.write(.purge(shelves.outer))
    }
    try store.write(Self.delete(shelves.item))
    let deleted = try #require(try Self.trash(in: store).first)
    if isPurgedFirst { try purgeList() }
    clock.set(Timestamp(seconds: clock.now.seconds + 60))
    var revision = try store.write(.restore(shelves.item, into: shelves.b, nil)).receipt.revision
    if !isPurgedFirst { try purgeList() }
    for _ in 0..<2 {
      revision = try store.write(.undo(revision)).receipt.revision
      let trash = try store.read { (snapshot) throws(InventoryError) in
        try snapshot.trash(PageWindow(limit: 10)).elements
      }
      let trashed = try #require(trash.first)
      #expect(trashed.listID == nil)
      #expect(trashed.deletedAt == deleted.deletedAt)
      #expect(trashed.revision == deleted.revision)
      revision = try store.write(.undo(revision)).receipt.revision
      #expect(try store.titles(of: shelves.b) == ["item"])
    }
  }

  @Test func `of a restore into another list has no delta of the list that is in the trash`() throws
  {
    let store = try OpenStore()
    let shelves = try Shelves(store)
    try store.write(Self.delete(shelves.list))
    let restored = try store.write(.restore(shelves.list, into: shelves.b, nil)).receipt
    #expect(restored.deltas.contains { $0.listID == ListID(shelves.list) })
    let undone = try store.write(.undo(restored.revision)).receipt
    let root = try store.read { (snapshot) throws(InventoryError) in try snapshot.list(.root).id }
    #expect(Set(undone.deltas.map { ListReference.id($0.listID) }) == [shelves.b, .id(root)])
  }

  @Test func `of a restore that an older program logged works too`() throws {
    let store = try OpenStore()
    let shelves = try Shelves(store)
    try store.write(.deleteRow(shelves.item, kind: .any, isRecursive: false))
    let restored = try store.write(.restore(shelves.item, into: shelves.b, nil))
    try store.connection().execute("UPDATE operation SET places = NULL")
    let undone = try store.write(.undo(restored.receipt.revision))
    #expect(try Self.trash(in: store).map(\.revision) == [undone.receipt.revision])
  }

  @Test func `of a deletion works in a list that takes another kind of items by now`() throws {
    let store = try OpenStore()
    let item = RowID(try store.addThing("thing"))
    try store.write(
      .editList(.root) { (details) throws(InventoryError) in
        var details = details
        details.itemKind = .car
        return details
      })
    let deleted = try store.write(.deleteRow(item, kind: .any, isRecursive: false))
    try store.write(.undo(deleted.receipt.revision))
    try store.write(.deleteRow(item, kind: .any, isRecursive: false))
    try store.write(.restore(item, into: nil, nil))
    #expect(try store.titles() == ["thing"])
  }

  private static func everything(
    in store: OpenStore, _ state: ArrayState
  ) throws -> [ListID: [Row]] {
    var all: [ListID: [Row]] = [:]
    for list in state.lists.keys where state.isLive(RowID(list)) {
      all[list] = try store.read { (snapshot) throws(InventoryError) in
        var rows: [Row] = []
        try snapshot.rows(
          of: .id(list), PageWindow(limit: 1_000), begin: { _, _ in true },
          visit: {
            rows.append($0)
            return true
          })
        return rows
      }
    }
    return all
  }

  @Test func `is refused where a cycle would come of it`() throws {
    let store = try OpenStore()
    let (outer, inner) = (try store.addList("outer"), try store.addList("inner"))
    try store.write(.relocate(RowID(inner), into: .id(outer), .last))
    let moved = try store.write(.relocate(RowID(inner), into: .root, .last))
    try store.write(.relocate(RowID(outer), into: .id(inner), .last))
    #expect(store.result(.undo(moved.receipt.revision)) == .failure(.cycle))
  }
}
