import Foundation
import Testing

@testable import RowhouseClient

/// Deltas and their results, which the tests of the JavaScript client use too.
@Suite struct DeltaTests {
  /// Rows are letters, and their titles and ids.
  struct Example: Decodable, Sendable {
    let name: String
    let before: String
    let delta: Letters
    /// Nil if the delta does not fit the rows.
    let after: String?

    struct Letters: Decodable {
      let countBefore: Int
      let countAfter: Int
      let deletes: [Int]
      let inserts: [Placed]
      let moves: [Delta.Move]
      let reloads: [Int]
      let reloadsAfter: [Placed]
    }

    struct Placed: Decodable {
      let index: Int
      let row: String
    }

    var changes: Delta.Changes {
      Delta.Changes(
        fromRevision: 1, toRevision: 2, list: nil, countBefore: delta.countBefore,
        countAfter: delta.countAfter, deletes: delta.deletes,
        inserts: delta.inserts.map(Self.placed), moves: delta.moves, reloads: delta.reloads,
        reloadsAfter: delta.reloadsAfter.map(Self.placed))
    }

    private static func placed(_ placed: Placed) -> Delta.PlacedRow {
      var row = rows(placed.row)[0]
      row.index = placed.index
      return Delta.PlacedRow(index: placed.index, row: row)
    }
  }

  private static func rows(_ titles: String) -> [Row] {
    titles.enumerated().map { index, title in
      Row(
        id: Row.ID(rawValue: String(title)), index: index, title: String(title), detail: nil,
        canMove: true, canEdit: true, canDelete: true,
        content: .list(
          ListSummary(
            id: Rowhouse.List.ID(rawValue: String(title)), title: String(title), rowCount: 0,
            totalValueInDollars: 0)))
    }
  }

  private static func examples() throws -> [Example] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = tests.appending(path: "Vectors/deltas.json")
    return try JSONDecoder().decode([Example].self, from: Data(contentsOf: file))
  }

  @Test(arguments: try examples().filter { $0.after != nil })
  func `Rows become what the server has`(_ example: Example) {
    var rows = Self.rows(example.before)
    #expect(example.changes.apply(to: &rows))
    #expect(rows.map(\.title).joined() == example.after)
    #expect(rows.map(\.index) == Array(0..<rows.count))
  }

  @Test(arguments: try examples().filter { $0.after == nil })
  func `Changes that do not fit leave the rows alone`(_ example: Example) {
    var rows = Self.rows(example.before)
    #expect(!example.changes.apply(to: &rows))
    #expect(rows == Self.rows(example.before))
  }
}

extension DeltaTests.Example: CustomTestStringConvertible {
  var testDescription: String { name }
}
