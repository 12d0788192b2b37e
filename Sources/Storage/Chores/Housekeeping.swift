import Inventory
import SQL

/// Background work of the writer.
protocol Chore: Sendable {
  /// Whether it may remove lists from the tree.
  var changesTree: Bool { get }

  /// Does one step, in about `Housekeeping.stepDuration`, in the open transaction.
  ///
  /// - Returns: whether there is more to do.
  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool
}

extension Chore {
  var changesTree: Bool { false }
}

/// Runs the chores on the writer's thread, in steps of a few milliseconds. While no write waits, steps run at once.
/// Under constant load they get a small share of the time, which grows with the backlog.
///
/// Each step has a transaction of its own.
final class Housekeeping {
  private let chores: [any Chore]
  private let interval: Duration
  var clock: SettledClock
  /// The index of the current chore.
  private var turn = 0
  /// Whether the last step's chore may remove lists from the tree.
  private(set) var changesTree = false
  /// The number of chores in a row that had nothing to do.
  private var idle = 0
  /// The number of steps in a row that left work to do while writes waited.
  private var backlog = 0
  /// Whether no chore had anything to do when it was last asked.
  private(set) var isDone = false
  /// The earliest time of the next step.
  private(set) var due: ContinuousClock.Instant

  /// The approximate maximum duration of a step.
  static let stepDuration: Duration = .milliseconds(2)
  /// The pause between steps under load. A growing backlog shortens it to a quarter.
  private static let pause: Duration = .milliseconds(100)
  /// The pause after a failed step.
  private static let retryPause: Duration = .seconds(10)

  /// - Parameter interval: the pause once all work is done.
  init(_ chores: [any Chore], interval: Duration, clock: SettledClock) {
    self.chores = chores
    self.interval = interval
    self.clock = clock
    due = .now + interval
  }

  /// How long to wait for a write before the next step; nil without chores.
  var wait: Duration? { chores.isEmpty ? nil : max(.zero, ContinuousClock.now.duration(to: due)) }

  var isDue: Bool { !chores.isEmpty && ContinuousClock.now >= due }

  /// Runs the next step in the open transaction.
  func step(in db: Connection) throws(StorageError) {
    changesTree = chores[turn].changesTree
    var isDone = true
    // Finish one chore before the next begins. One that fails must not keep the others from making room on the disk.
    defer { if isDone { turn = (turn + 1) % chores.count } }
    idle += 1
    if try chores[turn].step(in: db, now: clock.now()) { (isDone, idle) = (false, 0) }
  }

  /// Makes every chore be asked again before `isDone`.
  func startOver() { (idle, isDone) = (0, chores.isEmpty) }

  /// Sets the time of the next step.
  ///
  /// - Parameters:
  ///   - isBusy: whether a write waits.
  ///   - pause: the least pause until the next step while there is more to do.
  func schedule(isBusy: Bool, hasFailed: Bool = false, pause: Duration = .zero) {
    backlog = isBusy && idle == 0 ? backlog + 1 : 0
    isDone = idle >= chores.count
    if isDone { idle = 0 }
    let next = isDone ? interval : isBusy ? max(busyPause, pause) : pause
    due = .now + (hasFailed ? Self.retryPause : next)
  }

  /// The pause under load. It shrinks as the backlog lasts.
  var busyPause: Duration { Self.pause / min(4, 1 + backlog / 10) }
}

/// Limits a step's duration and the text that it deletes.
struct StepTimer {
  private let end: ContinuousClock.Instant
  /// The bytes of indexed text deleted by the step.
  private var text = 0

  /// The search index removes text at about 10 MB a second, after the step and before its commit.
  static let textLimit = 64 << 10

  init(_ duration: Duration = Housekeeping.stepDuration) { end = .now + duration }

  var isOver: Bool { text >= Self.textLimit || ContinuousClock.now >= end }

  mutating func count(text bytes: Int) { text += bytes }
}
