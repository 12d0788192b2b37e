/// One request about one list and its answer, with the times between which it ran.
struct RecordedCall: Sendable {
  enum Request: Sendable, Equatable {
    case read
    case insert(String, Place)
    case move(from: Int, to: Int, id: String?)
    case delete(index: Int, id: String)
  }

  enum Place: Sendable, Equatable {
    case index(Int)
    case before(String)
    case after(String)
  }

  enum Answer: Sendable, Equatable {
    case rows([String], revision: Int)
    case changed(revision: Int, RowDelta)
    case unchanged(revision: Int)
    /// `index`: where the row is that is meant, if the answer says.
    case refused(code: String, index: Int?)
  }

  var request: Request
  var answer: Answer
  /// In nanoseconds of one clock for all clients.
  var began: UInt64
  var ended: UInt64

  /// The revision that the answer names.
  var revision: Int? {
    switch answer {
    case .rows(_, let revision), .changed(let revision, _), .unchanged(let revision): revision
    case .refused: nil
    }
  }

  var isChange: Bool { if case .changed = answer { true } else { false } }

  /// The rows of the list after the request.
  func effect(on rows: [String]) -> Effect {
    switch request {
    case .read: return .rows(rows)
    case .insert(let id, let place):
      var after = rows
      switch place {
      case .index(let index): after.insert(id, at: min(index, rows.count))
      case .before(let anchor), .after(let anchor):
        guard let index = rows.firstIndex(of: anchor) else {
          return .refused(code: "anchor_gone", index: nil)
        }
        after.insert(id, at: place == .before(anchor) ? index : index + 1)
      }
      return .rows(after)
    case .move(let from, let to, let id):
      if let refusal = refusal(id, at: from, in: rows) { return refusal }
      guard from < rows.count else {
        return .refused(code: from == rows.count ? "sentinel_immovable" : "invalid", index: nil)
      }
      var after = rows
      after.insert(after.remove(at: from), at: min(to, rows.count - 1))
      return .rows(after)
    case .delete(let index, let id):
      if let refusal = refusal(id, at: index, in: rows) { return refusal }
      return .rows(Array(rows[..<index] + rows[(index + 1)...]))
    }
  }

  enum Effect: Equatable {
    case rows([String])
    case refused(code: String, index: Int?)
  }

  private func refusal(_ id: String?, at index: Int, in rows: [String]) -> Effect? {
    guard let id else { return nil }
    let present = rows.firstIndex(of: id)
    return present == index ? nil : .refused(code: "row_moved", index: present)
  }
}

/// A delta as far as the order of rows goes.
struct RowDelta: Sendable, Equatable {
  struct Insertion: Sendable, Equatable {
    var index: Int
    var id: String
  }
  struct Move: Sendable, Equatable {
    var from: Int
    var to: Int
  }

  var from: Int
  var to: Int
  var deletes: [Int] = []
  var inserts: [Insertion] = []
  var moves: [Move] = []

  /// As a table view applies it; nil where that would throw an exception.
  func applied(to rows: [String]) -> [String]? {
    let leaving = deletes + moves.map(\.from)
    guard leaving.allSatisfy(rows.indices.contains), Set(leaving).count == leaving.count else {
      return nil
    }
    var result = rows.indices.filter { !leaving.contains($0) }.map { rows[$0] }
    let arriving = inserts.map { ($0.index, $0.id) } + moves.map { ($0.to, rows[$0.from]) }
    for (index, id) in arriving.sorted(by: { $0.0 < $1.0 }) {
      guard index <= result.count else { return nil }
      result.insert(id, at: index)
    }
    return result
  }
}
