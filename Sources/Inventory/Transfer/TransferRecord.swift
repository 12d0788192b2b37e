/// A list in an export, without its rows, which are records of their own.
package struct TransferredList: Sendable, Equatable {
  /// The parent of a list.
  package enum Holder: Sendable, Equatable {
    /// None: it is the top of the export.
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
  /// The omitted fields, which have defaults in `details`. A merge does not change them in existing lists.
  package var absent: Set<ListField> = []
  /// The members that are omitted from permissions that are given in part.
  package var absentPermissions: Permissions = []

  package init(
    id: ListID, holder: Holder, details: ListDetails, createdAt: Timestamp, updatedAt: Timestamp
  ) {
    self.id = id
    self.holder = holder
    self.details = details
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// The list, with omitted fields taken from `present`.
  package func filled(from present: ListDetails) -> Self {
    var result = self
    result.details.fill(absent, from: present)
    result.details.permissions.subtract(absentPermissions)
    result.details.permissions.formUnion(present.permissions.intersection(absentPermissions))
    return result
  }
}

/// An item in an export.
package struct TransferredItem: Sendable, Equatable {
  package var id: ItemID
  package var list: ListID
  package var details: ItemDetails
  package var createdAt: Timestamp
  package var updatedAt: Timestamp
  /// The omitted fields, which have defaults in `details`. A merge does not change them in existing items. A line with
  /// `car` gives the kind. So a car's kind is never omitted, and without the kind all fields of a car are omitted too.
  package var absent: Set<ItemField> = []

  package init(
    id: ItemID, list: ListID, details: ItemDetails, createdAt: Timestamp, updatedAt: Timestamp
  ) {
    self.id = id
    self.list = list
    self.details = details
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// The item, with omitted fields taken from `present`.
  package func filled(from present: ItemDetails) -> Self {
    var result = self
    // The kind comes first in `allCases`, so that a car's fields follow it.
    result.details.fill(ItemField.allCases.filter(absent.contains), from: present)
    return result
  }
}

/// A photo in an export, without its bytes.
package struct TransferredPhoto: Sendable, Equatable {
  package var id: PhotoID
  package var item: ItemID
  package var image: ImageMetadata
  /// The size in bytes.
  package var size: Int
  package var createdAt: Timestamp
  /// The upload with its staged bytes; nil in an export, or if the item already has the photo.
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

/// One list, item or photo of an export. Records are depth first. Each list comes before its rows, and each item before
/// its photos and then its contents list. Rows and photos are in order.
package enum TransferRecord: Sendable, Equatable {
  case list(TransferredList)
  case item(TransferredItem)
  case photo(TransferredPhoto)

  /// The id. Photos have an id space of their own.
  package var id: RowID {
    switch self {
    case .list(let list): RowID(list.id)
    case .item(let item): RowID(item.id)
    case .photo(let photo): RowID(photo.id.uuid)
    }
  }

  /// The upload with a photo's staged bytes.
  package var upload: UploadID? { if case .photo(let photo) = self { photo.upload } else { nil } }

  /// The list or item that contains it; nil for the top.
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

/// A record with the number of its line.
package struct NumberedRecord: Sendable, Equatable {
  package var line: Int
  package var record: TransferRecord

  package init(line: Int, record: TransferRecord) {
    self.line = line
    self.record = record
  }
}

extension TransferRecord {
  /// The errors of all fields that break a rule of `Limits`.
  ///
  /// - Parameters:
  ///   - currentYear: the year that car years are compared with.
  ///   - isNew: whether no row can have the id, so that a name or title is required.
  package func fieldErrors(currentYear: Int, isNew: Bool) -> [FieldError] {
    switch self {
    case .list(let list):
      list.details.fieldErrors(isPart: !isNew && list.absent.contains(.title))
    case .item(let item):
      item.details.fieldErrors(
        currentYear: currentYear, isPart: !isNew && item.absent.contains(.name))
    // A photo's properties come from its bytes.
    case .photo: []
    }
  }

  /// The error of a row that has no name or title, neither from its line nor from an existing row.
  package var missingName: FieldError? {
    switch self {
    case .list(let list): list.details.title.isEmpty ? FieldError(["title"], "Enter a title.") : nil
    case .item(let item): item.details.missingName
    case .photo: nil
    }
  }
}
