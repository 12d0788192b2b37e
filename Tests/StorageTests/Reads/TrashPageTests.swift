import Inventory
import SQL
import Testing

@testable import Storage

@Suite struct `A page of the trash` {
  private let open: OpenStore
  private let count = 300

  init() throws {
    open = try OpenStore()
    let items = (0..<count).map { number in
      NewItem(id: ItemID(.version7()), details: ItemDetails(name: "\(number)"))
    }
    try open.write(.appendItems(items, to: .root))
    for _ in 0..<count {
      try open.write(.deleteRowAt(.root, index: 0, expecting: nil, isRecursive: false))
    }
  }

  private func page(_ offset: Int) throws -> (titles: [String], steps: Int) {
    let db = try open.connection()
    let snapshot = DatabaseSnapshot(.local, in: db)
    var (titles, steps): ([String], Int) = ([], 0)
    // What is prepared once is not to count.
    for _ in 1...2 {
      steps = 0
      db.setProgress(every: 1) {
        steps += 1
        return false
      }
      let window = PageWindow(start: .offset(offset), limit: 5)
      titles = try snapshot.trash(window).elements.map(\.title)
    }
    db.setProgress(every: 0, nil)
    return (titles, steps)
  }

  @Test func `is found without a look at the rows before it`() throws {
    let (first, last) = (try page(0), try page(count - 5))
    #expect(first.titles == (295..<300).reversed().map(String.init))
    #expect(last.titles == (0..<5).reversed().map(String.init))
    #expect(try page(count).titles == [])
    // To look at each would take more than twenty; its entry of the index takes less than ten.
    #expect(last.steps < first.steps + 12 * count)
  }
}
