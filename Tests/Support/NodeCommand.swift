import Inventory

/// A `Command` as plain data, so that it can be replayed in another store and printed as Swift.
///
/// Lists and items are called by numbers; 0 is the root list.
package enum NodeCommand: Sendable, Equatable {
  case createList(Int, in: Int, NodeList, NodePosition)
  case createItem(Int, in: Int, NodeItem, NodePosition)
  case appendItems([Int], to: Int, NodeItem)
  case makeContents(of: Int, Int)
  case editList(Int, NodeListEdit)
  case editItem(Int, NodeItemEdit)
  case moveRow(in: Int, from: Int, to: Int, expecting: Int?)
  case relocate(Int, into: Int?, NodePosition)
  case moveRows([Int], into: Int, NodePosition)
  case reorder(Int, [Int])
  case sort(Int, by: String)
  case delete(Int, kind: NodeKind, isRecursive: Bool)
  case deleteRowAt(Int, index: Int, expecting: Int?, isRecursive: Bool)
  case addPhoto(Int, to: Int, NodePhoto)
  case deletePhoto(Int, of: Int)
  case reorderPhotos(of: Int, [Int])
  case makeNavigator(Int, NodeNavigatorEdit)
  case editNavigator(Int, NodeNavigatorEdit)
  case deleteNavigator(Int)
  case setAppearance(title: UInt32)
  case limitDepth(Int?)
  case undo(Int64)
  case restore(Int, into: Int?, NodePosition?)
  case purge(Int)
  case merge([NodeRecord], into: Int)
  case upsertItems([NodeUpsert], in: Int)
  /// Into nothing: it replaces the inventory.
  case stage(Int, into: Int?, [NodeRecord])
  case finishImport(Int)
  case abandonImport(Int)
  case batch(Int, NodeBatch)
}

package enum NodeKind: Sendable, Equatable { case any, list, item }

package enum NodePosition: Sendable, Equatable {
  case first, last
  case index(Int)
  case before(Int)
  case after(Int)
}

package struct NodeList: Sendable, Equatable {
  package var title: String
  package var itemKind: String
  package var permissions: UInt8

  package init(title: String, itemKind: String = "any", permissions: UInt8 = 15) {
    self.title = title
    self.itemKind = itemKind
    self.permissions = permissions
  }
}

package struct NodeItem: Sendable, Equatable {
  package var name: String
  package var isCar: Bool
  package var serialNumber: String?
  package var value: Int64?
  package var quantity: Int64
  package var createdAt: Int64?

  package init(
    name: String, isCar: Bool = false, serialNumber: String? = nil, value: Int64? = nil,
    quantity: Int64 = 1, createdAt: Int64? = nil
  ) {
    self.name = name
    self.isCar = isCar
    self.serialNumber = serialNumber
    self.value = value
    self.quantity = quantity
    self.createdAt = createdAt
  }
}

package enum NodeListEdit: Sendable, Equatable {
  case nothing
  case refusal
  case title(String)
  case itemKind(String)
  case permissions(UInt8)
  case sentinel(String?, isVisible: Bool)
  case deleteLabel(String?)
  case looks(glyph: String?, ListColour?)
}

package enum NodeItemEdit: Sendable, Equatable {
  case nothing
  case refusal
  case name(String)
  case serialNumber(String?)
  case value(Int64?, quantity: Int64)
  case notes(String?)
  case tags([String])
  case fields(String)
  case make(String?)
}

extension NodeCommand {
  /// - Parameter upload: what the command's `pieces` have been staged as.
  package func command(
    _ names: NodeNames, _ upload: UploadID = UploadID(.version7())
  ) -> Command {
    switch self {
    case .createList(let id, let parent, let list, let position):
      .createList(
        NewList(
          id: names.list(id), parent: names.reference(parent), details: list.details,
          position: position.position(names)))
    case .createItem(let id, let list, let item, let position):
      .createItem(
        item.newItem(names.item(id)), in: names.reference(list), position.position(names))
    case .appendItems(let ids, let list, let item):
      .appendItems(ids.map { item.newItem(names.item($0)) }, to: names.reference(list))
    case .makeContents(let item, let id): .makeContents(of: names.item(item), id: names.list(id))
    case .editList(let list, let change):
      .editList(names.reference(list)) { (old) throws(InventoryError) in try change.apply(to: old) }
    case .editItem(let item, let change):
      .editItem(names.item(item)) { (old) throws(InventoryError) in try change.apply(to: old) }
    case .moveRow(let list, let from, let to, let expected):
      .moveRow(
        in: names.reference(list), from: from, to: to, expecting: expected.map(names.row))
    case .relocate(let row, let list, let position):
      .relocate(
        names.row(row), into: list.map(names.reference), position.position(names))
    case .moveRows(let rows, let list, let position):
      .moveRows(rows.map(names.row), into: names.reference(list), position.position(names))
    case .reorder(let list, let rows): .reorder(names.reference(list), .ids(rows.map(names.row)))
    case .sort(let list, let order):
      .reorder(names.reference(list), .sorted(SortOrder(text: order) ?? SortOrder(key: .title)))
    case .delete(let row, let kind, let isRecursive):
      .deleteRow(names.row(row), kind: kind.kind, isRecursive: isRecursive)
    case .deleteRowAt(let list, let index, let expected, let isRecursive):
      .deleteRowAt(
        names.reference(list), index: index, expecting: expected.map(names.row),
        isRecursive: isRecursive)
    case .addPhoto(let number, let item, let photo):
      .addPhoto(photo.newPhoto(number, upload, names), to: names.item(item))
    case .deletePhoto(let photo, let item): .deletePhoto(names.photo(photo), of: names.item(item))
    case .reorderPhotos(let item, let photos):
      .reorderPhotos(of: names.item(item), photos.map(names.photo))
    case .makeNavigator(let id, let edit):
      .makeNavigator(names.navigator(id)) { (snapshot) throws(InventoryError) in
        try edit.apply(to: edit.blank(names), snapshot, names)
      }
    case .editNavigator(let id, let edit):
      .editNavigator(names.navigator(id)) { (old, snapshot) throws(InventoryError) in
        try edit.apply(to: old, snapshot, names)
      }
    case .deleteNavigator(let id): .deleteNavigator(names.navigator(id))
    case .setAppearance(let title): .setAppearance(Self.appearance(title: title))
    case .limitDepth(let level):
      .editInventory { _ in level.flatMap { DepthLimit(level: $0) } }
    case .undo(let revision): .undo(Revision(revision))
    case .restore(let row, let list, let position):
      .restore(names.row(row), into: list.map(names.reference), position?.position(names))
    case .purge(let row): .purge(names.row(row))
    case .merge(let records, let list):
      .merge(Self.numbered(records, names, upload), into: names.reference(list))
    case .stage(let id, let list, let records):
      .stage(
        names.upload(id), list.map { .end(of: names.reference($0)) } ?? .inventory,
        Self.numbered(records, names, upload))
    case .finishImport(let id):
      .finishImport(
        names.upload(id),
        id.isMultiple(of: 2) ? Self.appearance(title: UInt32(id % 3)) : nil)
    case .abandonImport(let id): .abandonImport(names.upload(id))
    case .upsertItems(let upserts, let list):
      .upsertItems(
        upserts.enumerated().map { $0.element.upsert(line: $0.offset + 2, names) },
        in: names.reference(list))
    case .batch(let list, let batch): .batch(names.reference(list), batch.batch(names))
    }
  }

  private static func numbered(
    _ records: [NodeRecord], _ names: NodeNames, _ upload: UploadID
  ) -> [NumberedRecord] {
    records.enumerated().map {
      NumberedRecord(line: $0.offset + 2, record: $0.element.record(names, upload))
    }
  }

  private static func appearance(title: UInt32) -> Appearance {
    var appearance = Appearance.calm
    appearance.title = Tint(title)
    appearance.currency = title == 0 ? Currency(text: "EUR") : nil
    return appearance
  }

  /// What `If-Match` is compared with.
  package var subject: Int {
    switch self {
    case .createList(_, let list, _, _), .createItem(_, let list, _, _),
      .appendItems(_, let list, _), .editList(let list, _), .moveRow(let list, _, _, _),
      .moveRows(_, let list, _),
      .reorder(let list, _), .sort(let list, _), .deleteRowAt(let list, _, _, _),
      .merge(_, let list), .upsertItems(_, let list), .batch(let list, _):
      list
    case .makeContents(let row, _), .editItem(let row, _), .relocate(let row, _, _),
      .delete(let row, _, _), .restore(let row, _, _), .purge(let row), .addPhoto(_, let row, _),
      .deletePhoto(_, let row), .reorderPhotos(let row, _):
      row
    case .makeNavigator(let id, _), .editNavigator(let id, _), .deleteNavigator(let id): id
    case .stage(_, let list, _): list ?? 0
    case .setAppearance, .limitDepth, .undo, .finishImport, .abandonImport: 0
    }
  }
}

extension NodeKind {
  fileprivate var kind: RowKind {
    switch self {
    case .any: .any
    case .list: .list
    case .item: .item
    }
  }
}

extension NodePosition {
  fileprivate func position(_ names: NodeNames) -> Position {
    switch self {
    case .first: .first
    case .last: .last
    case .index(let index): .index(index)
    case .before(let anchor): .before(names.row(anchor))
    case .after(let anchor): .after(names.row(anchor))
    }
  }
}

extension NodeCommand {
  /// Whether it sends a photo's bytes before its command.
  var isPhoto: Bool { if case .addPhoto = self { true } else { false } }

  /// Whether writes that are sent after it may be made before it.
  var mayTakeLong: Bool {
    switch self {
    case .reorder, .sort, .undo: true
    default: false
    }
  }
}
