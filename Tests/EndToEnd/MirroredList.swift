import JSON

/// A list's rows on a client, kept by deltas as a table view keeps them: indices of what goes count in the rows before,
/// of what comes in the rows after.
struct MirroredList: Sendable {
  struct Fault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  private(set) var revision: Int
  /// The rows as the server writes them, without their index.
  private(set) var rows: [JSONValue]

  /// - Parameter page: all of the list's rows, without the sentinel.
  init(_ page: Answer) throws {
    guard page.status == 200, let revision = page.number("/revision"),
      case .array(let rows)? = page.at("/rows")
    else { throw Fault("no page of rows: \(page.status)") }
    self.revision = revision
    self.rows = rows.map(Self.withoutIndex)
  }

  /// Applies a delta that starts at this very revision.
  mutating func apply(_ delta: JSONValue) throws {
    let deletes = try Self.indices(delta["deletes"])
    let reloads = try Self.indices(delta["reloads"])
    let moves = try Self.array(delta["moves"]).map { move in
      (from: try Self.index(move["from"]), to: try Self.index(move["to"]))
    }
    let inserts = try Self.array(delta["inserts"]).map { try Self.entry($0) }
    let reloadsAfter = try Self.array(delta["reloadsAfter"]).map { try Self.entry($0) }
    let before = deletes + moves.map(\.from) + reloads
    guard delta["countBefore"]?.number == rows.count, Set(before).count == before.count,
      before.allSatisfy(rows.indices.contains)
    else { throw Fault("not the rows before: \(delta)") }

    let leaving = Set(deletes + moves.map(\.from))
    var result = rows.indices.filter { !leaving.contains($0) }.map { rows[$0] }
    let arriving = inserts + moves.map { (row: rows[$0.from], index: $0.to) }
    for (row, index) in arriving.sorted(by: { $0.index < $1.index }) {
      guard index <= result.count else { throw Fault("a gap before \(index): \(delta)") }
      result.insert(row, at: index)
    }
    guard delta["countAfter"]?.number == result.count,
      Set(arriving.map(\.index)).count == arriving.count
    else { throw Fault("not the rows after: \(delta)") }
    for (row, index) in reloadsAfter {
      guard result.indices.contains(index), result[index]["id"] == row["id"] else {
        throw Fault("another row at \(index): \(delta)")
      }
      result[index] = row
    }
    guard let revision = delta["toRevision"]?.number else { throw Fault("no revision: \(delta)") }
    self.revision = revision
    rows = result
  }

  private static func entry(_ entry: JSONValue) throws -> (row: JSONValue, index: Int) {
    guard let row = entry["row"] else { throw Fault("no row: \(entry)") }
    return (withoutIndex(row), try index(entry["index"]))
  }

  private static func array(_ value: JSONValue?) throws -> [JSONValue] {
    guard case .array(let elements)? = value else {
      throw Fault("no array: \(String(describing: value))")
    }
    return elements
  }

  private static func indices(_ value: JSONValue?) throws -> [Int] {
    try array(value).map { try index($0) }
  }

  private static func index(_ value: JSONValue?) throws -> Int {
    guard let index = value?.number else { throw Fault("no index: \(String(describing: value))") }
    return index
  }

  private static func withoutIndex(_ row: JSONValue) -> JSONValue {
    MergePatch.apply(["index": nil], to: row)
  }
}
