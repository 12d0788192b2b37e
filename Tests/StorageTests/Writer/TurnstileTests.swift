import Synchronization
@testable import Storage
import Testing

@Suite struct `A turnstile` {
  @Test func `lets in as many as may be inside, in the order in which they came`() {
    let turnstile = Turnstile(limit: 2)
    let entered = Mutex<[Int]>([])
    for number in 0..<5 { turnstile.enter { entered.withLock { $0.append(number) } } }
    #expect(entered.withLock { $0 } == [0, 1])
    turnstile.leave()
    #expect(entered.withLock { $0 } == [0, 1, 2])
    for _ in 0..<4 { turnstile.leave() }
    #expect(entered.withLock { $0 } == [0, 1, 2, 3, 4])
    turnstile.enter { entered.withLock { $0.append(5) } }
    #expect(entered.withLock { $0.last } == 5)
  }

  /// As everybody does who waits when the store is closed.
  @Test func `lets any number in who leave at once`() {
    let turnstile = Turnstile(limit: 1)
    let entered = Atomic<Int>(0)
    turnstile.enter {}
    let count = 200_000
    for _ in 0..<count {
      turnstile.enter {
        entered.add(1, ordering: .relaxed)
        turnstile.leave()
      }
    }
    turnstile.leave()
    #expect(entered.load(ordering: .relaxed) == count)
  }
}
