import Inventory
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

  @Test func `refuses the last work of the caller who has most`() {
    let limiter = ConcurrencyLimiter(limit: 1)
    let (anna, ben, carl) = (
      TokenID(.version7()), TokenID(.version7()), TokenID(.version7())
    )
    let events = Mutex<[String]>([])
    func acquire(_ name: String, for caller: TokenID) {
      limiter.acquire(for: caller, besides: 3) {
        events.withLock { $0.append("run \(name)") }
      } orRefuse: {
        events.withLock { $0.append("refuse \(name)") }
      }
    }
    for name in ["a1", "a2", "a3", "a4", "a5"] { acquire(name, for: anna) }
    acquire("b1", for: ben)
    acquire("b2", for: ben)
    acquire("c1", for: carl)
    #expect(
      events.withLock { $0 } == ["run a1", "refuse a5", "refuse a4", "refuse b2", "refuse a3"])
    for _ in 0..<4 { limiter.release() }
    #expect(events.withLock { $0 }.dropFirst(5) == ["run a2", "run b1", "run c1"])
  }

  @Test func `starts one piece of each caller at a time`() {
    let limiter = ConcurrencyLimiter(limit: 2, perCaller: 1)
    let (anna, ben, carl) = (
      TokenID(.version7()), TokenID(.version7()), TokenID(.version7())
    )
    let entered = Mutex<[String]>([])
    for (name, caller) in [("a1", anna), ("a2", anna), ("b1", ben), ("b2", ben), ("c1", carl)] {
      limiter.acquire(for: caller) { entered.withLock { $0.append(name) } }
    }
    #expect(entered.withLock { $0 } == ["a1", "b1"])
    #expect(!limiter.isAlone)
    limiter.release(of: ben)
    #expect(entered.withLock { $0 } == ["a1", "b1", "b2"])
    limiter.release(of: ben)
    #expect(entered.withLock { $0 } == ["a1", "b1", "b2", "c1"])
    limiter.release(of: carl)
    #expect(limiter.isAlone)
    limiter.release(of: anna)
    #expect(entered.withLock { $0.last } == "a2")
    limiter.release(of: anna)
    #expect(!limiter.isAlone)
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
