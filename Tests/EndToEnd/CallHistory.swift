/// All calls about one list without other writers. Reports how they contradict that each took
/// effect at one moment between its beginning and its end (Herlihy and Wing, 1990).
///
/// The revisions tell the order of the changes, so there is nothing to search for: they are replayed
/// on an array, and every answer must be right at a revision that real time allows.
struct CallHistory: Sendable {
  var start: (rows: [String], revision: Int)
  var calls: [RecordedCall]

  /// What is wrong; nothing if the calls could have happened one after another.
  func faults() -> [String] {
    let changes = calls.filter(\.isChange).sorted { ($0.revision ?? 0) < ($1.revision ?? 0) }
    let expected = Array(start.revision + 1..<start.revision + 1 + changes.count)
    guard changes.map(\.revision) == expected else {
      return ["the changes' revisions are not \(expected.first ?? 0) to \(expected.last ?? 0)"]
    }
    var states = [start.rows]
    for change in changes {
      let before = states[states.count - 1]
      guard case .rows(let after) = change.effect(on: before) else {
        return ["refused by the rows at its revision: \(change)"]
      }
      guard case .changed(let revision, let delta) = change.answer, after != before,
        delta.from == revision - 1, delta.to == revision, delta.applied(to: before) == after
      else { return ["its delta does not do what it does: \(change)"] }
      states.append(after)
    }
    return calls.compactMap { fault(in: $0, states) }
  }

  private func fault(in call: RecordedCall, _ states: [[String]]) -> String? {
    let window = window(of: call, last: start.revision + states.count - 1)
    guard window.earliest <= window.latest else { return "no moment is left for it: \(call)" }
    func rows(at revision: Int) -> [String] { states[revision - start.revision] }
    if let revision = call.revision {
      guard (window.earliest...window.latest).contains(revision) else {
        return "its revision is not in \(window): \(call)"
      }
      switch call.answer {
      case .rows(let seen, _): return seen == rows(at: revision) ? nil : "other rows: \(call)"
      case .unchanged:
        let isRight = call.effect(on: rows(at: revision)) == .rows(rows(at: revision))
        return isRight ? nil : "it would have changed the rows: \(call)"
      case .changed, .refused: return nil
      }
    }
    guard case .refused(let code, let index) = call.answer else { return nil }
    // A refusal names no revision: it has to be right at one of those that it can have seen.
    let isRight = (window.earliest...window.latest).contains { revision in
      call.effect(on: rows(at: revision)) == .refused(code: code, index: index)
    }
    return isRight ? nil : "nothing refused it: \(call)"
  }

  /// The revisions that a call can have met: not older than what was answered before it began, and
  /// older than the changes that began after it ended. A change is one more than what it met.
  private func window(of call: RecordedCall, last: Int) -> (earliest: Int, latest: Int) {
    var (earliest, latest) = (start.revision, last)
    for other in calls {
      guard let revision = other.revision else { continue }
      if other.ended < call.began { earliest = max(earliest, revision) }
      if other.began > call.ended {
        latest = min(latest, other.isChange ? revision - 1 : revision)
      }
    }
    if call.isChange { earliest += 1 }
    return (earliest, max(latest, earliest - 1))
  }
}
