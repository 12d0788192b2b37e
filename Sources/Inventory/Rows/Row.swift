/// The members of a sublist that its row shows. A change of one reloads the row.
package struct ListSummary: Sendable, Equatable {
  package let id: ListID
  @ByteExact package var title: String
  package var rowCount: Int
  package var total: TotalCents
  @ByteExact package var glyph: String?
  package var colour: ListColour?

  package init(
    id: ListID, title: String, rowCount: Int, total: TotalCents, glyph: String? = nil,
    colour: ListColour? = nil
  ) {
    self.id = id
    self.title = title
    self.rowCount = rowCount
    self.total = total
    self.glyph = glyph
    self.colour = colour
  }

  package init(_ id: ListID, _ details: ListDetails, rowCount: Int, total: TotalCents) {
    self.init(
      id: id, title: details.title, rowCount: rowCount, total: total, glyph: details.glyph,
      colour: details.colour)
  }
}

/// The members of an item that its row shows: all but its notes, custom fields, times and revision,
/// and only the first photo.
package struct ItemSummary: Sendable, Equatable {
  package let id: ItemID
  package var subject: ItemSubject
  @ByteExact package var name: String?
  @ByteExact package var serialNumber: String?
  package var value: Cents?
  package var quantity: Int64
  @ByteExact package var tags: [String]
  package var contentsListID: ListID?
  /// The first of its photos.
  package var photo: PhotoID?
  /// The title of the row; see `ItemDetails.title`.
  @ByteExact package var title: String
}

extension ItemSummary {
  package init(
    _ id: ItemID, _ details: ItemDetails, contentsListID: ListID? = nil, photo: PhotoID? = nil
  ) {
    self.init(
      id: id, subject: details.subject, name: details.name,
      serialNumber: details.serialNumber, value: details.value, quantity: details.quantity,
      tags: details.tags, contentsListID: contentsListID, photo: photo, title: details.title)
  }

  package init(_ item: Item) {
    self.init(
      item.id, item.details, contentsListID: item.contentsListID, photo: item.photos.first)
  }
}

/// A position in a list with a list or an item. The sentinel is not a `Row`.
package struct Row: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    case list(ListSummary)
    case item(ItemSummary)
  }

  package var index: RowIndex
  package var content: Content

  package init(index: RowIndex, content: Content) {
    self.index = index
    self.content = content
  }

  package var id: RowID {
    switch content {
    case .list(let list): RowID(list.id)
    case .item(let item): RowID(item.id)
    }
  }

  package var title: String {
    switch content {
    case .list(let list): list.title
    case .item(let item): item.title
    }
  }

  package var detail: String? {
    switch content {
    case .list: nil
    case .item(let item): item.serialNumber
    }
  }
}
