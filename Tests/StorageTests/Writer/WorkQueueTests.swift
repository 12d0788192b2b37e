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
    #expect(throws: QueueRefusal.closed) { try queue.push(20, for: 0) }
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
    for caller in 0..<4 { for number in 0..<2 { try queue.push(number, for: caller) } }
    #expect(throws: QueueRefusal.full) { try queue.push(2, for: 0) }
    #expect(throws: QueueRefusal.full) { try queue.push(0, for: 4) }
    _ = queue.popIfAny { $0 == 3 }
    try queue.push(0, for: 4)
    #expect(throws: QueueRefusal.full) { try queue.push(2, for: 0) }
  }

  @Test func `hands out first whom the taker prefers`() throws {
    let queue = WorkQueue<Bool, Int>(capacity: 2)
    try queue.push(1, for: false)
    try queue.push(2, for: true)
    guard case .element(2) = queue.pop(within: nil, preferring: { $0 }) else {
      Issue.record("another came first")
      return
    }
    #expect(queue.popIfAny { $0 } == nil)
    #expect(queue.popIfAny() == 1)
  }
}
