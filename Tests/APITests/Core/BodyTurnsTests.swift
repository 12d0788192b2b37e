import Inventory
import Testing

@testable import API

@Suite struct `The order of large bodies` {
  private let sam = Requester.Turn.token(TokenID(.version7()))
  private let kim = Requester.Turn.token(TokenID(.version7()))

  /// The sizes in the order in which they are taken.
  private func order(_ waiting: [(caller: Requester.Turn?, size: Int)]) -> [Int] {
    var (waiting, turns, order) = (waiting, BodyTurns(), [Int]())
    while let index = turns.next(of: waiting) { order.append(waiting.remove(at: index).size) }
    return order
  }

  @Test func `one caller's many requests do not hold up another's`() {
    #expect(order((1...5).map { (sam, $0) } + [(kim, 9)]) == [1, 9, 2, 3, 4, 5])
  }

  @Test func `the smallest and the oldest of a caller alternate, whoever else sends`() {
    #expect(order([(sam, 8), (sam, 3), (sam, 2), (sam, 1)]) == [1, 8, 2, 3])
    #expect(
      order([(sam, 80), (kim, 90), (sam, 1), (kim, 2), (sam, 3), (kim, 4)])
        == [1, 2, 80, 90, 3, 4])
  }
}
