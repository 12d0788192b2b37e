import Inventory

/// The difference of two versions of a list's rows, found by comparing them row by row.
package struct PlainDelta {
  let before: ArrayState.Version
  let after: ArrayState.Version

  /// Whose own root has no parent to be seen.
  let caller: Caller

  init(from before: ArrayState.Version, to after: ArrayState.Version, for caller: Caller) {
    self.before = before
    self.after = after
    self.caller = caller
  }

  func delta(of list: ListID, from: Revision, to: Revision) -> Delta {
    let changes = changes(of: list)
    let count =
      changes.deletes.count + changes.inserts.count + changes.moves.count
      + changes.reloadsAfter.count
    return Delta(
      listID: list, fromRevision: from, toRevision: to,
      content: count > Delta.maximumEntries ? .resync : .changes(changes))
  }

  private func changes(of list: ListID) -> Delta.Changes {
    var fields = ListFields(between: before.details, and: after.details)
    if before.parent != after.parent { fields.insert(.parent) }
    let parent = fields.contains(.parent) && list != caller.root ? after.parent : nil
    var changes = Delta.Changes(
      list: fields.isEmpty
        ? nil
        : Delta.ChangedFields(
          fields: fields, details: after.details, parentID: parent),
      permissions: after.details.permissions, countBefore: before.rows.count,
      countAfter: after.rows.count)

    let old = Dictionary(uniqueKeysWithValues: before.rows.map { ($0.id, $0) })
    let present = Set(after.rows.map(\.id))
    changes.deletes = before.rows.filter { !present.contains($0.id) }.map(\.index)
    changes.inserts = after.rows.filter { old[$0.id] == nil }

    let kept = after.rows.compactMap { new in old[new.id].map { (old: $0, new: new) } }
    let unmoved = Self.longestIncreasing(kept.map(\.old.index.value))
    for (position, row) in kept.enumerated() {
      let isUnmoved = unmoved.contains(position)
      if !isUnmoved {
        changes.moves.append(Delta.Move(from: row.old.index, to: row.new.index))
      }
      if row.old.content != row.new.content {
        if isUnmoved { changes.reloads.append(row.old.index) }
        changes.reloadsAfter.append(row.new)
      }
    }
    return changes
  }

  /// The positions of a longest increasing subsequence of distinct numbers, in quadratic time.
  package static func longestIncreasing(_ numbers: [Int]) -> Set<Int> {
    // Numbers at the ends that are at their sorted places belong to a longest one. Leaving them out of the search
    // keeps a single move in a long list cheap.
    let sorted = numbers.sorted()
    let start = zip(numbers, sorted).prefix { $0 == $1 }.count
    let end =
      numbers.count
      - zip(numbers.dropFirst(start).reversed(), sorted.dropFirst(start).reversed())
      .prefix { $0 == $1 }.count

    var length = [Int](repeating: 1, count: numbers.count)
    var previous = [Int?](repeating: nil, count: numbers.count)
    var last: Int?
    for position in start..<end {
      for earlier in start..<position
      where numbers[earlier] < numbers[position] && length[earlier] + 1 > length[position] {
        length[position] = length[earlier] + 1
        previous[position] = earlier
      }
      if last.map({ length[position] > length[$0] }) ?? true { last = position }
    }
    var chosen = Set(0..<start).union(end..<numbers.count)
    while let position = last {
      chosen.insert(position)
      last = previous[position]
    }
    return chosen
  }
}
