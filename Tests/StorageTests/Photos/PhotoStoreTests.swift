import FoundationEssentials
import Inventory
import SQL
@testable import Storage
import Support
import Synchronization
import Testing

@Suite struct `How photos are kept` {
  private let context = WriteContext(caller: .local, requestID: "test")

  private func piece(_ upload: UploadID, _ item: ItemID, _ number: Int, _ count: Int) -> PhotoPiece
  {
    PhotoPiece(
      upload: upload, item: item, number: number,
      bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count))
  }

  private func stage(_ size: Int, for item: ItemID, in store: OpenStore) throws -> UploadID {
    let upload = UploadID(.version7())
    for start in stride(from: 0, to: size, by: PhotoPiece.size) {
      try store.stage(
        piece(upload, item, start / PhotoPiece.size, min(PhotoPiece.size, size - start)))
    }
    return upload
  }

  @discardableResult
  private func add(_ size: Int, to item: ItemID, in store: OpenStore) throws -> PhotoID {
    let upload = try stage(size, for: item, in: store)
    let id = PhotoID(.version7())
    try store.write(
      .addPhoto(
        NewPhoto(id: id, upload: upload, image: ImageMetadata(type: .png), size: size), to: item))
    return id
  }

  private func counts(_ store: OpenStore) throws -> (photos: Int, pieces: Int) {
    let db = try store.connection()
    return try db.prepare("SELECT (SELECT count(*) FROM photo), (SELECT count(*) FROM photo_piece)")
      .first { ($0.int(0), $0.int(1)) } ?? (-1, -1)
  }

  private func waitForCounts(_ photos: Int, _ pieces: Int, _ store: OpenStore) {
    wait {
      guard let counts = try? counts(store) else { return false }
      return counts == (photos, pieces)
    }
  }

  @Test func `only abandoned uploads are removed`() throws {
    let store = try OpenStore()
    let item = try store.addThing("Globe")
    try add(3 * PhotoPiece.size, to: item, in: store)
    let upload = try stage(50 * PhotoPiece.size, for: item, in: store)
    #expect(try counts(store) == (2, 53))
    store.store.discard(upload, context)
    waitForCounts(1, 3, store)
  }

  @Test func `uploads that a crash has cut off are gone after the next start`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("db.sqlite")
    var item = ItemID(.version7())
    var photo = PhotoID(.version7())
    do {
      let store = try OpenStore { $0.path = path }
      item = try store.addThing("Globe")
      photo = try add(2 * PhotoPiece.size + 1, to: item, in: store)
      _ = try stage(40 * PhotoPiece.size, for: item, in: store)
    }
    let store = try OpenStore { $0.path = path }
    waitForCounts(1, 3, store)
    let photos = try store.read { [item] (snapshot) throws(InventoryError) in
      try snapshot.photos(of: item)
    }
    #expect(photos.map(\.id) == [photo])
  }

  @Test func `a deleted photo keeps its bytes while the log reaches back to it`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("db.sqlite")
    do {
      let store = try OpenStore { $0.path = path }
      let item = try store.addThing("Globe")
      let photo = try add(PhotoPiece.size, to: item, in: store)
      try add(1, to: item, in: store)
      try store.write(.deletePhoto(photo, of: item))
      #expect(try counts(store) == (2, 2))
    }
    do {
      let store = try OpenStore { $0.path = path }
      _ = try store.addThing("Lamp")
      #expect(try counts(store) == (2, 2))
    }
    let db = try Connection(path: path, mode: .readWrite)
    // As if the log had been cut behind the deletion.
    try db.execute(
      """
      UPDATE inventory SET history_start = 4;
      DELETE FROM change WHERE revision <= 4;
      DELETE FROM operation WHERE revision <= 4;
      DELETE FROM edit WHERE revision <= 4;
      """)
    let store = try OpenStore { $0.path = path }
    waitForCounts(1, 1, store)
  }

  @Test func `a photo that is being cleared away comes back with all its bytes`() throws {
    let store = try OpenStore { $0.housekeepingInterval = .seconds(3_600) }
    let item = try store.addThing("Globe")
    let bytes = (0..<40 * PhotoPiece.size).map { UInt8(truncatingIfNeeded: $0 >> 10) }
    let photo = PhotoID(.version7())
    func merge() throws {
      let transferred = TransferredPhoto(
        id: photo, item: item, image: ImageMetadata(type: .png), size: bytes.count,
        createdAt: Timestamp(seconds: 5), upload: try store.store.upload(bytes, context))
      let root = try store.read { (snapshot) throws(InventoryError) in
        try snapshot.list(.root)
      }
      let top = TransferredList(
        id: root.id, holder: .nothing, details: root.details, createdAt: root.createdAt,
        updatedAt: root.updatedAt)
      try store.write(
        .merge(
          [
            NumberedRecord(line: 2, record: .list(top)),
            NumberedRecord(line: 3, record: .photo(transferred)),
          ], into: .root))
    }
    try merge()
    try store.write(.deletePhoto(photo, of: item))
    try store.addThing("Lamp")
    let db = try store.connection()
    // A step of what the writer does by and by, once the log reaches back to the deletion no more.
    try db.execute("BEGIN IMMEDIATE; UPDATE inventory SET history_start = revision")
    #expect(try PhotoSweep.step(in: db))
    try db.commit()
    // Halfway through, nothing that is looked at in a backup is broken.
    let check = InvariantCheck(db: db, shape: TreeShape(), progress: { _, _ in })
    #expect(try check.findings().filter { $0.contains("photo") } == [])
    try merge()
    let found = try store.read { (snapshot) throws(InventoryError) in
      try snapshot.photos(of: item)
    }
    #expect(found.map(\.id) == [photo])
    for photo in found { #expect(store.store.bytes(of: photo) == .success(bytes)) }
  }

  @Test func `another photo with the id and the size is refused`() throws {
    let store = try OpenStore()
    let item = try store.addThing("Globe")
    let size = PhotoPiece.size + 1
    let photo = try add(size, to: item, in: store)
    let image = ImageMetadata(type: .png)
    let same = try stage(size, for: item, in: store)
    let again = NewPhoto(id: photo, upload: same, image: image, size: size)
    #expect(try store.write(.addPhoto(again, to: item)).receipt.isChanged == false)
    let other = UploadID(.version7())
    try store.stage(piece(other, item, 0, PhotoPiece.size))
    try store.stage(PhotoPiece(upload: other, item: item, number: 1, bytes: [9]))
    let different = NewPhoto(id: photo, upload: other, image: image, size: size)
    #expect(store.result(.addPhoto(different, to: item)) == .failure(.photoIDTaken(photo)))
  }

  @Test func `a removed photo comes back by an import only for a caller who saw it`() throws {
    let store = try OpenStore()
    let (shared, hidden) = (try store.addList("Shared"), try store.addList("Hidden"))
    let kim = Caller(root: shared, role: .editor, name: "Kim")
    let item = try store.addThing("Globe", to: .id(shared))
    func merge(_ photo: PhotoID, size: Int, as caller: Caller) throws -> Result<
      Outcome, InventoryError
    > {
      let upload = try store.store.upload([UInt8](repeating: 0, count: size), context)
      let arriving = TransferredPhoto(
        id: photo, item: item, image: ImageMetadata(type: .png), size: size,
        createdAt: Timestamp(seconds: 0), upload: upload)
      return store.result(
        .merge([NumberedRecord(line: 1, record: .photo(arriving))], into: .root), as: caller)
    }
    let seen = try add(7, to: item, in: store)
    try store.write(.deletePhoto(seen, of: item))
    #expect(throws: InventoryError.self) { try merge(seen, size: 8, as: .local).get() }
    #expect(try merge(seen, size: 7, as: kim).get().counts?.updated == 1)

    let unseen = try add(7, to: item, in: store)
    try store.write(.relocate(RowID(item), into: .id(hidden), .last))
    try store.write(.deletePhoto(unseen, of: item))
    try store.write(.relocate(RowID(item), into: .id(shared), .last))
    #expect(throws: InventoryError.self) { try merge(unseen, size: 7, as: kim).get() }
    #expect(try merge(unseen, size: 7, as: .local).get().counts?.updated == 1)
  }

  @Test func `photos go when their item's row does`() throws {
    let store = try OpenStore()
    let item = try store.addThing("Globe")
    try add(10, to: item, in: store)
    let db = try store.connection()
    try db.execute("DELETE FROM row WHERE kind = 1")
    let state = try db.prepare("SELECT state FROM photo").first { $0.int(0) }
    #expect(state == nil || state == 3)
  }

  @Test func `a change is let through between the pieces of many uploads`() throws {
    let store = try OpenStore()
    let item = try store.addThing("Globe")
    let count = 300
    let kept = Atomic<Int>(0)
    let uploads = (0..<count).map { _ in UploadID(.version7()) }
    for upload in uploads {
      store.store.stage(piece(upload, item, 0, PhotoPiece.size), context) { _ in
        kept.add(1, ordering: .relaxed)
      }
    }
    let after = Mutex<Int?>(nil)
    store.store.submit(.deletePhoto(PhotoID(.version7()), of: item), context) { _ in
      let now = kept.load(ordering: .relaxed)
      after.withLock { $0 = now }
    }
    // Not before the change is with the writer: this thread may have had to wait for its turn until then.
    let before = kept.load(ordering: .relaxed)
    wait { after.withLock { $0 } != nil && kept.load(ordering: .relaxed) == count }
    // Those that were with the writer, and those that came to it while the change was on its way.
    let passed = try #require(after.withLock { $0 }) - before
    #expect(passed <= 6)
  }

  @Test func `pieces get through where changes no longer do, but no new upload`() throws {
    let store = try OpenStore { $0.queueLimit = 8 }
    let item = try store.addThing("Globe")
    let upload = try stage(PhotoPiece.size, for: item, in: store)
    let results = Mutex<[Bool]>([])
    for number in 1...200 {
      store.store.submit(.deletePhoto(PhotoID(.version7()), of: item), context) { _ in }
      store.store.stage(piece(upload, item, number, 10), context) { result in
        let isKept = if case .success = result { true } else { false }
        results.withLock { $0.append(isKept) }
      }
    }
    wait { results.withLock(\.count) == 200 }
    #expect(results.withLock { $0.allSatisfy { $0 } })
  }

  @Test func `a photo that is not there is not found`() throws {
    let store = try OpenStore()
    #expect(store.read(PhotoID(.version7()), for: .local) == .failure(.notFound(.photo)))
  }

  @Test func `another photo with the id of one that is being read is not read on`() throws {
    let store = try OpenStore()
    let item = try store.addThing("Globe")
    let photo = try add(2 * PhotoPiece.size, to: item, in: store)
    let added = try store.read { (snapshot) throws(InventoryError) in
      try snapshot.photos(of: item)[0].revision
    }
    #expect((try? store.read(photo, addedBy: added, for: .local).get()) != nil)
    #expect(
      store.read(photo, addedBy: added.next, for: .local) == .failure(.notFound(.photo)))
  }

  enum Leaving: CaseIterable { case move, deletion, purge, deletionOfList, deletionOfPhoto }

  @Test(arguments: Leaving.allCases)
  func `of a photo no more is read than while the caller sees it`(how: Leaving) throws {
    let store = try OpenStore { $0.housekeepingInterval = .seconds(86_400) }
    let (list, other) = (try store.addList("Shelf"), try store.addList("Other"))
    let item = try store.addThing("Globe", to: .id(list))
    let photo = try add(2 * PhotoPiece.size, to: item, in: store)
    let caller = Caller(root: list, role: .reader, name: "test")
    #expect((try? store.read(photo, for: caller).get())?.count == PhotoPiece.size)
    switch how {
    case .move: try store.write(.relocate(RowID(item), into: .id(other), .last))
    case .deletion, .purge:
      try store.write(.deleteRow(RowID(item), kind: .any, isRecursive: false))
      if how == .purge { try store.write(.purge(RowID(item))) }
    case .deletionOfList: try store.write(.deleteRow(RowID(list), kind: .any, isRecursive: true))
    case .deletionOfPhoto: try store.write(.deletePhoto(photo, of: item))
    }
    #expect(throws: InventoryError.self) { try store.read(photo, for: caller).get() }
    let isThere = (try? store.read(photo, for: .local).get()) != nil
    #expect(isThere == (how == .move))
  }
}

extension OpenStore {
  /// The second piece.
  fileprivate func read(
    _ photo: PhotoID, addedBy revision: Revision? = nil, for caller: Caller
  ) -> Result<[UInt8], InventoryError> {
    let result = Awaited<Result<[UInt8], InventoryError>>()
    let second = PhotoPiece.size..<2 * PhotoPiece.size
    store.readPhoto(photo, addedBy: revision, nil, second, for: caller) { result.fulfill($0) }
    return result.value
  }

  fileprivate func stage(_ piece: PhotoPiece) throws {
    let result = Mutex<Result<Void, InventoryError>?>(nil)
    store.stage(piece, WriteContext(caller: .local, requestID: "test")) { given in
      result.withLock { $0 = given }
    }
    wait { result.withLock { $0 } != nil }
    try result.withLock { $0 }?.get()
  }
}
