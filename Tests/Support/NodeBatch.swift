import Inventory

/// A `Batch` as plain data.
package struct NodeBatch: Sendable, Equatable {
  package enum Subject: Sendable, Equatable {
    case index(Int, expecting: Int?)
    case id(Int)
  }

  package struct Insertion: Sendable, Equatable {
    var id: Int
    var at: Int
    var new: New
  }

  package enum New: Sendable, Equatable {
    case item(NodeItem)
    case list(NodeList)
  }

  package struct Move: Sendable, Equatable {
    var subject: Subject
    var to: Int
  }

  package struct Update: Sendable, Equatable {
    var id: Int
    var item: NodeItemEdit
    var list: NodeListEdit
  }

  package var deletions: [Subject]
  package var insertions: [Insertion]
  package var moves: [Move]
  package var updates: [Update]
  package var isRecursive: Bool

  func batch(_ names: NodeNames) -> Batch {
    Batch(
      deletions: deletions.map { $0.subject(names) },
      insertions: insertions.map {
        Batch.Insertion(index: $0.at, new: $0.new.new(names.row($0.id)))
      },
      moves: moves.map { Batch.Move($0.subject.subject(names), to: $0.to) },
      updates: updates.map { update in
        Batch.Update(
          names.row(update.id),
          item: { (old) throws(InventoryError) in try update.item.apply(to: old) },
          list: { (old) throws(InventoryError) in try update.list.apply(to: old) })
      },
      isRecursive: isRecursive)
  }
}

extension NodeBatch.Subject {
  fileprivate func subject(_ names: NodeNames) -> Batch.Subject {
    switch self {
    case .index(let index, let expected): .index(index, expecting: expected.map(names.row))
    case .id(let row): .id(names.row(row))
    }
  }
}

extension NodeBatch.New {
  fileprivate func new(_ row: RowID) -> Batch.New {
    switch self {
    case .item(let item): .item(item.newItem(ItemID(row)))
    case .list(let list): .list(ListID(row), list.details)
    }
  }
}
