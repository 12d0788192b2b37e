import Testing

@testable import Server

@Suite struct TimerWheelTests {
  @Test func `a key comes up within half a second after its time and never before`() {
    var wheel = TimerWheel(now: 12_345)
    var due: [UInt64] = []
    for delay: Int64 in stride(from: 0, through: 90_000, by: 777) {
      _ = wheel.insert(UInt64(delay), at: 12_345 + delay)
    }
    var seen: Set<UInt64> = []
    for now in stride(from: Int64(12_345), through: 103_500, by: 100) {
      due = []
      wheel.advance(to: now, into: &due)
      for key in due {
        let late = now - 12_345 - Int64(key)
        #expect(late >= 0 && late <= 612)
        seen.insert(key)
      }
    }
    #expect(seen.count == 116)
    #expect(wheel.wait(from: 103_500) == nil)
  }

  @Test func `however far the clock jumps nothing is lost`() {
    for jump: Int64 in [1, 300, 131_000, 131_072, 131_073, 10_000_000] {
      var wheel = TimerWheel(now: 0)
      for key in 0..<600 { _ = wheel.insert(UInt64(key), at: Int64(key) * 200) }
      var due: [UInt64] = []
      wheel.advance(to: jump, into: &due)
      wheel.advance(to: jump + 200_000, into: &due)
      #expect(due.sorted() == (0..<600).map(UInt64.init))
    }
  }

  @Test func `the wait ends when the first key is due`() {
    var wheel = TimerWheel(now: 1000)
    #expect(wheel.wait(from: 1000) == nil)
    let due = wheel.insert(1, at: 31_000)
    #expect(due >= 31_000 && due <= 31_512)
    #expect(wheel.wait(from: 1000) == due - 1000)
    let sooner = wheel.insert(2, at: 11_000)
    #expect(wheel.wait(from: 1000) == sooner - 1000)
    var keys: [UInt64] = []
    wheel.advance(to: sooner, into: &keys)
    #expect(keys == [2])
    #expect(wheel.wait(from: sooner) == due - sooner)
  }

  @Test func `what is further away than the wheel goes comes up early`() {
    var wheel = TimerWheel(now: 0)
    #expect(wheel.insert(1, at: 1_000_000_000) < 132_000)
  }
}
