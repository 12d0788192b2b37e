import FoundationEssentials
import Inventory
import SQL
@testable import Storage
import Support
import Testing

@Suite struct `Imports that come in steps` {
  /// Plain arrays, and the store on SQLite, both filled by the same history.
  private func filled(seed: UInt64, _ shape: TreeShape) throws -> (ArrayStore, StoreUnderTest) {
    let clock = SetClock()
    let tested = try StoreUnderTest(shape, clock)
    let session = try tested.store.makeSession()
    let root = try session.readNow(.bounded) { (snapshot) throws(InventoryError) in
      try snapshot.list(.root)
    }
    session.rest()
    let model = ArrayStore(root: root, clock: { clock.now })
    try RandomImports.fill(model, and: tested.store, seed: seed)
    return (model, tested)
  }

  /// All that an export has, and the bytes of its photos.
  private func everything(
    _ store: any Store
  ) throws -> (records: [TransferRecord], bytes: [PhotoID: [UInt8]]) {
    let session = try store.makeSession()
    defer { session.rest() }
    return try session.readNow(.everything) { (snapshot) throws(InventoryError) in
      var records: [TransferRecord] = []
      var bytes: [PhotoID: [UInt8]] = [:]
      try snapshot.transfer(of: .root) { (record) throws(InventoryError) in
        records.append(record)
        guard case .photo(let photo) = record else { return }
        try snapshot.bytes(of: photo.id) { bytes[photo.id, default: []] += $0 }
      }
      return (records, bytes)
    }
  }

  private func records(_ store: any Store) throws -> [TransferRecord] {
    try everything(store).records
  }

  /// Sends a tree in steps of random length, the photos' bytes before them; the last outcome.
  private func stage(
    _ records: [TransferRecord], _ bytes: [PhotoID: [UInt8]], _ target: ImportTarget,
    in store: any Store, seed: UInt64, id: ImportID = ImportID(.version7())
  ) throws -> Outcome {
    var random = SplitMix64(seed: seed)
    let context = WriteContext(caller: .local, requestID: "import")
    var rest = try records.enumerated().map { line, record in
      guard case .photo(var photo) = record else {
        return NumberedRecord(line: line + 2, record: record)
      }
      photo.upload = try store.upload(try #require(bytes[photo.id]), context)
      return NumberedRecord(line: line + 2, record: .photo(photo))
    }[...]
    while !rest.isEmpty {
      let step = Array(rest.prefix(Int.random(in: 1...7, using: &random)))
      rest = rest.dropFirst(step.count)
      _ = try store.write(.stage(id, target, step), context).get()
    }
    return try store.write(.finishImport(id), context).get()
  }

  @Test func `an id of an import that is running is refused only for now`() throws {
    let store = try OpenStore()
    let (top, inner) = (ListID(.version7()), ItemID(.version7()))
    let tree = [
      TransferRecord.list(
        TransferredList(
          id: top, holder: .nothing, details: ListDetails(title: "Top"),
          createdAt: Timestamp(seconds: 0), updatedAt: Timestamp(seconds: 0))),
      .item(
        TransferredItem(
          id: inner, list: top, details: ItemDetails(name: "Saw"),
          createdAt: Timestamp(seconds: 0), updatedAt: Timestamp(seconds: 0))),
    ].enumerated().map { NumberedRecord(line: $0 + 2, record: $1) }
    let id = ImportID(.version7())
    try store.write(.stage(id, .end(of: .root), tree))
    let creations: [Command] = [
      .createItem(NewItem(id: inner, details: ItemDetails(name: "Axe")), in: .root, .last),
      .createList(NewList(id: top, parent: .root, details: ListDetails(title: "Other"))),
    ]
    for creation in creations {
      guard case .failure(let error) = store.result(creation) else {
        Issue.record("It was made.")
        continue
      }
      #expect(error.isTransient)
    }
    try store.write(.abandonImport(id))
    for creation in creations { try store.write(creation) }
  }

  @Test(arguments: 0..<40)
  func `what was exported and replaces another inventory is exported the same again`(
    seed: UInt64
  ) throws {
    let shape = TreeShape(fanOut: seed % 2 == 0 ? 4 : 64)
    let (model, tested) = try filled(seed: seed, shape)
    defer { tested.close() }
    let (exported, bytes) = try everything(tested.store)
    #expect(try everything(model) == (exported, bytes), "seed \(seed)")

    let (other, otherTested) = try filled(seed: seed &+ 1_000, shape)
    defer { otherTested.close() }
    let before = try otherTested.revision()
    let expected = try stage(exported, bytes, .inventory, in: other, seed: seed)
    let outcome = try stage(exported, bytes, .inventory, in: otherTested.store, seed: seed)
    #expect(outcome == expected, "seed \(seed)")
    #expect(outcome.receipt.revision.number == before.number + Revision.replacementGap)
    #expect(try otherTested.revision() == outcome.receipt.revision)
    #expect(try everything(otherTested.store) == (exported, bytes), "seed \(seed)")
    #expect(try everything(other) == (exported, bytes), "seed \(seed)")
    try otherTested.settle()
    #expect(try otherTested.findings() == [], "seed \(seed)")
  }

  @Test(arguments: 0..<20)
  func `a new tree is appended to a list as a whole`(seed: UInt64) throws {
    let (model, tested) = try filled(seed: seed, TreeShape(fanOut: 4))
    defer { tested.close() }
    let open = Command.editList(.root) { (details) throws(InventoryError) in
      var details = details
      details.permissions = .all
      return details
    }
    let context = WriteContext(caller: .local, requestID: "open")
    #expect(try model.write(open, context).get() == tested.store.write(open, context).get())
    let (before, old) = try everything(tested.store)
    let tree = RandomImports.renamed(before, by: 100_000 + Int(seed))
    var bytes: [PhotoID: [UInt8]] = [:]
    for (copy, record) in zip(tree, before) {
      if case (.photo(let copy), .photo(let photo)) = (copy, record) {
        bytes[copy.id] = old[photo.id]
      }
    }
    let expected = try stage(tree, bytes, .end(of: .root), in: model, seed: seed)
    let outcome = try stage(tree, bytes, .end(of: .root), in: tested.store, seed: seed)
    #expect(outcome == expected, "seed \(seed)")
    let after = try everything(tested.store)
    #expect(try everything(model) == after, "seed \(seed)")
    #expect(after.bytes.count == 2 * old.count)
    #expect(try records(tested.store).count == before.count + tree.count)
    try tested.settle()
    #expect(try tested.findings() == [], "seed \(seed)")
  }

  @Test func `no reader sees staged rows`() throws {
    let store = try OpenStore()
    let tree = RandomImports.tree(lists: 3, items: 5)
    let id = ImportID(.version7())
    try store.write(.stage(id, .end(of: .root), tree))
    #expect(try store.titles() == [])
    for numbered in tree {
      #expect(throws: InventoryError.notFound(.row)) {
        try store.read { (snapshot) throws(InventoryError) in
          try snapshot.place(of: numbered.record.id)
        }
      }
    }
    let others = (1..<Limits.importsAtOnce).map { _ in ImportID(.version7()) }
    for other in others { try store.write(.stage(other, .inventory, tree)) }
    #expect(
      store.result(.stage(ImportID(.version7()), .inventory, tree)) == .failure(.importRunning))
    for other in others { try store.write(.abandonImport(other)) }
    try store.write(.abandonImport(id))
    #expect(try store.titles() == [])
    #expect(store.result(.finishImport(id)) == .failure(.importGone))
  }

  @Test func `a dry run changes nothing`() throws {
    let store = try OpenStore()
    try store.addThing("here")
    let tree = RandomImports.tree(lists: 2, items: 4)
    let before = try store.read { (s) throws(InventoryError) in try s.revision() }
    let outcome = try store.dryRun(.merge(tree, into: .root))
    #expect(outcome.counts == TransferCounts(created: tree.count))
    let id = ImportID(.version7())
    try store.write(.stage(id, .inventory, tree))
    #expect(try store.dryRun(.finishImport(id)).receipt.isChanged)
    try store.write(.abandonImport(id))
    #expect(try store.titles() == ["here"])
    #expect(try store.read { (s) throws(InventoryError) in try s.revision() } == before)
  }

  @Test(arguments: [ImportTarget.inventory, .end(of: .root)])
  func `photos that do not fit are named`(target: ImportTarget) throws {
    let store = try OpenStore()
    let globe = try store.addThing("Globe")
    let taken = try store.addPhoto(to: globe)
    let tree = RandomImports.tree(lists: 0, items: 1)
    let item = ItemID(try #require(tree.last).record.id)
    let id = ImportID(.version7())
    try store.write(.stage(id, target, tree))
    func refusal(
      _ photo: PhotoID = PhotoID(.version7()), of item: ItemID
    ) throws -> LineConflict.Reason? {
      let bytes = SampleImage.png()
      let upload = try store.store.upload(
        bytes, WriteContext(caller: .local, requestID: "test"))
      let record = TransferRecord.photo(
        TransferredPhoto(
          id: photo, item: item, image: ImageMetadata(type: .png), size: bytes.count,
          createdAt: Timestamp(seconds: 5), upload: upload))
      switch store.result(.stage(id, target, [NumberedRecord(line: 99, record: record)])) {
      case .success: return nil
      case .failure(.lineConflicts(let conflicts)):
        #expect(conflicts.map(\.line) == [99])
        return conflicts.first?.reason
      case .failure(let error): throw error
      }
    }
    #expect(try refusal(of: globe) == .noParent)
    #expect(try refusal(of: ItemID(tree[0].record.id)) == .noParent)
    #expect(try refusal(of: ItemID(.version7())) == .noParent)
    let first = PhotoID(.version7())
    #expect(try refusal(first, of: item) == nil)
    #expect(try refusal(first, of: item) == .idTaken)
    // Elsewhere in the inventory is nowhere in the one that takes its place.
    #expect(try refusal(taken, of: item) == (target == .inventory ? nil : .idTaken))
    while try refusal(of: item) == nil {}
    #expect(try refusal(of: item) == .tooManyPhotos)
    try store.write(.finishImport(id))
    #expect(
      try store.read { (snapshot) throws(InventoryError) in
        try snapshot.photos(of: item).count
      } == Limits.photosOfItem)
  }

  @Test func `photos of what was replaced or abandoned are cleared away with it`() throws {
    let store = try OpenStore { $0.housekeepingInterval = .zero }
    let context = WriteContext(caller: .local, requestID: "test")
    try store.addPhoto(to: try store.addThing("Globe"))
    func tree() throws -> [NumberedRecord] {
      var tree = RandomImports.tree(lists: 0, items: 1)
      let item = ItemID(try #require(tree.last).record.id)
      let bytes = SampleImage.jpeg(size: 150_000)
      tree.append(
        NumberedRecord(
          line: 9,
          record: .photo(
            TransferredPhoto(
              id: PhotoID(.version7()), item: item, image: ImageMetadata(type: .jpeg),
              size: bytes.count, createdAt: Timestamp(seconds: 5),
              upload: try store.store.upload(bytes, context)))))
      return tree
    }
    for target in [ImportTarget.inventory, .end(of: .root)] {
      let id = ImportID(.version7())
      try store.write(.stage(id, target, try tree()))
      try store.write(.abandonImport(id))
    }
    let id = ImportID(.version7())
    try store.write(.stage(id, .inventory, try tree()))
    // Uploads that are under way meanwhile: one is given up by whom it came from, one is not.
    let upload = try store.store.upload(SampleImage.png(), context)
    _ = try store.store.upload(SampleImage.gif(), context)
    try store.write(.finishImport(id))
    store.store.discard(upload, context)
    let db = try store.connection()
    func count(_ table: String) throws -> Int? {
      try db.prepare("SELECT count(*) FROM \(table)").first { $0.int(0) }
    }
    wait {
      (try? count("inventory")) == 1 && (try? count("purge")) == 0 && (try? count("photo")) == 1
        && (try? count("photo_piece")) == 3
    }
  }

  @Test func `an import is abandoned if another one replaces the inventory meanwhile`() throws {
    let store = try OpenStore { $0.housekeepingInterval = .zero }
    let ids = (0..<3).map { _ in ImportID(.version7()) }
    for (id, target) in zip(ids, [ImportTarget.inventory, .end(of: .root), .inventory]) {
      try store.write(.stage(id, target, RandomImports.tree(lists: 1, items: 3)))
    }
    try store.write(.finishImport(ids[2]))
    for id in ids.prefix(2) {
      #expect(store.result(.finishImport(id)) == .failure(.importGone))
      try store.write(.abandonImport(id))
    }
    let db = try store.connection()
    func count(_ table: String) throws -> Int? {
      try db.prepare("SELECT count(*) FROM \(table)").first { $0.int(0) }
    }
    #expect(try count("staging") == 0)
    wait { (try? count("inventory")) == 1 && (try? count("purge")) == 0 }
  }

  @Test(arguments: [LineConflict.Reason.noParent, .idTaken, .secondTop, .otherContents])
  func `a line that does not fit is named`(reason: LineConflict.Reason) throws {
    let store = try OpenStore()
    var tree = RandomImports.tree(lists: 2, items: 4)
    let item = try #require(tree.last)
    let list = RandomImports.list
    var last = item.record
    switch reason {
    case .noParent: last = RandomImports.item(in: ListID(.version7()))
    case .secondTop: last = list(.nothing)
    case .otherContents:
      tree.append(
        NumberedRecord(line: 98, record: list(.item(ItemID(item.record.id)))))
      last = list(.item(ItemID(item.record.id)))
    default: break
    }
    tree.append(NumberedRecord(line: 99, record: last))
    let expected = InventoryError.lineConflicts([
      LineConflict(line: 99, id: last.id, reason: reason)
    ])
    let id = ImportID(.version7())
    #expect(store.result(.stage(id, .inventory, tree)) == .failure(expected))
  }

  @Test func `replacing is for owners of the whole inventory`() throws {
    let store = try OpenStore()
    let list = try store.addList("below")
    let tree = RandomImports.tree(lists: 1, items: 1)
    let callers: [(Caller, InventoryError)] = [
      (Caller(role: .editor, name: "editor"), .roleForbids(needed: .owner)),
      (Caller(root: list, role: .owner, name: "scoped"), .needsWholeInventory),
    ]
    for (caller, refusal) in callers {
      let result = store.result(.stage(ImportID(.version7()), .inventory, tree), as: caller)
      #expect(result == .failure(refusal))
    }
  }
}

extension StoreUnderTest {
  fileprivate func revision() throws -> Revision {
    let session = try store.makeSession()
    defer { session.rest() }
    return try session.readNow(.bounded) { (snapshot) throws(InventoryError) in
      try snapshot.revision()
    }
  }
}

extension OpenStore {
  @discardableResult
  fileprivate func addPhoto(to item: ItemID) throws -> PhotoID {
    let context = WriteContext(caller: .local, requestID: "test")
    let bytes = SampleImage.png()
    let new = NewPhoto(
      id: PhotoID(.version7()), upload: try store.upload(bytes, context),
      image: ImageMetadata(type: .png), size: bytes.count)
    try write(.addPhoto(new, to: item))
    return new.id
  }

  fileprivate func dryRun(_ command: Command) throws -> Outcome {
    var context = WriteContext(caller: .local, requestID: "test")
    context.isDryRun = true
    return try store.write(command, context).get()
  }
}
