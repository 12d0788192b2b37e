import Synchronization

/// Lets so many take a turn at once.
final class Turns: Sendable {
  private let limit: Int
  private let taken = Mutex(0)

  init(limit: Int) { self.limit = limit }

  /// A turn that lasts as long as it is held; nil where all are taken.
  func take() -> Turn? {
    let isFree = taken.withLock { taken in
      guard taken < limit else { return false }
      taken += 1
      return true
    }
    return isFree ? Turn(self) : nil
  }

  fileprivate func giveBack() { taken.withLock { $0 -= 1 } }
}

final class Turn: Sendable {
  private let turns: Turns
  private let isOver = Atomic<Bool>(false)

  fileprivate init(_ turns: Turns) { self.turns = turns }
  deinit { end() }

  /// The next may have it, while who had it answers.
  func end() {
    if !isOver.exchange(true, ordering: .relaxed) { turns.giveBack() }
  }
}
