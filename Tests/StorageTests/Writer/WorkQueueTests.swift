import Inventory
import Testing

@testable import Storage

@Suite struct `The queue that threads wait on` {
  private final class Work: Sendable {}

  @Test func `keeps nothing of what it has handed out, while others wait`() throws {
    let queue = WorkQueue<Int, Work>(capacity: 8)
    weak var first: Work?
    do {
      let work = Work()
      first = work
      try queue.push(work, for: 0)
    }
    try queue.push(Work(), for: 0)
    #expect(first != nil)
    #expect(queue.pop() != nil)
    #expect(first == nil)
    #expect(queue.count == 1)
  }

  @Test func `hands out in order what was pushed, beyond a capacity's worth too`() throws {
    let queue = WorkQueue<Int, Int>(capacity: 3)
    var taken: [Int] = []
    try queue.push(0, for: 0)
    try queue.push(1, for: 0)
    for number in 2..<20 {
      try queue.push(number, for: 0)
      if let next = queue.popIfAny() { taken.append(next) }
    }
    queue.close()
    while let next = queue.pop() { taken.append(next) }
    #expect(taken == Array(0..<20))
    #expect(throws: InventoryError.shuttingDown) { try queue.push(20, for: 0) }
  }

  @Test func `lets callers take turns, each with its own in order`() throws {
    let queue = WorkQueue<String, String>(capacity: 8)
    for element in ["a1", "a2", "a3", "b1", "c1", "b2"] {
      try queue.push(element, for: String(element.prefix(1)))
    }
    queue.close()
    var taken: [String] = []
    while let next = queue.pop() { taken.append(next) }
    #expect(taken == ["a1", "b1", "c1", "a2", "b2", "a3"])
  }

  @Test func `is full for a caller who fills it, and for others later`() throws {
    let queue = WorkQueue<Int, Int>(capacity: 2)
    for number in 0..<8 { try queue.push(number, for: number / 2) }
    #expect(throws: InventoryError.overloaded) { try queue.push(2, for: 0) }
    #expect(throws: InventoryError.overloaded) { try queue.push(0, for: 4) }
    _ = queue.popIfAny { $0 == 6 ? 0 : nil }
    try queue.push(0, for: 4)
    #expect(throws: InventoryError.overloaded) { try queue.push(2, for: 0) }
  }

  @Test func `makes room for a caller by the last element of the one who has the most`() throws {
    let queue = WorkQueue<Int, Int>(capacity: 4)
    for (turn, count) in [4, 3, 3, 3, 3].enumerated() {
      for number in 0..<count { try queue.push(10 * turn + number, for: turn) }
    }
    #expect(throws: InventoryError.overloaded) { try queue.push(50, for: 5, where: { $0 != 3 }) }
    #expect(try queue.push(50, for: 5, where: { $0 == 3 }) == 3)
    // Nobody has two more.
    #expect(throws: InventoryError.overloaded) { try queue.push(13, for: 1, where: { _ in true }) }
    #expect(queue.count == 16)
  }

  @Test func `is not at its end while those wait who may have no turn yet`() throws {
    let queue = WorkQueue<Bool, Int>(capacity: 2)
    try queue.push(1, for: true)
    queue.close()
    guard case .nothing = queue.pop(within: .zero, by: { $0 > 1 ? 0 : nil }) else {
      Issue.record("the queue gave an element, or ended")
      return
    }
    #expect(queue.pop() == 1)
    #expect(queue.pop() == nil)
  }

  @Test func `hands out by rank first, and by turn those of one rank`() throws {
    let queue = WorkQueue<Int, Int>(capacity: 2)
    for number in [30, 20, 10, 11] { try queue.push(number, for: number) }
    let byTens: (Int) -> Int? = { $0 < 30 ? $0 / 10 : nil }
    var taken: [Int] = []
    while let next = queue.popIfAny(by: byTens) { taken.append(next) }
    #expect(taken == [10, 11, 20])
    #expect(queue.popIfAny() == 30)
  }
}
