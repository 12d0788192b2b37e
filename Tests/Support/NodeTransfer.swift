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
  /// Of an item or a list, for a merge.
  package var absent: AbsentMembers = []

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
      .item(
        TransferredItem(
          id: names.item(id), list: names.list(holder ?? 0),
          details: item.newItem(names.item(id)).details,
          createdAt: Timestamp(seconds: item.createdAt ?? 1), updatedAt: Timestamp(seconds: 2),
          absent: absent))
    case .photo(let photo):
      .photo(
        photo.transferred(id, of: names.item(holder ?? 0), upload.part(id), names))
    }
  }

  private func transferred(
    _ list: NodeList, _ holder: TransferredList.Holder, _ names: NodeNames
  ) -> TransferredList {
    TransferredList(
      id: names.list(id), holder: holder, details: list.details, createdAt: Timestamp(seconds: 3),
      updatedAt: Timestamp(seconds: 4), absent: absent)
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
    patch.name = name.map { $0.isEmpty ? .clear : .set($0) }
    patch.serialNumber = serialNumber.map { $0.isEmpty ? .clear : .set($0) }
    patch.value = value.map { .set(Cents($0)) }
    patch.make = make.map { $0.isEmpty ? .clear : .set($0) }
    return ItemUpsert(
      line: line, id: id.map(names.item), newID: names.item(newID), patch: patch)
  }
}
