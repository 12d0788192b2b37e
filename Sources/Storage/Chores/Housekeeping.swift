import Inventory
import SQLite

/// Work that nobody waits for.
protocol Chore {
  /// Whether it may take lists from where they are.
  var changesTree: Bool { get }

  /// Does a little of it, in about `Housekeeping.stepDuration`, inside of the open transaction.
  ///
  /// - Returns: whether there is more to do.
  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool
}

extension Chore {
  var changesTree: Bool { false }
}

/// Chores, done by the writer in steps of a few milliseconds: at once while no
/// write waits, and in a small share of the time where they always do, which grows with what is left to be done.
///
/// Each step has a transaction of its own.
final class Housekeeping {
  private let chores: [any Chore]
  private let interval: Duration
  private let now: () -> Timestamp
  /// The chore whose turn it is.
  private var turn = 0
  /// Whether the last step was one of a chore that may take lists from where they are.
  private(set) var changesTree = false
  /// How many chores in a row have had nothing to do.
  private var idle = 0
  /// How many steps in a row have left something to do while writes waited.
  private var backlog = 0
  /// No step comes before this.
  private(set) var due: ContinuousClock.Instant

  /// A step takes about so long at most.
  static let stepDuration: Duration = .milliseconds(2)
  /// Under load a step comes once in this time, and in the end once in a quarter of it.
  private static let pause: Duration = .milliseconds(100)
  /// After a step that failed.
  private static let retryPause: Duration = .seconds(10)

  /// - Parameter interval: the time from the end of all work to the next look for some.
  init(_ chores: [any Chore], interval: Duration, now: @escaping () -> Timestamp) {
    self.chores = chores
    self.interval = interval
    self.now = now
    due = .now + interval
  }

  /// The time to wait for a write before the next step is to be done; nil: there is none to be done.
  var wait: Duration? { chores.isEmpty ? nil : max(.zero, ContinuousClock.now.duration(to: due)) }

  var isDue: Bool { !chores.isEmpty && ContinuousClock.now >= due }

  /// Does the next step inside of the open transaction.
  func step(in db: Connection) throws(StorageError) {
    changesTree = chores[turn].changesTree
    let hasMore = try chores[turn].step(in: db, now: now())
    // One chore at a time is brought to its end; the others then have their turn.
    if hasMore {
      idle = 0
    } else {
      turn = (turn + 1) % chores.count
      idle += 1
    }
  }

  /// Says when the next step is to be done.
  ///
  /// - Parameter isBusy: whether a write waits.
  func schedule(isBusy: Bool, hasFailed: Bool = false) {
    backlog = isBusy && idle == 0 ? backlog + 1 : 0
    let isDone = idle >= chores.count
    if isDone { idle = 0 }
    due = .now + (hasFailed ? Self.retryPause : isDone ? interval : isBusy ? busyPause : .zero)
  }

  /// The longer there has been something left to do, the shorter.
  var busyPause: Duration { Self.pause / min(4, 1 + backlog / 10) }
}

/// A step's time and the text that it deletes, and whether either has reached its bound.
struct StepTimer {
  private let end: ContinuousClock.Instant
  /// Bytes of indexed text that the step has deleted.
  private var text = 0

  /// The search index forgets text at about 10 MB a second, behind the step and before its commit.
  static let textLimit = 64 << 10

  init(_ duration: Duration = Housekeeping.stepDuration) { end = .now + duration }

  var isOver: Bool { text >= Self.textLimit || ContinuousClock.now >= end }

  mutating func count(text bytes: Int) { text += bytes }
}
