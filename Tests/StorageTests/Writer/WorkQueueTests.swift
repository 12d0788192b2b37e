import Testing

@testable import Storage

@Suite struct `The queue that threads wait on` {
  private final class Work: Sendable {}

  @Test func `keeps nothing of what it has handed out, while others wait`() throws {
    let queue = WorkQueue<Work>(capacity: 8)
    weak var first: Work?
    do {
      let work = Work()
      first = work
      try queue.push(work)
    }
    try queue.push(Work())
    #expect(first != nil)
    #expect(queue.pop() != nil)
    #expect(first == nil)
    #expect(queue.count == 1)
  }

  @Test func `hands out in order what was pushed, beyond a capacity's worth too`() throws {
    let queue = WorkQueue<Int>(capacity: 3)
    var taken: [Int] = []
    try queue.push(0)
    try queue.push(1)
    for number in 2..<20 {
      try queue.push(number)
      if let next = queue.popIfAny() { taken.append(next) }
    }
    queue.close()
    while let next = queue.pop() { taken.append(next) }
    #expect(taken == Array(0..<20))
    #expect(throws: WorkQueue<Int>.Refusal.closed) { try queue.push(20) }
  }
}
