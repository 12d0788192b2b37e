extension ListBatch {
  /// The batch that turns some rows into others, with the fewest moves: of the rows in both, a longest sequence that is
  /// in order stays.
  init(from old: [Row], to new: [Row]) {
    var start = 0
    while start < min(old.count, new.count), old[start].id == new[start].id { start += 1 }
    var end = 0
    while end < min(old.count, new.count) - start,
      old[old.count - 1 - end].id == new[new.count - 1 - end].id
    { end += 1 }

    var sources: [Row.ID: Int] = [:]
    for index in start..<old.count - end { sources[old[index].id] = index }
    var (kept, inserts): ([Delta.Move], [Int]) = ([], [])
    for index in start..<new.count - end {
      if let source = sources.removeValue(forKey: new[index].id) {
        kept.append(Delta.Move(from: source, to: index))
      } else {
        inserts.append(index)
      }
    }
    let staying = Self.longestOrdered(kept.map(\.from))
    let moves = kept.indices.filter { !staying[$0] }.map { kept[$0] }

    var (reloads, reconfigures, changed): ([Int], [Int], [Int]) = ([], [], [])
    func compare(_ source: Int, _ target: Int, isMoved: Bool = false) {
      guard !old[source].shows(new[target]) else { return }
      changed.append(target)
      if isMoved { reconfigures.append(target) } else { reloads.append(source) }
    }
    for index in 0..<start { compare(index, index) }
    for (move, isStaying) in zip(kept, staying) {
      compare(move.from, move.to, isMoved: !isStaying)
    }
    for index in 0..<end { compare(old.count - end + index, new.count - end + index) }

    self.init(
      deletes: sources.values.sorted(), inserts: inserts, moves: moves, reloads: reloads,
      reconfigures: reconfigures, changed: changed)
  }

  /// Which numbers are in a longest rising sequence (patience sorting).
  ///
  /// - Parameter numbers: Different numbers.
  private static func longestOrdered(_ numbers: [Int]) -> [Bool] {
    /// The index of the smallest number that ends a rising sequence of each length.
    var ends: [Int] = []
    var previous: [Int] = []
    previous.reserveCapacity(numbers.count)
    for (index, number) in numbers.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      previous.append(low > 0 ? ends[low - 1] : -1)
      if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var isIn = Array(repeating: false, count: numbers.count)
    var index = ends.last ?? -1
    while index >= 0 {
      isIn[index] = true
      index = previous[index]
    }
    return isIn
  }
}

extension Row {
  /// Whether another row looks the same, wherever it is.
  fileprivate func shows(_ other: Row) -> Bool {
    title == other.title && detail == other.detail && canMove == other.canMove
      && canEdit == other.canEdit && canDelete == other.canDelete && content == other.content
  }
}
