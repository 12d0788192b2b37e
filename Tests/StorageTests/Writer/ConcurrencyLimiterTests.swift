import Synchronization
@testable import Storage
import Testing

@Suite struct `A concurrency limiter` {
  @Test func `starts work up to its limit, first come, first served`() {
    let limiter = ConcurrencyLimiter(limit: 2)
    let entered = Mutex<[Int]>([])
    for number in 0..<5 { limiter.acquire { entered.withLock { $0.append(number) } } }
    #expect(entered.withLock { $0 } == [0, 1])
    limiter.release()
    #expect(entered.withLock { $0 } == [0, 1, 2])
    for _ in 0..<4 { limiter.release() }
    #expect(entered.withLock { $0 } == [0, 1, 2, 3, 4])
    limiter.acquire { entered.withLock { $0.append(5) } }
    #expect(entered.withLock { $0.last } == 5)
  }

  /// As everybody does who waits when the store is closed.
  @Test func `starts any amount of work that ends at once`() {
    let limiter = ConcurrencyLimiter(limit: 1)
    let entered = Atomic<Int>(0)
    limiter.acquire {}
    let count = 200_000
    for _ in 0..<count {
      limiter.acquire {
        entered.add(1, ordering: .relaxed)
        limiter.release()
      }
    }
    limiter.release()
    #expect(entered.load(ordering: .relaxed) == count)
  }
}
