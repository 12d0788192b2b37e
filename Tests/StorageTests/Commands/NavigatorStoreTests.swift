import FoundationEssentials
import Inventory
@testable import Storage
import Support
import Testing

@Suite struct `Navigators and screens in the store` {
  @Test func `a navigator is all there when the file is opened again`() throws {
    let folder = try TemporaryFolder()
    var written: Navigator?
    for _ in 0..<2 {
      let store = try OpenStore { $0.path = folder.database }
      if written == nil {
        let id = try store.addNavigator(showing: try store.addList("Shelf"))
        written = try store.read { (snapshot) throws(InventoryError) in
          try snapshot.navigator(id)
        }
        #expect(written?.details.tabs.map(\.stack.count) == [3, 4])
      } else if let written {
        let read = try store.read { (snapshot) throws(InventoryError) in
          try snapshot.navigator(written.id)
        }
        #expect(read == written)
      }
    }
  }

  @Test func `it belongs to who made it, in its inventory`() throws {
    let store = try OpenStore()
    let credential = Credential.random().credential
    try store.administer(
      .createToken(NewToken(credential: credential, name: "mine", role: .reader)))
    let mine = Caller(role: .reader, name: "mine", token: credential.token)
    let id = try store.addNavigator(showing: try store.addList("Shelf"), as: mine)
    #expect(throws: InventoryError.notFound(.navigator)) {
      try store.write(.deleteNavigator(id))
    }
    let counts = try store.read { (snapshot) throws(InventoryError) in
      try [Caller.local, mine].map { (caller) throws(InventoryError) in
        try snapshot.seen(by: caller).navigators(named: nil).count
      }
    }
    #expect(counts == [0, 1])
    try store.write(.deleteNavigator(id), as: mine)
    #expect(throws: InventoryError.notFound(.navigator)) {
      try store.write(.deleteNavigator(id), as: mine)
    }
  }

  @Test func `it is forgotten with the token of who made it`() throws {
    let store = try OpenStore()
    let shelf = try store.addList("Shelf")
    func makeHolder(_ name: String) throws -> Caller {
      let credential = Credential.random().0
      try store.administer(
        .createToken(NewToken(credential: credential, name: name, role: .editor)))
      return Caller(role: .editor, name: name, token: credential.token)
    }
    let holders = try [makeHolder("Sam"), makeHolder("Kim")]
    for holder in holders { try store.addNavigator(showing: shelf, as: holder) }
    try store.administer(.revokeToken(try #require(holders[0].token)))
    let counts = try store.read { (snapshot) throws(InventoryError) in
      try holders.map { (caller) throws(InventoryError) in
        try snapshot.seen(by: caller).navigators(named: nil).count
      }
    }
    #expect(counts == [0, 1])
  }

  @Test func `those of a revoked token are cleared away one in each step`() throws {
    let store = try OpenStore { $0.housekeepingInterval = .seconds(3_600) }
    let shelf = try store.addList("Shelf")
    let credential = Credential.random().0
    try store.administer(.createToken(NewToken(credential: credential, name: "Sam", role: .editor)))
    let sam = Caller(role: .editor, name: "Sam", token: credential.token)
    for _ in 1...3 { try store.addNavigator(showing: shelf, as: sam) }
    let kept = try store.addNavigator(showing: shelf)
    let db = try store.connection()
    func count() throws -> [Int] {
      try ["navigator", "navigator_tab"].map { table in
        try db.prepare("SELECT count(*) FROM \(table)").first { $0.int(0) } ?? 0
      }
    }
    try store.administer(.revokeToken(credential.token))
    #expect(try count() == [4, 8])
    for left in [3, 2, 1] {
      #expect(try NavigatorSweep().step(in: db, now: Timestamp(seconds: 0)))
      #expect(try count() == [left, 2 * left])
    }
    #expect(try !NavigatorSweep().step(in: db, now: Timestamp(seconds: 0)))
    try store.write(.deleteNavigator(kept))
    #expect(try count() == [0, 0])
  }

  @Test func `neighbours are found past thousands of sublists, by a worker`() throws {
    let store = try OpenStore()
    let first = try store.addThing("first")
    for number in 0..<2_100 { try store.addList("list \(number)") }
    let last = try store.addThing("last")
    for (item, index) in [(first, 0), (last, 1)] {
      let found = try store.read { (snapshot) throws(InventoryError) in
        try snapshot.neighbours(of: item)
      }
      #expect(found.index == index)
      #expect(found.count == 2)
      #expect(found.previous?.id == (index == 0 ? nil : RowID(first)))
      #expect(found.next?.id == (index == 0 ? RowID(last) : nil))
    }
    #expect(
      try !isAnsweredAtOnce(by: store) { (snapshot) throws(InventoryError) in
        try snapshot.neighbours(of: last).index
      })
    let shelf = try store.addList("Shelf")
    let near = try store.addThing("near", to: .id(shelf))
    #expect(
      try isAnsweredAtOnce(by: store) { (snapshot) throws(InventoryError) in
        try snapshot.neighbours(of: near).index
      })
  }

  @Test func `screens far down are drawn by a worker`() throws {
    let store = try OpenStore()
    var list = try store.addList("1")
    for level in 2...990 { list = try store.addList("\(level)", to: .id(list)) }
    let deep = RowID(list)
    func isAnsweredAtOnce() throws -> Bool {
      try self.isAnsweredAtOnce(by: store) { (snapshot) throws(InventoryError) in
        try snapshot.screenSubjects(of: [deep]).count
      }
    }
    #expect(try !isAnsweredAtOnce())
    let subjects = try store.read { (snapshot) throws(InventoryError) in
      try snapshot.screenSubjects(of: [deep])
    }
    #expect(subjects == [deep: ScreenSubject(title: "990", can: .all)])
    // Where it is, is known from then on.
    #expect(try isAnsweredAtOnce())
  }

  /// Whether a bounded read stays on the thread that asks.
  private func isAnsweredAtOnce(
    by store: OpenStore, _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Int
  ) throws -> Bool {
    let session = try store.store.makeSession()
    let result = session.read(.bounded, as: .local, body) { _ in }
    session.rest()
    return result != nil
  }
}
