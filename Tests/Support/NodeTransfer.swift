import Inventory

/// A line of an import as plain data.
package struct NodeRecord: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    case list(NodeList)
    /// Of the holder, which is an item.
    case contents(NodeList)
    case item(NodeItem)
    /// Of the holder, which is an item.
    case photo(NodePhoto)
  }

  package var id: Int
  /// Nil: the top.
  package var holder: Int?
  package var content: Content
  /// The omitted fields of an item or a list, for a merge.
  package var absent = AbsentFields()

  package init(_ id: Int, in holder: Int?, _ content: Content) {
    self.id = id
    self.holder = holder
    self.content = content
  }

  /// - Parameter upload: what the pieces of the whole import have been staged for.
  func record(_ names: NodeNames, _ upload: UploadID) -> TransferRecord {
    switch content {
    case .list(let list):
      .list(transferred(list, holder.map { .list(names.list($0)) } ?? .nothing, names))
    case .contents(let list): .list(transferred(list, .item(names.item(holder ?? 0)), names))
    case .item(let item):
      .item(transferred(item, names))
    case .photo(let photo):
      .photo(
        photo.transferred(id, of: names.item(holder ?? 0), upload.part(id), names))
    }
  }

  private func transferred(
    _ list: NodeList, _ holder: TransferredList.Holder, _ names: NodeNames
  ) -> TransferredList {
    var result = TransferredList(
      id: names.list(id), holder: holder, details: list.details, createdAt: Timestamp(seconds: 3),
      updatedAt: Timestamp(seconds: 4))
    result.absent = absent.list
    result.absentPermissions = absent.permissions
    return result
  }

  private func transferred(_ item: NodeItem, _ names: NodeNames) -> TransferredItem {
    var result = TransferredItem(
      id: names.item(id), list: names.list(holder ?? 0),
      details: item.newItem(names.item(id)).details,
      createdAt: Timestamp(seconds: item.createdAt ?? 1), updatedAt: Timestamp(seconds: 2))
    result.absent = absent.item
    // A line with `car` gives its kind, and one without it has no field of a car.
    if item.isCar {
      result.absent.remove(.kind)
    } else if result.absent.contains(.kind) {
      result.absent.formUnion(ItemField.allCases.filter(\.isCars))
    }
    return result
  }
}

/// The fields that a line of an import omits.
package struct AbsentFields: Sendable, Equatable {
  var item: Set<ItemField> = []
  var list: Set<ListField> = []
  var permissions: Permissions = []

  init() {}

  /// - Parameter bits: one for each field of an item, then of a list, then for each permission.
  init(bits: UInt32) {
    item = Set(ItemField.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element))
    // The title is always given, and permissions are omitted one by one.
    let fields: [ListField] = [
      .itemKind, .sentinelText, .sentinelVisible, .deleteLabel, .glyph, .colour,
    ]
    list = Set(fields.enumerated().filter { bits >> (12 + $0.offset) & 1 == 1 }.map(\.element))
    permissions = Permissions(rawValue: UInt8(bits >> 18 & 15))
  }
}

/// A line of a table as plain data.
package struct NodeUpsert: Sendable, Equatable {
  package var id: Int?
  package var newID: Int
  package var name: String?
  package var serialNumber: String?
  package var value: Int64?
  package var make: String?

  package init(
    id: Int?, newID: Int, name: String?, serialNumber: String?, value: Int64?, make: String?
  ) {
    self.id = id
    self.newID = newID
    self.name = name
    self.serialNumber = serialNumber
    self.value = value
    self.make = make
  }

  func upsert(line: Int, _ names: NodeNames) -> ItemUpsert {
    var patch = ItemPatch()
    if let name { patch.give(.name) { $0.name = name.isEmpty ? nil : name } }
    if let serialNumber {
      patch.give(.serialNumber) { $0.serialNumber = serialNumber.isEmpty ? nil : serialNumber }
    }
    if let value { patch.give(.value) { $0.value = Cents(value) } }
    if let make { patch.give(.make) { $0.car?.make = make.isEmpty ? nil : make } }
    return ItemUpsert(
      line: line, id: id.map(names.item), newID: names.item(newID), patch: patch)
  }
}
