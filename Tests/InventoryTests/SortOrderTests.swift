import Inventory
import Testing

@Suite struct `A sort order` {
  @Test(arguments: SortOrder.Key.allCases)
  func `is read by its key, a minus before it for descending`(key: SortOrder.Key) {
    #expect(SortOrder(text: key.rawValue) == SortOrder(key: key))
    #expect(SortOrder(text: "-" + key.rawValue) == SortOrder(key: key, isDescending: true))
  }

  @Test(arguments: ["", "-", "--title", "+title", "Title", "title ", "name", "title,-quantity"])
  func `is read from nothing else`(text: String) {
    #expect(SortOrder(text: text) == nil)
  }

  static let numbers: [SortValue] = [.number(2), .missing, .number(1), .number(3), .missing]

  @Test func `puts missing values last in either direction`() {
    let ascending = SortOrder(key: .quantity).permutation(of: Self.numbers)
    let descending = SortOrder(key: .quantity, isDescending: true).permutation(of: Self.numbers)
    #expect(ascending == [2, 0, 3, 1, 4])
    #expect(descending == [3, 0, 2, 1, 4])
  }

  @Test(arguments: [false, true])
  func `keeps the order of equal values in either direction`(isDescending: Bool) {
    let values = (0..<100).map { _ in SortValue.number(7) }
    let order = SortOrder(key: .valueInDollars, isDescending: isDescending)
    #expect(order.permutation(of: values) == Array(0..<100))
  }

  @Test func `sorts texts naturally`() {
    let values = ["Box 10", "box 2", "Box 1"].map { SortValue.text(NaturalText($0)) }
    #expect(SortOrder(key: .title).permutation(of: values) == [2, 1, 0])
    #expect(SortOrder(key: .title, isDescending: true).permutation(of: values) == [0, 1, 2])
  }

  @Test func `distinguishes totals above 64 bits`() {
    let large = Int128(Int64.max) * 1_000
    let values: [SortValue] = [.number(large + 1), .number(large), .number(-large)]
    #expect(SortOrder(key: .valueInDollars).permutation(of: values) == [2, 1, 0])
  }

  @Test func `of nothing is nothing`() {
    #expect(SortOrder(key: .title).permutation(of: []).isEmpty)
  }
}
