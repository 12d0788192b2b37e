/// A queue in which callers take turns. The next element is the oldest one of the caller who has waited longest for a
/// turn.
struct TurnQueue<Turn: Hashable & Sendable, Element: Sendable>: Sendable {
  private var lines: [Turn: FirstInFirstOut<Element>] = [:]
  /// The callers with elements in the queue, the next one first.
  private var order: [Turn] = []
  private(set) var count = 0

  /// The number of one caller's elements.
  func count(of turn: Turn) -> Int { lines[turn]?.count ?? 0 }

  mutating func append(_ element: Element, for turn: Turn) {
    if lines[turn] == nil { order.append(turn) }
    lines[turn, default: FirstInFirstOut()].append(element)
    count += 1
  }

  /// Removes the last element of the caller who has the most, if that is at least two more than `turn` has.
  /// Nil also if that element may not give way.
  mutating func giveWay(
    to turn: Turn, where mayGiveWay: (Element) -> Bool = { _ in true }
  ) -> Element? {
    guard let (most, line) = lines.max(by: { $0.value.count < $1.value.count }),
      line.count > count(of: turn) + 1, line.last.map(mayGiveWay) ?? false
    else { return nil }
    count -= 1
    return lines[most]?.takeLast()
  }

  /// Removes and returns the next element.
  ///
  /// - Parameter rank: the rank of a caller's oldest element. The lowest rank is next, and of equal ranks that of the
  ///   caller who has waited longest. An element with the rank nil must wait.
  mutating func take(by rank: (Element) -> Int? = { _ in 0 }) -> Element? {
    var next: (index: Int, rank: Int)?
    for (index, turn) in order.enumerated() {
      guard let rank = lines[turn]?.first.flatMap(rank), rank < next?.rank ?? .max else { continue }
      next = (index, rank)
      if rank == 0 { break }
    }
    guard let index = next?.index else { return nil }
    let turn = order.remove(at: index)
    let element = lines[turn]?.take()
    if lines[turn]?.count == 0 {
      lines[turn] = nil
    } else {
      order.append(turn)
    }
    count -= 1
    return element
  }
}

/// Elements in the order in which they were added. It does not retain removed elements.
private struct FirstInFirstOut<Element: Sendable>: Sendable {
  private var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count - head }

  var first: Element? { head < elements.count ? elements[head] : nil }
  var last: Element? { head < elements.count ? elements[elements.count - 1] : nil }

  mutating func append(_ element: Element) { elements.append(element) }

  /// Removes the last of at least two elements.
  mutating func takeLast() -> Element? { elements.popLast() ?? nil }

  mutating func take() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head].take()
    head += 1
    // Moving the rest to the front costs no more than the removals before it.
    if head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}
