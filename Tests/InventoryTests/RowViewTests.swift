import Inventory
import Testing

@Suite struct `The order of a view` {
  private func order(_ view: RowView, _ values: [SortValue]) -> ([Int], Int) {
    let order = view.order(of: values.count, sorted: values, worth: values)
    return (order.places, order.firstSection)
  }

  @Test func `is the list's own without a sort`() {
    #expect(order(RowView(), [.number(2), .number(1)]) == ([0, 1], 0))
  }

  @Test func `has what is worth more than the threshold first, each section sorted`() {
    let values: [SortValue] = [.number(50), .missing, .number(70), .number(51), .number(10)]
    let sort = SortOrder(key: .valueInDollars)
    #expect(order(RowView(threshold: Cents(50)), values) == ([2, 3, 0, 1, 4], 2))
    #expect(order(RowView(sort: sort, threshold: Cents(50)), values) == ([3, 2, 4, 0, 1], 2))
    #expect(order(RowView(threshold: Cents(70)), values) == ([0, 1, 2, 3, 4], 0))
  }
}
