import Inventory
import SQL
import Storage
import Testing

@Suite struct `Order tree` {
  private func nodeCount(_ store: OpenStore) throws -> Int {
    try store.connection().prepare("SELECT count(*) FROM node").first { $0.int(0) } ?? 0
  }

  @Test func `a list of one leaf needs no nodes`() throws {
    let store = try OpenStore(shape: TreeShape(fanOut: 4))
    for number in 0..<4 { try store.addThing("\(number)", .first) }
    #expect(try nodeCount(store) == 0)
    #expect(try store.titles() == ["3", "2", "1", "0"])
  }

  @Test func `rows that are repeatedly put at one place are spaced again`() throws {
    let store = try OpenStore(shape: TreeShape(fanOut: 8, gap: 2))
    var expected: [String] = []
    for number in 0..<200 {
      try store.addThing("\(number)", .index(expected.count / 2))
      expected.insert("\(number)", at: expected.count / 2)
    }
    #expect(try store.titles() == expected)
  }

  @Test func `rows that come in order fill their leaves`() throws {
    let store = try OpenStore(shape: TreeShape(fanOut: 8))
    for number in 0..<200 { try store.addThing("\(number)") }
    // 200 rows in leaves of 7 or 8, and the nodes above.
    #expect(try nodeCount(store) <= 36)
  }

  @Test func `rows appended together fill their leaves whole`() throws {
    let store = try OpenStore(shape: TreeShape(fanOut: 8))
    let items = (0..<512).map { number in
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "\(number)"))
    }
    try store.write(.appendItems(Array(items[..<5]), to: .root))
    try store.write(.appendItems(Array(items[5...]), to: .root))
    #expect(try store.titles() == (0..<512).map(String.init))
    #expect(try nodeCount(store) == 64 + 8)
  }

  @Test func `a list that shrinks joins its leaves`() throws {
    let store = try OpenStore(shape: TreeShape(fanOut: 8))
    var left = (0..<400).map(String.init)
    for title in left { try store.addThing(title) }
    while left.count > 20 {
      // Every place in turn, so that all leaves thin out evenly.
      let index = (left.count * 7) % left.count + left.count % 3
      try store.write(.deleteRowAt(.root, index: index, expecting: nil, isRecursive: false))
      left.remove(at: index)
    }
    #expect(try store.titles() == left)
    #expect(try nodeCount(store) <= 20)
  }

  @Test func `a list that is emptied is one leaf again`() throws {
    let store = try OpenStore(shape: TreeShape(fanOut: 4))
    for number in 0..<50 { try store.addThing("\(number)") }
    for _ in 0..<50 {
      try store.write(.deleteRowAt(.root, index: 0, expecting: nil, isRecursive: false))
    }
    #expect(try nodeCount(store) == 0)
    try store.addThing("new")
    #expect(try store.titles() == ["new"])
  }

  @Test(arguments: [0, 1, 63, 64, 65, 4_095, 4_096, 9_950, 9_999, 10_000])
  func `a page can start anywhere`(_ offset: Int) throws {
    let store = try OpenStore()
    let items = (0..<10_000).map { number in
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "\(number)"))
    }
    try store.write(.appendItems(items, to: .root))
    #expect(
      try store.titles(offset: offset, limit: 70)
        == (offset..<min(offset + 70, 10_000)).map(String.init))
  }
}
