/// A list as an export has it: all that is kept of it but its rows, which are records of their own.
package struct TransferredList: Sendable, Equatable {
  /// What it stands in.
  package enum Holder: Sendable, Equatable {
    /// Nothing: it is the top of what is exported.
    case nothing
    case list(ListID)
    /// The item whose contents it holds.
    case item(ItemID)
  }

  package var id: ListID
  package var holder: Holder
  package var details: ListDetails
  package var createdAt: Timestamp
  package var updatedAt: Timestamp
  /// At their defaults in `details`.
  package var absent: AbsentMembers

  package init(
    id: ListID, holder: Holder, details: ListDetails, createdAt: Timestamp, updatedAt: Timestamp,
    absent: AbsentMembers = []
  ) {
    self.absent = absent
    self.id = id
    self.holder = holder
    self.details = details
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

/// An item as an export has it.
package struct TransferredItem: Sendable, Equatable {
  package var id: ItemID
  package var list: ListID
  package var details: ItemDetails
  package var createdAt: Timestamp
  package var updatedAt: Timestamp
  /// At their defaults in `details`.
  package var absent: AbsentMembers

  package init(
    id: ItemID, list: ListID, details: ItemDetails, createdAt: Timestamp, updatedAt: Timestamp,
    absent: AbsentMembers = []
  ) {
    self.absent = absent
    self.id = id
    self.list = list
    self.details = details
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

/// A photo as an export has it; its bytes are apart from it.
package struct TransferredPhoto: Sendable, Equatable {
  package var id: PhotoID
  package var item: ItemID
  package var image: ImageMetadata
  /// In bytes.
  package var size: Int
  package var createdAt: Timestamp
  /// Where its bytes have been staged; nil in an export, or where the item has the photo already.
  package var upload: UploadID?

  package init(
    id: PhotoID, item: ItemID, image: ImageMetadata, size: Int, createdAt: Timestamp,
    upload: UploadID? = nil
  ) {
    self.id = id
    self.item = item
    self.image = image
    self.size = size
    self.createdAt = createdAt
    self.upload = upload
  }
}

/// One list, item or photo of an export. They come depth first: each list before its rows, which are
/// in their order, and each item before its photos, which are in theirs, and before its contents list.
package enum TransferRecord: Sendable, Equatable {
  case list(TransferredList)
  case item(TransferredItem)
  case photo(TransferredPhoto)

  /// A photo's is of a space of its own.
  package var id: RowID {
    switch self {
    case .list(let list): RowID(list.id)
    case .item(let item): RowID(item.id)
    case .photo(let photo): RowID(photo.id.uuid)
    }
  }

  /// Where a photo's bytes have been staged.
  package var upload: UploadID? { if case .photo(let photo) = self { photo.upload } else { nil } }

  /// The list or the item that it stands in or belongs to; nil for the top.
  package var holder: RowID? {
    switch self {
    case .list(let list):
      switch list.holder {
      case .nothing: nil
      case .list(let id): RowID(id)
      case .item(let id): RowID(id)
      }
    case .item(let item): RowID(item.list)
    case .photo(let photo): RowID(photo.item)
    }
  }
}

/// A record with the line that it was read from.
package struct NumberedRecord: Sendable, Equatable {
  package var line: Int
  package var record: TransferRecord

  package init(line: Int, record: TransferRecord) {
    self.line = line
    self.record = record
  }
}

extension TransferRecord {
  /// Every field that breaks a rule of `Limits`, in the year `currentYear`.
  package func violations(currentYear: Int) -> [FieldError] {
    switch self {
    case .list(let list): list.details.violations
    case .item(let item): item.details.violations(currentYear: currentYear)
    // What there is to say of a photo comes from its bytes.
    case .photo: []
    }
  }
}
