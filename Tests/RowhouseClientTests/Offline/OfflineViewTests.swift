import Foundation
import Testing

@testable import RowhouseClient

/// A list of things on a shelf, and a box in it that is not kept.
@Suite struct OfflineViewTests {
  private var tree = OfflineTree()
  private let shelf = Rowhouse.List.ID(rawValue: "00000000-0000-0000-0000-00000000000f")

  init() throws {
    let things = (1...5).map { number in
      Row(
        ItemSummary(
          id: Item.ID(rawValue: id(number).rawValue), kind: .thing, name: "Thing \(number)",
          serialNumber: nil, valueInDollars: 10, quantity: 1, tags: [], car: nil,
          contentsListID: nil, photo: nil))
    }
    var list = try #require(
      Rowhouse.List(["id": .string(shelf.rawValue), "title": "Shelf"], at: .distantPast))
    list.rowCount = 5
    list.totalValueInDollars = 50
    tree.take(MirroredList(list: list, rows: things, sentinel: nil))
  }

  private func id(_ number: Int) -> Row.ID {
    Row.ID(rawValue: "00000000-0000-0000-0000-00000000000\(number)")
  }

  private func titles(_ tree: OfflineTree) -> [String] {
    (tree.shownRows(of: RowKey(shelf)) ?? []).map {
      $0.isSentinel ? "|" : String($0.title.suffix(1))
    }
  }

  private func after(_ intents: SyncCommand.Intent...) -> OfflineTree {
    tree.view(
      with: intents.map {
        QueuedCommand(id: 0, intent: $0, date: .distantPast, title: "", size: 0)
      })
  }

  @Test func `A key is its UUID in either case`() {
    let text = "0198c0de-89ab-7cde-8f01-0000000000c1"
    #expect(RowKey(text).text == text)
    #expect(RowKey(text.uppercased()) == RowKey(text))
    #expect(RowKey("root") == RowKey("0198c0de"))
    #expect(RowKey("root") != RowKey(text))
  }

  @Test func `Rows that move stand together at a position among the others`() {
    let (one, two, four) = (id(1), id(2), id(4))
    #expect(
      titles(after(.moveRows([four, one], into: shelf, at: .after(two)))).joined() == "24135|")
    #expect(titles(after(.moveRows([two], into: shelf, at: .before(two)))).joined() == "12345|")
    #expect(
      titles(after(.moveRows([two], into: shelf, at: .before(two).or(.last)))).joined() == "13452|")
    #expect(titles(after(.moveRows([four], into: shelf, at: .first))).joined() == "41235|")
  }

  @Test func `A deleted row comes back beside the neighbour that is left`() throws {
    let back = after(
      .delete(id(3), recursive: false), .delete(id(2), recursive: false),
      .moveRows([id(4)], into: shelf, at: .first), .restore(id(3), into: nil, at: nil))
    #expect(titles(back).joined() == "4135|" || titles(back).joined() == "3415|")
    let list = try #require(back.nodes[RowKey(shelf)]?.list)
    #expect(list.rowCount == 4)
    #expect(list.totalValueInDollars == 40)
  }

  @Test func `A restored list comes back with the items below it`() throws {
    let box = Rowhouse.List.ID(rawValue: "00000000-0000-0000-0000-0000000000b0")
    let view = after(
      .createList(["id": .string(box.rawValue), "title": "Box 6"], in: shelf, at: .first),
      .createItem(["id": .string(id(7).rawValue), "name": "Nail"], in: box, at: .last),
      .delete(Row.ID(box), recursive: true), .restore(Row.ID(box), into: nil, at: nil))
    #expect(titles(view).joined() == "612345|")
    #expect(view.nodes[RowKey(box)]?.order == [RowKey(id(7))])
    #expect(view.items[RowKey(id(7))]?.listID == box)
  }

  @Test func `A list does not move into itself`() throws {
    let box = Rowhouse.List.ID(rawValue: "00000000-0000-0000-0000-0000000000b0")
    let inner = Rowhouse.List.ID(rawValue: "00000000-0000-0000-0000-0000000000b1")
    let view = after(
      .createList(["id": .string(box.rawValue), "title": "Box 6"], in: shelf, at: .first),
      .createList(["id": .string(inner.rawValue), "title": "Inner"], in: box, at: .last),
      .moveRows([id(1)], into: inner, at: .last), .moveRows([Row.ID(box)], into: inner, at: .last))
    #expect(titles(view).joined() == "62345|")
    #expect(view.nodes[RowKey(inner)]?.list.totalValueInDollars == 10)
    let without = after(
      .createList(["id": .string(box.rawValue), "title": "Box 6"], in: shelf, at: .first),
      .moveRows([id(1)], into: box, at: .last), .delete(Row.ID(box), recursive: false))
    #expect(titles(without).joined() == "62345|")
  }

  @Test func `A batch leads from any rows to any others, with the fewest moves`() throws {
    var numbers = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let all = (0..<12).map { number in
        Row(
          ListSummary(
            id: .init(rawValue: "\(number)"), title: "\(number)", rowCount: 0,
            totalValueInDollars: 0))
      }
      func some() -> [Row] {
        all.shuffled(using: &numbers).prefix(.random(in: 0...12)).enumerated().map { index, row in
          var row = row
          row.index = index
          if Bool.random() { row.detail = "changed" }
          return row
        }
      }
      let (old, new) = (some(), some())
      var table = ShownTable()
      table.show(old)
      try table.perform(ListBatch(from: old, to: new), towards: new)
    }
    let old = tree.shownRows(of: RowKey(shelf)) ?? []
    let moved = after(.moveRows([id(1)], into: shelf, at: .last)).shownRows(of: RowKey(shelf)) ?? []
    #expect(ListBatch(from: old, to: moved).moves == [Delta.Move(from: 0, to: 4)])
    #expect(ListBatch(from: old, to: old).isEmpty)
  }
}
