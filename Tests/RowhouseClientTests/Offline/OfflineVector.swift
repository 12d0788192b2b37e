import Foundation

@testable import RowhouseClient

/// A line of the corpus: the base and the queue of a client, what the server did, and what the client then shows.
struct OfflineVector: Decodable {
  let seed: Int
  let base: Base
  let queue: [Command]
  let view: View
  let batches: [String: BatchCounts]
  let steps: [Step]

  struct Base: Decodable {
    let revision: Int
    let lists: [KeptList]
    let items: [Item]
  }

  struct KeptList: Decodable {
    let list: Rowhouse.List
    let rows: [Row]

    init(from decoder: any Decoder) throws {
      list = try Rowhouse.List(from: decoder)
      rows = try decoder.container(keyedBy: CodingKeys.self).decode([Row].self, forKey: .rows)
    }

    private enum CodingKeys: String, CodingKey { case rows }
  }

  /// A command without its number.
  struct Command: Decodable {
    let intent: SyncCommand.Intent

    init(from decoder: any Decoder) throws {
      var members = try [String: JSONValue](from: decoder)
      members["sequence"] = 1
      intent = try JSONCoding.decoder.decode(
        SyncCommand.self, from: JSONCoding.encoder.encode(members)
      ).intent
    }
  }

  struct Step: Decodable {
    let answer: SyncAnswer?
    let event: Event?
    let base: Base
    let view: View
    let batches: [String: BatchCounts]
  }

  struct Event: Decodable {
    let revision: Int
    let deltas: [Delta]
    let items: [Item]
    let gone: [String]
  }

  struct BatchCounts: Decodable, Equatable {
    var deletes = 0
    var inserts = 0
    var moves = 0
    var changed = 0
  }

  /// The lists that can be opened, and the items with all their members.
  struct View: Decodable, Equatable {
    var lists: [String: ShownList]
    var items: [String: ShownItem]
  }

  struct ShownList: Decodable, Equatable {
    var title: String
    var parentId: String?
    var sentinel: Sentinel
    var deleteLabel: String
    var rowCount: Int
    var totalValueInDollars: Decimal
    var glyph: String?
    var colour: Rowhouse.List.Colour?
    var rows: [ShownRow]
  }

  struct ShownRow: Decodable, Equatable {
    var id: String?
    var type: String
    var index: Int
    var title: String
    var detail: String?
    var rowCount: Int?
    var totalValueInDollars: Decimal?
    var glyph: String?
    var colour: Rowhouse.List.Colour?
  }

  struct ShownItem: Decodable, Equatable {
    var listId: String
    var kind: Item.Kind
    var name: String?
    var serialNumber: String?
    var valueInDollars: Decimal?
    var quantity: Int
    var notes: String?
    var tags: [String]
    var fields: [String: JSONValue]
    var car: Car?
  }
}

extension OfflineTree {
  init(_ base: OfflineVector.Base) {
    self.init()
    for list in base.lists {
      take(
        MirroredList(
          list: list.list, rows: list.rows.filter { !$0.isSentinel },
          sentinel: list.rows.last { $0.isSentinel }))
    }
    for item in base.items { items[RowKey(item.id)] = item }
  }

  var shown: OfflineVector.View {
    var view = OfflineVector.View(lists: [:], items: [:])
    for (key, node) in nodes {
      let list = node.list
      view.lists[list.id.rawValue] = OfflineVector.ShownList(
        title: list.title, parentId: list.parentID?.rawValue, sentinel: list.sentinel,
        deleteLabel: list.deleteLabel, rowCount: list.rowCount,
        totalValueInDollars: list.totalValueInDollars, glyph: list.glyph, colour: list.colour,
        rows: (shownRows(of: key) ?? []).map(OfflineVector.ShownRow.init))
    }
    for item in items.values {
      view.items[item.id.rawValue] = OfflineVector.ShownItem(
        listId: item.listID.rawValue, kind: item.kind, name: item.name,
        serialNumber: item.serialNumber, valueInDollars: item.valueInDollars,
        quantity: item.quantity, notes: item.notes, tags: item.tags, fields: item.fields,
        car: item.car)
    }
    return view
  }
}

extension OfflineVector.ShownRow {
  init(_ row: Row) {
    let (type, summary): (String, ListSummary?) =
      switch row.content {
      case .list(let list): ("list", list)
      case .item: ("item", nil)
      case .sentinel: ("sentinel", nil)
      }
    self.init(
      id: row.isSentinel ? nil : row.id.rawValue, type: type, index: row.index, title: row.title,
      detail: row.detail, rowCount: summary?.rowCount,
      totalValueInDollars: summary?.totalValueInDollars, glyph: summary?.glyph,
      colour: summary?.colour)
  }
}
