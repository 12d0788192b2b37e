import Inventory
@testable import Storage
import Support
import Testing

@Suite struct `Ten thousand levels` {
  @Test func `can be made, walked, guarded against cycles, and deleted`() throws {
    let store = try OpenStore { $0.depthLimit = DepthLimit(level: 10_000) ?? .standard }
    // Short chains hung below each other; with the root list there are as many levels as there may be.
    var tops: [ListID] = []
    var bottom: ListID?
    for number in 0..<100 {
      var list = try store.addList("level")
      tops.append(list)
      for _ in 1..<(number == 99 ? 99 : 100) { list = try store.addList("level", to: .id(list)) }
      if let bottom {
        try store.write(.relocate(RowID(tops[tops.count - 1]), into: .id(bottom), .last))
      }
      bottom = list
    }
    let deepest = try #require(bottom)
    let place = try store.read { (snapshot) throws(InventoryError) in
      try snapshot.place(of: RowID(deepest))
    }
    #expect(place.level == 10_000)
    let below = NewList(
      id: ListID(.version7()), parent: .id(deepest), details: ListDetails(title: "below"))
    #expect(store.result(.createList(below)) == .failure(.tooDeep(limit: 10_000)))
    #expect(
      store.result(.relocate(RowID(tops[0]), into: .id(deepest), .last))
        == .failure(.cycle))
    let all = try store.read(.long) { (snapshot) throws(InventoryError) in
      try snapshot.descendants(of: .root, PageWindow(start: .offset(9_998), limit: 1))
    }
    #expect(all.count == 9_999)
    #expect(all.elements.map(\.level) == [10_000])
    try store.write(.deleteRow(RowID(tops[0]), kind: .list, isRecursive: true))
    #expect(throws: InventoryError.inTrash(top: RowID(tops[0]))) {
      try store.read { (snapshot) throws(InventoryError) in
        try snapshot.list(.id(deepest))
      }
    }
    try store.write(.restore(RowID(tops[0]), into: nil, nil))
    #expect(
      try store.read { (snapshot) throws(InventoryError) in
        try snapshot.list(.id(deepest)).id
      } == deepest)
  }
}

@Suite struct `A thousand levels` {
  @Test func `are the standard limit`() throws {
    let store = try OpenStore()
    try store.write(.merge(RandomImports.chain(lists: 999), into: .root))
    func bottom() throws -> ListID {
      try store.read(.long) { (snapshot) throws(InventoryError) in
        let window = PageWindow(start: .offset(998), limit: 1)
        return try snapshot.descendants(of: .root, window).elements[0].list.id
      }
    }
    let below = NewList(
      id: ListID(.version7()), parent: .id(try bottom()), details: ListDetails(title: "below"))
    #expect(store.result(.createList(below)) == .failure(.tooDeep(limit: 1_000)))
    // An inventory cannot raise the server's limit.
    try store.write(
      .editInventory { _ in DepthLimit(level: 5_000) })
    #expect(store.result(.createList(below)) == .failure(.tooDeep(limit: 1_000)))
    let item = try store.addThing("bag", to: .id(try bottom()))
    #expect(
      store.result(.makeContents(of: item, id: ListID(.version7())))
        == .failure(.tooDeep(limit: 1_000)))
  }

  @Test(arguments: [ImportTarget.inventory, .end(of: .root)])
  func `end an import at the first line that goes deeper`(_ target: ImportTarget) throws {
    let store = try OpenStore()
    let records = RandomImports.chain(lists: 3_000)
    let id = ImportID(.version7())
    var lines: [Int] = []
    var steps = 0
    for start in stride(from: 0, to: records.count, by: 500) {
      steps += 1
      let step = Array(records[start..<min(records.count, start + 500)])
      if case .failure(.lineConflicts(let conflicts)) = store.result(.stage(id, target, step)) {
        #expect(conflicts.map(\.reason) == [.tooDeep])
        lines = conflicts.map(\.line)
        break
      }
    }
    let most = target == .inventory ? 1_000 : 999
    #expect(lines == [records[most].line])
    #expect(steps == most / 500 + 1)
    try store.write(.abandonImport(id))
  }

  @Test func `are kept where more lists come along than a command looks at`() throws {
    let store = try OpenStore { $0.depthLimit = DepthLimit(level: 30) ?? .standard }
    let site = try store.addList("Site")
    let top = RandomImports.list(.nothing)
    let hall = top.id
    func add(_ count: Int) throws {
      let boxes = (0..<count).map { _ in RandomImports.list(.list(ListID(hall))) }
      let records = ([top] + boxes).enumerated().map {
        NumberedRecord(line: $0.offset + 2, record: $0.element)
      }
      try store.write(.merge(records, into: .root))
    }
    try add(Limits.listsTakenDown - 1)
    try add(5)
    try store.write(.relocate(hall, into: .id(site), .last))
    try store.write(.deleteRow(hall, kind: .list, isRecursive: true))
    try store.write(.restore(hall, into: .id(site), nil))
    // One chain down to the limit: as far as is known, the hall may have it.
    try store.write(.merge(RandomImports.chain(lists: 29), into: .root))
    let yard = try store.addList("Yard", to: .id(site))
    #expect(
      store.result(.relocate(hall, into: .id(yard), .last))
        == .failure(.tooManyRows(limit: Limits.listsTakenDown)))
    try store.write(.relocate(hall, into: .root, .last))
  }
}
