import HTTP
import Synchronization
import Testing

@Suite struct LoopWakerTests {
  @Test func `a waker rings once for each time that it is armed`() {
    let rings = Atomic<Int>(0)
    let waker = LoopWaker { rings.add(1, ordering: .relaxed) }
    waker.wake()
    #expect(rings.load(ordering: .relaxed) == 0)
    for round in 1...3 {
      waker.arm()
      waker.arm()
      for _ in 0..<5 { waker.wake() }
      #expect(rings.load(ordering: .relaxed) == round)
    }
  }

  @Test func `a waker has a loop that sleeps call its handler`() throws {
    let site = try Site()
    let waker = try #require(site.desk.change(\.waker))
    for _ in 0..<3 {
      try site.settle()
      waker.arm()
      let before = site.desk.change(\.wakeUps)
      waker.wake()
      _ = try site.desk.eventually { $0.wakeUps > before ? true : nil }
    }
  }

  @Test func `a handler is called again at the time that it has named`() throws {
    let site = try Site()
    let time = site.time.milliseconds() + 40
    // The loop waits by the system's clock, and looks at the test's when it wakes up.
    site.desk.change { $0.nextWakeUp = time }
    try site.settle()
    site.time.advance(40)
    _ = try site.desk.eventually { $0.lastWakeUp == time ? true : nil }
    site.desk.change { $0.nextWakeUp = nil }
  }

  @Test func `a handler that names a time again and again does not keep its loop from its clients`()
    throws
  {
    let site = try Site()
    site.desk.change { $0.nextWakeUp = 0 }
    for _ in 0..<20 { try site.settle() }
    site.desk.change { $0.nextWakeUp = nil }
  }

  @Test func `a waker of a server that has ended does nothing`() throws {
    let site = try Site()
    let waker = try #require(site.desk.change(\.waker))
    site.server.shutdown(deadline: 0)
    waker.arm()
    waker.wake()
  }
}
