/// The values that later edits of a row started from, once an edit before them is taken back.
///
/// The server compares them with the present values. A value that only the edit had set is nobody's.
extension [QueuedCommand] {
  /// The waiting edits that follow removed commands, with what they start from now. The others are left out.
  func rebased(without removed: [QueuedCommand]) -> [QueuedCommand] {
    var changed: [Int: QueuedCommand] = [:]
    let ids = Set(removed.map(\.id))
    for edit in removed.compactMap(\.intent.edit) {
      var patch = edit.patch
      for command in self where command.state == .waiting && !ids.contains(command.id) {
        var later = changed[command.id] ?? command
        guard let next = later.intent.edit, next.row == edit.row else { continue }
        later.intent = later.intent.starting(from: next.from.without(patch, before: edit.from))
        changed[later.id] = later
        patch = patch.besides(next.patch)
      }
    }
    return changed.values.sorted { $0.id < $1.id }
  }
}

extension SyncCommand.Intent {
  /// The row, the patch and the start of an edit; nil for other commands.
  fileprivate var edit: (row: RowKey, patch: [String: JSONValue], from: [String: JSONValue])? {
    switch self {
    case .editList(let id, let patch, let from): (RowKey(id), patch, from)
    case .editItem(let id, let patch, let from): (RowKey(id), patch, from)
    case .createList, .createItem, .moveRows, .delete, .restore: nil
    }
  }

  fileprivate func starting(from start: [String: JSONValue]) -> Self {
    switch self {
    case .editList(let id, let patch, _): .editList(id, patch: patch, from: start)
    case .editItem(let id, let patch, _): .editItem(id, patch: patch, from: start)
    case .createList, .createItem, .moveRows, .delete, .restore: self
    }
  }
}

extension [String: JSONValue] {
  /// These values with the members that a patch had set as they were before it.
  fileprivate func without(_ patch: Self, before: Self) -> Self {
    var result = self
    for (name, value) in patch {
      if case (.object(let inner), .object(let own)?, .object(let old)?) = (
        value, self[name], before[name]
      ) {
        result[name] = .object(own.without(inner, before: old))
      } else {
        result[name] = before[name]
      }
    }
    return result
  }

  /// The members of this patch that another one does not set.
  fileprivate func besides(_ other: Self) -> Self {
    var result = self
    for (name, value) in other {
      if case (.object(let inner), .object(let own)?) = (value, self[name]) {
        result[name] = .object(own.besides(inner))
      } else {
        result[name] = nil
      }
    }
    return result
  }
}
