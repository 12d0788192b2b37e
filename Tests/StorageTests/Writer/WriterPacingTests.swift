import Inventory
import Testing

@testable import Storage

/// Times are counted from `start`, so that no test depends on a clock.
@Suite struct `The pacing of the writer` {
  private typealias Turn = PendingWrite.Turn
  private let start = ContinuousClock.now
  private let slow = Turn(caller: TokenID(.version7()), isPiece: false)
  private let quick = Turn(caller: TokenID(.version7()), isPiece: false)
  private var pacing = WriterPacing()

  private func time(_ milliseconds: Int) -> ContinuousClock.Instant {
    start + .milliseconds(milliseconds)
  }

  /// Lets a caller's writes take 20 ms each for a while, until a time.
  private mutating func runLong(_ turn: Turn, until end: Int) {
    for number in (0..<10).reversed() {
      pacing.ran(turn, for: .milliseconds(20), now: time(end - 30 * number))
    }
  }

  @Test mutating func `makes long writes wait while another caller writes`() {
    runLong(slow, until: 1_000)
    pacing.ran(quick, for: .microseconds(300), now: time(1_001))
    #expect(!pacing.mayBegin(slow, now: time(1_002)))
    #expect(pacing.mayBegin(quick, now: time(1_002)))
    #expect(pacing.poll(now: time(1_002)) != nil)
    // The other caller goes on writing.
    var begin: Int?
    for now in stride(from: 1_010, through: 2_010, by: 10) where begin == nil {
      pacing.ran(quick, for: .microseconds(300), now: time(now))
      if pacing.mayBegin(slow, now: time(now)) { begin = now }
    }
    let pause = (begin ?? 0) - 1_000
    #expect(900...1_000 ~= pause)
    #expect(pacing.poll(now: time(2_011)) == nil)
  }

  @Test mutating func `makes the writes of long texts wait although they are short`() {
    let write = Duration.microseconds(700)
    for number in 0..<10 {
      pacing.ran(slow, for: write + WriterPacing.laterWork(of: 64 << 10), now: time(number))
    }
    pacing.ran(quick, for: write + WriterPacing.laterWork(of: 1_000), now: time(10))
    #expect(!pacing.mayBegin(slow, now: time(11)))
    #expect(pacing.mayBegin(quick, now: time(11)))
  }

  @Test mutating func `lets a short write begin before the long ones of a hundred callers`() {
    let many = (0..<100).map { _ in Turn(caller: TokenID(.version7()), isPiece: false) }
    for (number, turn) in many.enumerated() { runLong(turn, until: 10 * number + 1_000) }
    // The other caller last wrote long ago.
    let now = time(2_000)
    for turn in many {
      #expect(pacing.rank(of: turn, afterPieces: true, now: now) == 1)
      #expect(pacing.rank(of: turn, in: quick, now: now) == nil)
      #expect(pacing.rank(of: turn, in: many[0], now: now) == 1)
    }
    #expect(pacing.rank(of: quick, afterPieces: true, now: now) == 0)
    // Short writes without end do not hold the long ones back for more than a pause.
    #expect(pacing.rank(of: many[0], afterPieces: true, now: time(3_000)) == 0)
  }

  @Test mutating func `goes on to see short writes between those of many callers`() {
    pacing.ran(quick, for: .microseconds(300), now: time(1_000))
    let many = (0..<100).map { _ in Turn(caller: TokenID(.version7()), isPiece: false) }
    for turn in many { pacing.ran(turn, for: .milliseconds(20), now: time(1_001)) }
    #expect(!pacing.mayBegin(many[99], now: time(1_002)))
  }

  @Test mutating func `lets changes and pieces of long work take turns`() {
    let pieces = Turn(caller: nil, isPiece: true)
    runLong(slow, until: 1_000)
    for (isAfterPieces, order) in [(true, [quick, slow, pieces]), (false, [pieces, quick, slow])] {
      let ranks = order.map { pacing.rank(of: $0, afterPieces: isAfterPieces, now: time(1_001)) }
      #expect(ranks == [0, 1, 2])
    }
  }

  @Test mutating func `adds no wait for a client that writes alone`() {
    runLong(slow, until: 1_000)
    #expect(pacing.mayBegin(slow, now: time(1_000)))
    pacing.ran(quick, for: .microseconds(300), now: time(1_001))
    // The other caller has stopped writing.
    #expect(pacing.mayBegin(slow, now: time(1_102)))
  }

  @Test mutating func `adds no wait after one write that was slow by chance`() {
    for now in 0..<100 { pacing.ran(quick, for: .microseconds(300), now: time(now)) }
    pacing.ran(quick, for: .milliseconds(3), now: time(106))
    runLong(slow, until: 1_000)
    #expect(pacing.mayBegin(quick, now: time(1_001)))
  }

  @Test mutating func `adds no wait if the writes of all clients are slow`() {
    for now in 1...20 {
      pacing.ran(quick, for: .milliseconds(8), now: time(50 * now))
      pacing.ran(slow, for: .milliseconds(20), now: time(50 * now + 25))
      #expect(pacing.mayBegin(slow, now: time(50 * now + 26)))
      #expect(pacing.mayBegin(quick, now: time(50 * now + 26)))
    }
  }

  @Test mutating func `is not deceived by short writes between long ones`() {
    runLong(slow, until: 1_000)
    for now in 1_001...1_005 { pacing.ran(slow, for: .microseconds(100), now: time(now)) }
    pacing.ran(quick, for: .microseconds(300), now: time(1_006))
    #expect(!pacing.mayBegin(slow, now: time(1_007)))
  }

  @Test mutating func `lets a caller write again at once after some short writes`() {
    runLong(slow, until: 1_000)
    for now in 1_001...1_060 { pacing.ran(slow, for: .microseconds(100), now: time(now)) }
    pacing.ran(quick, for: .microseconds(300), now: time(1_061))
    #expect(pacing.mayBegin(slow, now: time(1_062)))
  }

  @Test mutating func `lets a caller's pieces of long work begin beside the caller's own writes`() {
    let pieces = Turn(caller: slow.caller, isPiece: true)
    for now in 1...10 {
      pacing.ran(pieces, for: .milliseconds(10), now: time(20 * now))
      pacing.ran(slow, for: .microseconds(300), now: time(20 * now + 1))
      #expect(pacing.mayBegin(pieces, now: time(20 * now + 2)))
    }
  }

  @Test mutating func `makes pieces of long work wait after a checkpoint that followed them`() {
    let pieces = Turn(caller: nil, isPiece: true)
    pacing.ran(pieces, for: .milliseconds(1), now: time(10))
    pacing.ran(quick, for: .microseconds(300), now: time(11))
    #expect(pacing.mayBegin(pieces, now: time(12)))
    pacing.ranCheckpoint(for: .milliseconds(10), now: time(22))
    pacing.ran(quick, for: .microseconds(300), now: time(23))
    #expect(!pacing.mayBegin(pieces, now: time(24)))
    // Checkpoints of short writes do not make them wait any longer.
    for now in stride(from: 30, through: 530, by: 10) {
      pacing.ran(quick, for: .microseconds(300), now: time(now))
      pacing.ranCheckpoint(for: .milliseconds(8), now: time(now))
    }
    #expect(pacing.mayBegin(pieces, now: time(531)))
  }

  @Test mutating func `makes background work wait only while there are short writes`() {
    pacing.ran(slow, for: .milliseconds(100), now: time(100))
    #expect(pacing.pause(afterBackground: .milliseconds(10), now: time(101)) == .zero)
    pacing.ran(quick, for: .microseconds(300), now: time(102))
    #expect(
      pacing.pause(afterBackground: .milliseconds(10), now: time(103)) == .milliseconds(500))
    #expect(pacing.pause(afterBackground: .milliseconds(1), now: time(103)) == .zero)
    #expect(pacing.pause(afterBackground: .milliseconds(10), now: time(203)) == .zero)
  }
}
