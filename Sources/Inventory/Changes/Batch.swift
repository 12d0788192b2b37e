/// Changes of one list's rows that are made together, as in a table view's batch update.
///
/// Indices of deletions and of the sources of moves are those before the batch. Indices of insertions and of the targets
/// of moves are those after it. Updates name rows by id. All other rows keep their order and fill the places between.
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

  /// A change of a row's own fields. The row's type, list or item, decides which of the two closures is called.
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

  package var deletions: [Deletion] = []
  package var insertions: [Outcome.Resource] = []
  package var moves: [Move] = []
  package var updates: [Outcome.Resource] = []

  package init() {}
}

extension Batch {
  /// The errors of a batch that do not depend on the list.
  ///
  /// - Parameter currentYear: the year that car years are compared with.
  package func fieldErrors(currentYear: Int) -> [FieldError] {
    var found: [FieldError] = []
    var ids: Set<RowID> = []
    for (number, insertion) in insertions.enumerated() {
      let path = ["inserts", String(number)]
      let (kind, fieldErrors) =
        switch insertion.new {
        case .item(let item): ("item", item.details.fieldErrors(currentYear: currentYear))
        case .list(_, let details): ("list", details.fieldErrors)
        }
      found += fieldErrors.map { FieldError(path + [kind] + $0.path, $0.detail) }
      if !ids.insert(insertion.new.id).inserted {
        found.append(FieldError(path + [kind, "id"], "Given more than once."))
      }
    }
    var updated: Set<RowID> = []
    for (number, update) in updates.enumerated() where !updated.insert(update.id).inserted {
      found.append(FieldError(["updates", String(number), "id"], "Given more than once."))
    }
    return found
  }

  /// The errors of indices that name no row in a list of `count` rows, and of places that are taken twice.
  ///
  /// Indices of the sentinel are left out: they are `sentinelImmovable` or `sentinelUndeletable`.
  package func fieldErrors(inListOf count: Int) -> [FieldError] {
    var found: [FieldError] = []
    let subjects =
      deletions.enumerated().map { ($1, ["deletes", String($0), "index"]) }
      + moves.enumerated().map { ($1.subject, ["moves", String($0), "from"]) }
    for case (.index(let index, _), let path) in subjects where !(0...count).contains(index) {
      found.append(FieldError(path, "No row has this index."))
    }

    let countAfter = max(0, count - deletions.count + insertions.count)
    let places =
      insertions.enumerated().map { ($1.index, ["inserts", String($0), "index"]) }
      + moves.enumerated().map { ($1.to, ["moves", String($0), "to"]) }
    var taken: Set<Int> = []
    for (index, path) in places {
      if !(0..<countAfter).contains(index) {
        let expected =
          countAfter > 0
          ? "Use an index from 0 to \(countAfter - 1)." : "The list is empty after this change."
        found.append(FieldError(path, expected))
      } else if !taken.insert(index).inserted {
        found.append(FieldError(path, "Another row goes to this index."))
      }
    }
    return found
  }

  /// The errors of rows that are named twice, given the rows that each deletion and move names.
  package func fieldErrors(deleting deleted: [RowID], moving moved: [RowID]) -> [FieldError] {
    var found: [FieldError] = []
    var named: Set<RowID> = []
    let rows =
      deleted.enumerated().map { ($1, deletions[$0], ["deletes", String($0)], "index") }
      + moved.enumerated().map { ($1, moves[$0].subject, ["moves", String($0)], "from") }
    for (row, subject, path, index) in rows where !named.insert(row).inserted {
      let member = if case .index = subject { index } else { "id" }
      found.append(FieldError(path + [member], "This batch already deletes or moves this row."))
    }
    let gone = Set(deleted)
    for (number, update) in updates.enumerated() where gone.contains(update.id) {
      found.append(FieldError(["updates", String(number), "id"], "This batch deletes this row."))
    }
    return found
  }
}
