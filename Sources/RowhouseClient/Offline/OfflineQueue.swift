import Foundation

/// A command of a person, from the time it was given until it is part of the base.
struct QueuedCommand: Sendable {
  /// Never used again for another command of the store.
  let id: Int
  let intent: SyncCommand.Intent
  let date: Date
  /// What the row was called.
  let title: String
  /// About the size of its JSON, in bytes.
  let size: Int
  var state = State.waiting

  enum State: Sendable, Hashable {
    case waiting
    /// Numbered. The server may have it.
    case sent(sequence: Int)
    /// Part of the server's state from this revision on.
    case done(revision: Int)
  }

  /// The largest `size` of a command, in bytes. A batch, which the server limits to 1 MiB, must hold it.
  static let largestSize = 900_000

  var sequence: Int? { if case .sent(let sequence) = state { sequence } else { nil } }
  var isDone: Bool { if case .done = state { true } else { false } }

  /// Whether it was done, and a base at the revision has its effect.
  func isSettled(at revision: Int) -> Bool {
    if case .done(let done) = state { done <= revision } else { false }
  }
}

extension OfflineTree {
  /// This tree as the base, with the commands applied in order.
  func view(with queue: [QueuedCommand]) -> OfflineTree {
    var view = self
    for command in queue { view.apply(command.intent, at: command.date) }
    return view
  }

  /// The lists whose rows' contents a command needs.
  func listsNeeded(for intent: SyncCommand.Intent) -> [RowKey] {
    intent.subjects.flatMap { [$0, holders[$0]] }.compactMap { $0 }.filter { nodes[$0] != nil }
  }

  /// Adds what rows show, unless it is known.
  ///
  /// - Parameter list: Where the rows must be; nil: anywhere.
  mutating func fill(_ contents: [(RowKey, Row)], of list: RowKey?) {
    for (key, row) in contents where rows[key] == nil && (list == nil || holders[key] == list) {
      rows[key] = row
    }
  }
}

extension SyncCommand.Intent {
  /// The row that it creates.
  var created: RowKey? {
    switch self {
    case .createList(let members, _, _), .createItem(let members, _, _):
      members["id"]?.text.map { RowKey($0) }
    case .editList, .editItem, .moveRows, .delete, .restore: nil
    }
  }

  /// Whether an item may take no photo after it. A photo that was added before it is sent first.
  var mayRefusePhotos: Bool {
    switch self {
    case .delete, .moveRows: true
    case .editList(_, let patch, _): patch["permissions"] != nil
    case .createList, .createItem, .editItem, .restore: false
    }
  }

  /// The rows and lists that must exist for it: first the rows that it changes, then the list into which it puts rows.
  /// The rows named by its position are left out.
  var subjects: [RowKey] {
    switch self {
    case .createList(_, let list, _), .createItem(_, let list, _): [RowKey(list)]
    case .editList(let id, _, _): [RowKey(id)]
    case .editItem(let id, _, _): [RowKey(id)]
    case .moveRows(let rows, let list, _): rows.map { RowKey($0) } + [RowKey(list)]
    case .delete(let row, _): [RowKey(row)]
    case .restore(let row, let list, _): [RowKey(row)] + (list.map { [RowKey($0)] } ?? [])
    }
  }
}
