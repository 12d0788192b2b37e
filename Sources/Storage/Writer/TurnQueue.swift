/// A queue in which callers take turns: next is the oldest element of the caller whose turn was the longest ago.
struct TurnQueue<Turn: Hashable & Sendable, Element: Sendable>: Sendable {
  private var lines: [Turn: FirstInFirstOut<Element>] = [:]
  /// Those who have something in the queue, the next first.
  private var order: [Turn] = []
  private(set) var count = 0

  /// How much of one caller waits.
  func count(of turn: Turn) -> Int { lines[turn]?.count ?? 0 }

  mutating func append(_ element: Element, for turn: Turn) {
    if lines[turn] == nil { order.append(turn) }
    lines[turn, default: FirstInFirstOut()].append(element)
    count += 1
  }

  /// Takes the next of those whose turn it may be.
  mutating func take(where mayBeNext: (Turn) -> Bool = { _ in true }) -> Element? {
    guard let index = order.firstIndex(where: mayBeNext) else { return nil }
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

/// Elements in the order in which they came. Keeps nothing of what it has handed out.
private struct FirstInFirstOut<Element: Sendable>: Sendable {
  private var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count - head }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func take() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head].take()
    head += 1
    // Moving the rest to the front costs no more than what was taken before.
    if head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}
