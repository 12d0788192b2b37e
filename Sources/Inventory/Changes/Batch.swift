/// Changes of one list's rows that are made together, as in a table view's batch update.
///
/// Deletions, updates and the sources of moves are indices before the batch. Insertions and the targets of moves are
/// indices after it. All other rows keep their order and fill the places between.
package struct Batch: Sendable {
  /// A row of the list before the batch.
  package enum Subject: Sendable, Hashable {
    /// `expecting`: the id of the row at the index, if given.
    case index(Int, expecting: RowID?)
    case id(RowID)
  }

  /// A row to create.
  package enum New: Sendable {
    case item(NewItem)
    case list(ListID, ListDetails)

    package var id: RowID {
      switch self {
      case .item(let item): RowID(item.id)
      case .list(let id, _): RowID(id)
      }
    }
  }

  package struct Insertion: Sendable {
    package var index: Int
    package var new: New
    package init(index: Int, new: New) {
      self.index = index
      self.new = new
    }
  }

  package struct Move: Sendable {
    package var subject: Subject
    package var to: Int
    package init(_ subject: Subject, to: Int) {
      self.subject = subject
      self.to = to
    }
  }

  /// A change of a row's own fields. The row's type decides which of the two closures is called.
  package struct Update: Sendable {
    package var id: RowID
    package var item: @Sendable (ItemDetails) throws(InventoryError) -> ItemDetails
    package var list: @Sendable (ListDetails) throws(InventoryError) -> ListDetails
    package init(
      _ id: RowID,
      item: @escaping @Sendable (ItemDetails) throws(InventoryError) -> ItemDetails,
      list: @escaping @Sendable (ListDetails) throws(InventoryError) -> ListDetails
    ) {
      self.id = id
      self.item = item
      self.list = list
    }
  }

  package var deletions: [Subject]
  package var insertions: [Insertion]
  package var moves: [Move]
  package var updates: [Update]
  /// Whether rows that contain rows may be deleted.
  package var isRecursive: Bool

  package init(
    deletions: [Subject] = [], insertions: [Insertion] = [], moves: [Move] = [],
    updates: [Update] = [], isRecursive: Bool = false
  ) {
    self.deletions = deletions
    self.insertions = insertions
    self.moves = moves
    self.updates = updates
    self.isRecursive = isRecursive
  }

  package var count: Int { deletions.count + insertions.count + moves.count + updates.count }
}

/// The results of a batch, in the order of its operations.
package struct BatchResults: Sendable, Equatable {
  package struct Deletion: Sendable, Equatable {
    package var id: RowID
    /// The index before the batch.
    package var index: RowIndex
    package init(id: RowID, index: RowIndex) {
      self.id = id
      self.index = index
    }
  }

  package struct Move: Sendable, Equatable {
    package var id: RowID
    package var from: RowIndex
    package var to: RowIndex
    package init(id: RowID, from: RowIndex, to: RowIndex) {
      self.id = id
      self.from = from
      self.to = to
    }
  }

  package var deletions: [Deletion]
  package var insertions: [Outcome.Resource]
  package var moves: [Move]
  package var updates: [Outcome.Resource]

  package init(
    deletions: [Deletion] = [], insertions: [Outcome.Resource] = [], moves: [Move] = [],
    updates: [Outcome.Resource] = []
  ) {
    self.deletions = deletions
    self.insertions = insertions
    self.moves = moves
    self.updates = updates
  }
}
