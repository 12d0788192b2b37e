import Testing

@testable import RowhouseClient

@Suite struct DeltaTests {
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

  private static func placed(_ title: String, at index: Int) -> Delta.PlacedRow {
    var row = rows(title)[0]
    row.index = index
    return Delta.PlacedRow(index: index, row: row)
  }

  private static func changes(
    _ before: Int, _ after: Int, deletes: [Int] = [], inserts: [Delta.PlacedRow] = [],
    moves: [Delta.Move] = [], reloads: [Int] = [], reloadsAfter: [Delta.PlacedRow] = []
  ) -> Delta.Changes {
    Delta.Changes(
      fromRevision: 1, toRevision: 2, list: nil, countBefore: before, countAfter: after,
      deletes: deletes, inserts: inserts, moves: moves, reloads: reloads, reloadsAfter: reloadsAfter
    )
  }

  static let applied: [(before: String, changes: Delta.Changes, after: String)] = [
    ("abc", changes(3, 3), "abc"),
    ("abc", changes(3, 2, deletes: [1]), "ac"),
    ("abc", changes(3, 4, inserts: [placed("d", at: 0)]), "dabc"),
    ("", changes(0, 2, inserts: [placed("a", at: 0), placed("b", at: 1)]), "ab"),
    ("abcd", changes(4, 4, moves: [Delta.Move(from: 3, to: 0)]), "dabc"),
    (
      "abcd",
      changes(
        4, 4, deletes: [1], inserts: [placed("e", at: 2)], moves: [Delta.Move(from: 0, to: 3)]),
      "cdea"
    ),
    ("ab", changes(2, 2, reloadsAfter: [placed("c", at: 1)]), "ac"),
  ]

  @Test(arguments: applied)
  func `Rows become what the server has`(
    _ example: (before: String, changes: Delta.Changes, after: String)
  ) {
    var rows = Self.rows(example.before)
    #expect(example.changes.apply(to: &rows))
    #expect(rows.map(\.title).joined() == example.after)
    #expect(rows.map(\.index) == Array(0..<rows.count))
  }

  static let refused = [
    changes(2, 2), changes(3, 3, deletes: [1]), changes(3, 2, deletes: [3]),
    changes(3, 3, moves: [Delta.Move(from: 0, to: 3)]),
    changes(3, 4, inserts: [placed("d", at: 4)]),
    changes(3, 3, reloadsAfter: [placed("d", at: 7)]),
    changes(3, 3, reloads: [3]), changes(3, 1, deletes: [1, 1]),
    changes(3, 3, deletes: [0], inserts: [placed("d", at: 1)], moves: [Delta.Move(from: 0, to: 2)]),
    changes(3, 3, moves: [Delta.Move(from: 0, to: 1), Delta.Move(from: 2, to: 1)]),
  ]

  @Test(arguments: refused)
  func `Changes that do not fit leave the rows alone`(_ changes: Delta.Changes) {
    var rows = Self.rows("abc")
    #expect(!changes.apply(to: &rows))
    #expect(rows == Self.rows("abc"))
  }
}
