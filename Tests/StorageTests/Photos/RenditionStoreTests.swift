import Inventory
import SQL
@testable import Storage
import Support
import Testing

@Suite struct `How renditions are kept` {
  private func addPhoto(to item: ItemID, in store: OpenStore) throws -> PhotoID {
    let id = PhotoID(.version7())
    let upload = try store.store.upload(
      [1, 2, 3], WriteContext(caller: .local, requestID: "test"))
    let image = ImageMetadata(type: .png, width: 400, height: 300)
    try store.write(.addPhoto(NewPhoto(id: id, upload: upload, image: image, size: 3), to: item))
    return id
  }

  private func rendition(_ bytes: [UInt8]) -> NewRendition {
    NewRendition(
      size: .thumbnail, image: ImageMetadata(type: .webp, width: 277, height: 208), bytes: bytes)
  }

  private func read(
    _ photo: PhotoID, from start: Int, for caller: Caller = .local, in store: OpenStore
  ) -> Result<[UInt8], InventoryError> {
    let result = Awaited<Result<[UInt8], InventoryError>>()
    store.store.readPhoto(photo, .thumbnail, start..<start + 100_000, for: caller) {
      result.fulfill($0)
    }
    return result.value
  }

  @Test func `one is read from any byte on, by callers who see the photo`() throws {
    let store = try OpenStore()
    let (list, other) = (try store.addList("Shelf"), try store.addList("Other"))
    let item = try store.addThing("Globe", to: .id(list))
    let photo = try addPhoto(to: item, in: store)
    let bytes = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 >> 8 ^ $0) }
    try store.write(.addRendition(rendition(bytes), of: photo, in: item))
    for start in [0, 1, 59_999] {
      #expect(read(photo, from: start, in: store) == .success(Array(bytes[start...])))
    }
    #expect(read(photo, from: 60_000, in: store) == .failure(.notFound(.photo)))
    let reader = Caller(root: list, role: .reader, name: "test")
    #expect(read(photo, from: 0, for: reader, in: store) == .success(bytes))
    let elsewhere = Caller(root: other, role: .reader, name: "test")
    #expect(read(photo, from: 0, for: elsewhere, in: store) == .failure(.notFound(.photo)))
    try store.write(.deletePhoto(photo, of: item))
    #expect(read(photo, from: 0, in: store) == .failure(.notFound(.photo)))
  }

  @Test func `each goes with its photo, and no other`() throws {
    let store = try OpenStore { $0.housekeepingInterval = .seconds(3_600) }
    let item = try store.addThing("Globe")
    let photos = [try addPhoto(to: item, in: store), try addPhoto(to: item, in: store)]
    for photo in photos {
      try store.write(.addRendition(rendition([7]), of: photo, in: item))
    }
    try store.write(.deletePhoto(photos[0], of: item))
    let db = try store.connection()
    try db.execute("BEGIN IMMEDIATE; UPDATE inventory SET history_start = revision")
    while try PhotoSweep.step(in: db) {}
    let left = try db.prepare("SELECT count(*) FROM photo_rendition").first { $0.int(0) }
    try db.execute("ROLLBACK")
    #expect(left == 1)
  }
}
