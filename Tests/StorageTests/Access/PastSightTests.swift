import Inventory
@testable import Storage
import Testing

@Suite struct `What was done out of a list token's sight` {
  private let store: OpenStore
  private let shared: ListID
  private let secret: ListID
  private let kim: Caller

  init() throws {
    store = try OpenStore()
    shared = try store.addList("Shared")
    secret = try store.addList("Private")
    kim = Caller(root: shared, role: .editor, name: "Kim", grant: .unconditional)
  }

  /// Makes an item, and clears its notes.
  ///
  /// - Returns: the item, and the revision that cleared the notes.
  private func clearedSafe(in list: ListID) throws -> (ItemID, Revision) {
    let safe = try store.addThing("Safe", to: .id(list))
    try setNotes(of: safe, "PIN 1234")
    return (safe, try setNotes(of: safe, nil))
  }

  @discardableResult
  private func setNotes(of item: ItemID, _ notes: String?) throws -> Revision {
    try store.write(
      .editItem(item) {
        var details = $0
        details.notes = notes
        return details
      }
    ).receipt.revision
  }

  private func change(_ revision: Revision) throws -> LoggedChange? {
    try store.read(.long, as: kim) { (snapshot) throws(InventoryError) in
      let page = try snapshot.changes(since: nil, before: nil, offset: 0, limit: 100)
      return page.changes.first { $0.revision == revision }
    }
  }

  private func expectHidden(_ revision: Revision) throws {
    #expect(throws: InventoryError.notFound(.change)) {
      try store.write(.undo(revision), as: kim)
    }
    #expect(try change(revision) == nil)
  }

  @Test func `can't be undone once an item is moved into sight`() throws {
    let (safe, cleared) = try clearedSafe(in: secret)
    try store.write(.relocate(RowID(safe), into: .id(shared), .last))
    try expectHidden(cleared)
    // Nor once it has been moved within sight.
    let drawer = try store.addList("Drawer", to: .id(shared))
    try store.write(.relocate(RowID(safe), into: .id(drawer), .last), as: kim)
    try expectHidden(cleared)
  }

  @Test func `can't be undone once a list around it is moved into sight`() throws {
    let inner = try store.addList("Inner", to: .id(secret))
    let (safe, cleared) = try clearedSafe(in: inner)
    try store.write(.relocate(RowID(inner), into: .id(shared), .last))
    try expectHidden(cleared)
    // Nor once the item has left that list.
    try store.write(.relocate(RowID(safe), into: .id(shared), .first), as: kim)
    try expectHidden(cleared)
  }

  /// The trash as a caller sees it, and whether they can restore and purge a row.
  private func expect(_ row: ItemID, isInTrash: Bool, for caller: Caller) throws {
    let trash = try store.read(.long, as: caller) { (snapshot) throws(InventoryError) in
      try snapshot.trash(PageWindow()).elements.map(\.id)
    }
    #expect(trash == (isInTrash ? [RowID(row)] : []))
    let refusal: InventoryError =
      isInTrash ? .inTrash(top: RowID(row)) : .notFound(.item)
    #expect(throws: refusal) {
      try store.read(.bounded, as: caller) { (snapshot) throws(InventoryError) in
        _ = try snapshot.item(row)
      }
    }
    guard !isInTrash else { return }
    for command: Command in [.restore(RowID(row), into: nil, nil), .purge(RowID(row))] {
      #expect(throws: InventoryError.notFound(.row)) { try store.write(command, as: caller) }
    }
  }

  @Test func `can't be taken from the trash once its list is moved into sight`() throws {
    let inner = try store.addList("Inner", to: .id(secret))
    let safe = try store.addThing("Safe", to: .id(inner))
    try store.write(.deleteRow(RowID(safe), kind: .any, isRecursive: true))
    try store.write(.relocate(RowID(inner), into: .id(shared), .last))
    try expect(safe, isInTrash: false, for: kim)
    try expect(safe, isInTrash: true, for: .local)
    // Nor once the list has been deleted and restored within sight.
    try store.write(.deleteRow(RowID(inner), kind: .any, isRecursive: true), as: kim)
    try store.write(.restore(RowID(inner), into: nil, nil), as: kim)
    try expect(safe, isInTrash: false, for: kim)
    // Nor if the list is purged, which hands its trash on.
    try store.write(.deleteRow(RowID(inner), kind: .any, isRecursive: true), as: kim)
    try store.write(.purge(RowID(inner)), as: kim)
    try expect(safe, isInTrash: false, for: kim)
    try expect(safe, isInTrash: true, for: .local)
  }

  @Test func `can't be taken from the trash once its list is restored into sight`() throws {
    let inner = try store.addList("Inner", to: .id(secret))
    let safe = try store.addThing("Safe", to: .id(inner))
    try store.write(.deleteRow(RowID(safe), kind: .any, isRecursive: true))
    try store.write(.deleteRow(RowID(inner), kind: .any, isRecursive: true))
    try store.write(.restore(RowID(inner), into: .id(shared), .last))
    try expect(safe, isInTrash: false, for: kim)
    try expect(safe, isInTrash: true, for: .local)
  }

  @Test func `stays in the trash of who saw it deleted, wherever its list is moved in sight`()
    throws
  {
    let drawer = try store.addList("Drawer", to: .id(shared))
    let box = try store.addList("Box", to: .id(drawer))
    let safe = try store.addThing("Safe", to: .id(box))
    try store.write(.deleteRow(RowID(safe), kind: .any, isRecursive: true), as: kim)
    try store.write(.relocate(RowID(box), into: .id(shared), .first), as: kim)
    try expect(safe, isInTrash: true, for: kim)
    try store.write(.restore(RowID(safe), into: nil, nil), as: kim)
  }

  @Test func `does not matter for what was in sight, however much it is`() throws {
    let box = try store.addList("Box", to: .id(shared))
    let safe = try store.addThing("Safe", to: .id(box))
    let edit = try setNotes(of: safe, "PIN 1234")
    let lamp = try store.addThing("Lamp", to: .id(box))
    try store.write(.deleteRow(RowID(lamp), kind: .any, isRecursive: true), as: kim)
    try store.write(.deleteRow(RowID(box), kind: .any, isRecursive: true), as: kim)
    try store.write(.restore(RowID(box), into: nil, nil), as: kim)
    let other = try store.addList("Other", to: .id(secret))
    let ball = try store.addThing("Ball", to: .id(secret))
    for number in 0...Activity.maximumSteps / 2 {
      let target = number.isMultiple(of: 2) ? other : secret
      try store.write(.relocate(RowID(ball), into: .id(target), .last))
    }
    try expect(lamp, isInTrash: true, for: kim)
    try store.write(.undo(edit), as: kim)
    try store.write(.restore(RowID(lamp), into: nil, nil), as: kim)
  }

  @Test func `does not keep what was done within sight from being undone`() throws {
    let drawer = try store.addList("Drawer", to: .id(shared))
    let (safe, cleared) = try clearedSafe(in: drawer)
    try store.write(.relocate(RowID(safe), into: .id(shared), .last), as: kim)
    try store.write(.relocate(RowID(drawer), into: .id(shared), .first), as: kim)
    #expect(try change(cleared)?.isUndoable == true)
    try store.write(.undo(cleared), as: kim)
  }

  private func delta(
    of list: ListID, since: Revision, for caller: Caller? = nil
  ) throws -> Delta.Content {
    try store.read(as: caller ?? kim) { (snapshot) throws(InventoryError) in
      try snapshot.delta(of: .id(list), since: since).content
    }
  }

  private func activity(since: Revision, for caller: Caller? = nil) throws -> Activity.Changes {
    let activity = try store.read(as: caller ?? kim) { (snapshot) throws(InventoryError) in
      try snapshot.activity(since: since, limit: 1_000)
    }
    guard case .changes(let changes) = activity.content else { throw NoChanges() }
    return changes
  }

  private struct NoChanges: Error {}

  private var now: Revision {
    get throws {
      try store.read { (snapshot) throws(InventoryError) in
        try snapshot.revision()
      }
    }
  }

  /// Expects a list to be new to Kim since any of these revisions.
  private func expectNew(_ list: ListID, since revisions: Range<Int64>) throws {
    for revision in revisions.lowerBound..<revisions.upperBound {
      let since = Revision(revision)
      #expect(try delta(of: list, since: since) == .absent, "since \(since)")
      let changes = try activity(since: since)
      #expect(
        changes.lists.first { $0.id == list }
          == Activity.TouchedList(id: list, revisionBefore: nil, isNew: true), "since \(since)")
    }
  }

  private func expectKnown(_ list: ListID, since: Revision) throws {
    guard case .changes = try delta(of: list, since: since) else {
      Issue.record("There is no delta since \(since).")
      return
    }
    let told = try activity(since: since).lists.first { $0.id == list }
    #expect(told?.isNew != true)
  }

  @discardableResult
  private func move(_ list: ListID, into target: ListID) throws -> Revision {
    try store.write(.relocate(RowID(list), into: .id(target), .last)).receipt.revision
  }

  @Test func `is in no delta and no event once the list is moved into sight`() throws {
    let inner = try store.addList("Inner", to: .id(secret))
    let (safe, _) = try clearedSafe(in: inner)
    let gone = try store.addThing("Gone", to: .id(inner))
    try store.write(.deleteRow(RowID(gone), kind: .any, isRecursive: false))
    let arrival = try move(secret, into: shared)
    try store.addThing("Afterwards", to: .id(inner))
    // Kim's list and the private one are older.
    try expectNew(secret, since: 2..<arrival.number)
    try expectNew(inner, since: 2..<arrival.number)
    for revision in 2..<arrival.number {
      let items = try activity(since: Revision(revision)).items.map(\.id)
      #expect(!items.contains(safe) && !items.contains(gone), "since \(revision)")
      #expect(items.count == 1)
      #expect(try activity(since: Revision(revision), for: .local).lists.allSatisfy { !$0.isNew })
    }
    try expectKnown(secret, since: arrival)
    try expectKnown(inner, since: arrival)
    try expectKnown(shared, since: Revision(2))
    guard case .changes = try delta(of: secret, since: Revision(2), for: .local) else {
      Issue.record("Who sees all gets no delta.")
      return
    }
  }

  @Test func `is in no refusal of a write on what the list was`() throws {
    try store.addThing("Safe", to: .id(secret))
    let known = try now
    try store.addThing("Gone", to: .id(secret))
    try move(secret, into: shared)
    let result = store.result(
      .appendItems(
        [NewItem(id: ItemID(.version7()), details: ItemDetails(name: "x"))],
        to: .id(secret)),
      as: kim, ifMatch: .revisions([known]))
    guard case .failure(.preconditionFailed(.list(_, let delta))) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(delta.content == .absent)
  }

  @Test func `is in no delta of a list that was away meanwhile`() throws {
    let drawer = try store.addList("Drawer", to: .id(shared))
    let box = try store.addList("Box", to: .id(drawer))
    let known = try now
    try move(drawer, into: secret)
    let (safe, _) = try clearedSafe(in: box)
    let back = try move(drawer, into: shared)
    try expectNew(drawer, since: known.number..<back.number)
    try expectNew(box, since: known.number..<known.number + 1)
    for revision in known.number..<back.number {
      let since = Revision(revision)
      #expect(try delta(of: box, since: since) == .absent, "since \(since)")
      let changes = try activity(since: since)
      #expect(changes.items.allSatisfy { $0.id != safe }, "since \(since)")
      // Only from there on do clients know that it has gone.
      #expect(changes.hidesLists == (since == known), "since \(since)")
      #expect(changes.bringsLists)
    }
  }

  @Test func `is in no delta of a list that was restored into sight`() throws {
    let inner = try store.addList("Inner", to: .id(secret))
    try store.addThing("Safe", to: .id(inner))
    try store.write(.deleteRow(RowID(inner), kind: .any, isRecursive: true))
    let known = try now
    let back = try store.write(.restore(RowID(inner), into: .id(shared), .last)).receipt.revision
    try expectNew(inner, since: 3..<back.number)
    #expect(known < back)
  }

  @Test func `does not hide what was done within sight`() throws {
    let drawer = try store.addList("Drawer", to: .id(shared))
    let box = try store.addList("Box", to: .id(shared))
    let thing = try store.addThing("Thing", to: .id(box))
    let known = try now
    try setNotes(of: thing, "Lent")
    try move(box, into: drawer)
    try store.write(.deleteRow(RowID(box), kind: .any, isRecursive: true))
    let deleted = try now
    try store.write(.restore(RowID(box), into: nil, nil))
    for since in [known, deleted] { try expectKnown(box, since: since) }
    #expect(try activity(since: known).items.map(\.id) == [thing])
  }

  @Test func `does not hide a list that is moved into another one that came into sight before`()
    throws
  {
    let inner = try store.addList("Inner", to: .id(shared))
    let (_, cleared) = try clearedSafe(in: inner)
    let known = try now
    try move(secret, into: shared)
    for target in [secret, shared] {
      try move(inner, into: target)
      try expectKnown(inner, since: known)
      #expect(try change(cleared)?.isUndoable == true)
    }
    // Nor if it is restored from the trash into such a list.
    try store.write(.deleteRow(RowID(inner), kind: .any, isRecursive: true), as: kim)
    let deleted = try now
    try store.write(.restore(RowID(inner), into: .id(secret), .last), as: kim)
    for since in [known, deleted] { try expectKnown(inner, since: since) }
    try store.write(.undo(cleared), as: kim)
  }

  @Test func `stays hidden of a list that was moved into another one before that came into sight`()
    throws
  {
    let inner = try store.addList("Inner", to: .id(shared))
    let known = try now
    try move(inner, into: secret)
    let (_, cleared) = try clearedSafe(in: inner)
    let back = try move(secret, into: shared)
    for target in [secret, shared] {
      try move(inner, into: target)
      try expectHidden(cleared)
      for revision in known.number..<back.number {
        let since = Revision(revision)
        #expect(try delta(of: inner, since: since) == .absent, "since \(since)")
      }
    }
  }

  @Test func `stays hidden of a list that was away together with another one`() throws {
    let box = try store.addList("Box", to: .id(shared))
    let inner = try store.addList("Inner", to: .id(shared))
    let known = try now
    try move(inner, into: box)
    try move(box, into: secret)
    let (_, cleared) = try clearedSafe(in: inner)
    let back = try move(box, into: shared)
    for target in [box, shared] {
      try move(inner, into: target)
      try expectHidden(cleared)
      for revision in known.number..<back.number {
        let since = Revision(revision)
        #expect(try delta(of: inner, since: since) == .absent, "since \(since)")
      }
    }
  }

  @Test func `counts as unseen where more has been done since than is looked at`() throws {
    let drawer = try store.addList("Drawer", to: .id(shared))
    let box = try store.addList("Box", to: .id(shared))
    let known = try now
    try move(box, into: drawer)
    try expectKnown(box, since: known)
    for number in 1...Activity.maximumSteps / 2 {
      try move(box, into: number.isMultiple(of: 2) ? drawer : shared)
    }
    #expect(try delta(of: box, since: known) == .absent)
    guard case .changes = try delta(of: box, since: known, for: .local) else {
      Issue.record("Who sees all gets no delta.")
      return
    }
  }

  /// Otherwise a list's token could move lists to and fro, and make each undo of many rows hold up the writer.
  @Test func `is looked up in the log once for all rows of a list`() throws {
    let drawer = try store.addList("Drawer", to: .id(shared))
    let box = try store.addList("Box", to: .id(drawer))
    for _ in 0..<20 { try store.addThing("Pen", to: .id(box)) }
    let known = try now
    for number in 1...30 {
      try move(box, into: number.isMultiple(of: 2) ? drawer : shared)
    }
    let db = try store.connection()
    let pens: [RowKey] = try db.statement("SELECT key FROM row WHERE title = 'Pen'")
      .all { $0.key(0) }
    #expect(pens.count == 20)
    // Each move is two steps of the log.
    var past = PastSight(try Access(kim, in: db), bound: 100)
    for pen in pens { #expect(try past.saw(pen, at: known)) }
  }

  @Test func `is found out by a reader where a lot has happened since`() throws {
    let store = try OpenStore { $0.orderBound = 20 }
    let shared = try store.addList("Shared")
    let kim = Caller(root: shared, role: .editor, name: "Kim", grant: .unconditional)
    let drawer = try store.addList("Drawer", to: .id(shared))
    let safe = try store.addThing("Safe", to: .id(drawer))
    let renamed = try store.write(
      .editItem(safe) {
        var details = $0
        details.name = "Box"
        return details
      }
    ).receipt.revision
    for number in 0...20 {
      let target = number.isMultiple(of: 2) ? shared : drawer
      try store.write(.relocate(RowID(safe), into: .id(target), .last))
    }
    let db = try store.connection()
    try db.begin(.deferred)
    let change = try Change(
      WriteContext(caller: kim, requestID: "test"), in: db, shape: TreeShape(),
      now: Timestamp(seconds: 5))
    #expect(throws: StorageError.self) {
      try CommandRunner(change, orderBound: 20).run(.undo(renamed))
    }
    db.rollback()
    try store.write(.undo(renamed), as: kim)
    #expect(try store.titles(of: .id(shared)) == ["Drawer", "Safe"])
  }
}
