import Inventory
@testable import Storage
import Support
import Testing

/// A session caches lists that it has read. The cache must not change any answer.
@Suite struct `A list that has been read before` {
  private let open: OpenStore
  private let session: any ReadSession
  private let list: ListID

  init() throws {
    open = try OpenStore()
    session = try open.store.makeSession()
    list = try open.addList("Garage")
  }

  private func revision(
    _ list: ListReference, as caller: Caller = .local
  ) throws -> (revision: Revision, count: Int) {
    let read = session.read(
      .bounded, as: caller,
      { (snapshot) throws(InventoryError) in
        let list = try snapshot.list(list)
        return (revision: list.revision, count: list.rowCount)
      }, later: { _ in })
    return try #require(read).get()
  }

  @Test(arguments: [false, true])
  func `is as the last answered write left it`(rests: Bool) throws {
    for count in 0..<20 {
      for _ in 0..<2 {
        let found = try revision(.id(list))
        #expect(found.count == count)
        if rests { session.rest() }
      }
      let before = try revision(.id(list)).revision
      try open.addThing("Wrench", to: .id(list))
      #expect(try revision(.id(list)).revision > before)
    }
    session.rest()
  }

  @Test func `is not shown once it is in the trash`() throws {
    _ = try revision(.id(list))
    try open.write(.deleteRow(RowID(list), kind: .list, isRecursive: true))
    #expect(throws: InventoryError.self) { try revision(.id(list)) }
    session.rest()
  }

  @Test func `is not shown to who may not see it`() throws {
    let other = try open.addList("Attic")
    _ = try revision(.id(list))
    let caller = Caller(root: other, role: .owner, name: "guest")
    #expect(throws: InventoryError.self) { try revision(.id(list), as: caller) }
    #expect(try revision(.root, as: caller).revision == (try revision(.id(other)).revision))
    session.rest()
  }

  @Test func `answers each of many lists with its own state`() throws {
    let lists = try (0..<40).map { try open.addList("Box \($0)", to: .id(list)) }
    for (number, box) in lists.enumerated() {
      for _ in 0..<number % 3 { try open.addThing("Nail", to: .id(box)) }
    }
    for _ in 0..<3 {
      for (number, box) in lists.enumerated() {
        #expect(try revision(.id(box)).count == number % 3)
      }
    }
    session.rest()
  }

  @Test func `is not kept from a read that fell into a commit`() throws {
    let file = try StoreFile(existing: open.store.path)
    let published = CommitCounter()
    let session = DirectSession(
      try file.openReader(), published: published,
      workers: try LongReaders(0, medium: file, DatabaseStore.Configuration(path: file.path)),
      bound: .max, onStorageFailure: { _ in })
    func count() throws -> Int {
      defer { session.rest() }
      return try session.readNow(.bounded) { [list] (snapshot) throws(InventoryError) in
        try snapshot.list(.id(list)).rowCount
      }
    }
    #expect(try count() == 0)
    try published.publishing {
      #expect(try count() == 0)
      try open.addThing("Wrench", to: .id(list))
      #expect(try count() == 1)
      try open.addThing("Nail", to: .id(list))
      #expect(try count() == 2)
    }
    #expect(try count() == 2)
  }
}
