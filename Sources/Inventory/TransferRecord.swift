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

  package init(
    id: ListID, holder: Holder, details: ListDetails, createdAt: Timestamp, updatedAt: Timestamp
  ) {
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

  package init(
    id: ItemID, list: ListID, details: ItemDetails, createdAt: Timestamp, updatedAt: Timestamp
  ) {
    self.id = id
    self.list = list
    self.details = details
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

/// One list or item of an export. They come depth first: each list before its rows, which are in
/// their order, and each item before its contents list.
package enum TransferRecord: Sendable, Equatable {
  case list(TransferredList)
  case item(TransferredItem)

  package var id: RowID {
    switch self {
    case .list(let list): RowID(list.id)
    case .item(let item): RowID(item.id)
    }
  }

  /// The list or the item that it stands in; nil for the top.
  package var holder: RowID? {
    switch self {
    case .list(let list):
      switch list.holder {
      case .nothing: nil
      case .list(let id): RowID(id)
      case .item(let id): RowID(id)
      }
    case .item(let item): RowID(item.list)
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
  package func violations(currentYear: Int) -> [Violation] {
    switch self {
    case .list(let list): list.details.violations
    case .item(let item): item.details.violations(currentYear: currentYear)
    }
  }
}
