import Inventory
import Storage
import Testing

@Suite struct `Ten thousand levels` {
  @Test func `can be made, walked, guarded against cycles, and deleted`() throws {
    let store = try OpenStore()
    // Short chains hung below each other: making each level at its depth would walk up every time.
    var tops: [ListID] = []
    var bottom: ListID?
    for _ in 0..<100 {
      var list = try store.addList("level")
      tops.append(list)
      for _ in 1..<100 { list = try store.addList("level", to: .id(list)) }
      if let bottom {
        try store.write(.relocate(RowID(tops[tops.count - 1]), into: .id(bottom), .last))
      }
      bottom = list
    }
    let deepest = try #require(bottom)
    let place = try store.read { (snapshot) throws(InventoryError) in
      try snapshot.place(of: RowID(deepest), for: .local)
    }
    #expect(place.level == 10_001)
    #expect(
      store.result(.relocate(RowID(tops[0]), into: .id(deepest), .last))
        == .failure(.cycle))
    let all = try store.read(.long) { (snapshot) throws(InventoryError) in
      try snapshot.descendants(of: .root, PageWindow(start: .offset(9_999), limit: 1), for: .local)
    }
    #expect(all.count == 10_000)
    #expect(all.lists.map(\.level) == [10_001])
    try store.write(.deleteRow(RowID(tops[0]), kind: .list, isRecursive: true))
    #expect(throws: InventoryError.inTrash(top: RowID(tops[0]))) {
      try store.read { (snapshot) throws(InventoryError) in
        try snapshot.list(.id(deepest), for: .local)
      }
    }
  }
}
