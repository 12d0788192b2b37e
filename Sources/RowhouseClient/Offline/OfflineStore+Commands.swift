import Foundation

/// What a person does. Each call shows in the view and is on disk when it returns. None needs the network.
extension OfflineStore {
  /// Creates an item.
  ///
  /// - Parameters:
  ///   - draft: The item. Without a position it goes to `index`.
  ///   - list: The list that it becomes a row of.
  ///   - index: Its index in the view; nil: the end.
  /// - Returns: The entry, with the new id in ``OfflineEntry/row``.
  @discardableResult
  public func createItem(
    _ draft: ItemDraft, in list: Rowhouse.List.ID, at index: Int? = nil
  ) throws(OfflineError) -> OfflineEntry {
    var draft = draft
    draft.position = position(draft.position, at: index, in: list)
    do { return try enqueue(.create(draft, in: named(list))) } catch {
      throw OfflineError(error)
    }
  }

  /// Creates a list. It can be opened at once.
  ///
  /// - Parameters:
  ///   - draft: The list, with its parent. Without a position it goes to `index`.
  ///   - index: Its index in the view; nil: the end.
  @discardableResult
  public func createList(
    _ draft: ListDraft, at index: Int? = nil
  ) throws(OfflineError) -> OfflineEntry {
    var draft = draft
    let parent = draft.parentID ?? .root
    draft.position = position(draft.position, at: index, in: parent)
    draft.parentID = named(parent)
    do { return try enqueue(.create(draft)) } catch {
      throw OfflineError(error)
    }
  }

  /// Edits an item. The values that the person sees are sent too, so that the server can tell what others have
  /// changed.
  ///
  /// - Parameters:
  ///   - id: The item.
  ///   - edit: What to change.
  ///   - seen: The item as the person saw it when they began to edit. Pass it if the store may have got newer values
  ///     since.
  @discardableResult
  public func editItem(
    _ id: Item.ID, _ edit: ItemEdit, seen: Item? = nil
  ) throws(OfflineError) -> OfflineEntry {
    load([base.holders[RowKey(id)]].compactMap(\.self))
    do {
      if let seen { return try enqueue(.edit(seen, edit)) }
      if let item = item(id) { return try enqueue(.edit(item, edit)) }
      guard case .item(let summary)? = row(Row.ID(id))?.content else {
        throw OfflineError.unknown(Row.ID(id))
      }
      return try enqueue(.edit(summary, edit))
    } catch { throw OfflineError(error) }
  }

  /// Edits a list's own fields, as the person sees them now.
  ///
  /// - Parameters:
  ///   - id: The list.
  ///   - edit: What to change.
  ///   - seen: The list as the person saw it when they began to edit, as in `editItem`.
  @discardableResult
  public func editList(
    _ id: Rowhouse.List.ID, _ edit: ListEdit, seen: Rowhouse.List? = nil
  ) throws(OfflineError) -> OfflineEntry {
    load([base.holders[view.key(of: id)]].compactMap(\.self))
    do {
      if let seen { return try enqueue(.edit(seen, edit)) }
      if let list = list(id) { return try enqueue(.edit(list, edit)) }
      guard case .list(let summary)? = row(Row.ID(id))?.content else {
        throw OfflineError.unknown(Row.ID(id))
      }
      return try enqueue(.edit(summary, edit))
    } catch { throw OfflineError(error) }
  }

  /// Moves rows to an index of a list. The index counts without the moved rows, as in a table view.
  ///
  /// Both neighbours are recorded, so that the rows land where the person dropped them although others have moved rows.
  @discardableResult
  public func move(
    _ rows: [Row.ID], into list: Rowhouse.List.ID, at index: Int? = nil
  ) throws(OfflineError) -> OfflineEntry {
    guard let first = rows.first, view.holders[RowKey(first)] != nil else {
      throw .unknown(rows.first ?? .sentinel)
    }
    let position = position(nil, at: index, in: list, without: rows)
    return try enqueue(.moveRows(rows, into: named(list), at: position))
  }

  /// Deletes a row. It can be restored.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - recursive: Whether to delete a list with rows, and everything below it.
  @discardableResult
  public func delete(
    _ row: Row.ID, recursive: Bool = false
  ) throws(OfflineError) -> OfflineEntry {
    try enqueue(.delete(row, recursive: recursive))
  }

  /// Restores a deleted row to its old place or, if given, to another one. If no command of this queue deleted the
  /// row, it appears after the server has restored it.
  @discardableResult
  public func restore(
    _ row: Row.ID, into list: Rowhouse.List.ID? = nil, at position: Position? = nil
  ) throws(OfflineError) -> OfflineEntry {
    try enqueue(.restore(row, into: list.map(named), at: position))
  }

  /// Adds a photo to an item. Its bytes are copied into the store, and sent after the commands before it.
  @discardableResult
  public func addPhoto(
    _ bytes: Data, to item: Item.ID
  ) throws(OfflineError) -> OfflinePhoto {
    let id = Photo.ID(rawValue: UUID().uuidString)
    let target = OfflineFile.photos(in: folder).appendingPathComponent(id.rawValue)
    let file = try file
    do {
      let draft = try AtomicFile(of: target)
      try draft.handle.write(contentsOf: bytes)
      try draft.handle.synchronize()
      try draft.publish()
      let photo = try file.append(id, of: item, behind: queue.last?.id ?? 0)
      photos.append(photo)
      changed()
      kick(.photos)
      return photo
    } catch { throw OfflineError(error) }
  }

  /// Undoes a command. A command that was not sent leaves the queue, with the waiting commands and photos of a row
  /// that it created. A command that was sent is undone by the server, which needs the network.
  ///
  /// - Returns: The commands that have left the queue.
  @discardableResult
  public func undo(_ entry: OfflineEntry.ID) async throws(OfflineError) -> [OfflineEntry] {
    guard let command = queue.first(where: { $0.id == entry }), command.state == .waiting else {
      try await undoSent(entry)
      return []
    }
    var (removed, rows): ([QueuedCommand], Set<RowKey>) = ([command], [])
    if let row = command.intent.created { rows.insert(row) }
    for later in queue where later.id > entry && later.state == .waiting {
      guard !rows.isDisjoint(with: later.intent.subjects) else { continue }
      removed.append(later)
      if let row = later.intent.created { rows.insert(row) }
    }
    let ids = Set(removed.map(\.id))
    try store { file throws(OfflineDatabase.Failure) in
      for id in ids { try file.set(nil, of: id) }
    }
    queue.removeAll { ids.contains($0.id) }
    for photo in photos where rows.contains(RowKey(photo.item)) { try remove(photo) }
    refresh()
    return removed.map(OfflineEntry.init)
  }

  private func undoSent(_ entry: OfflineEntry.ID) async throws(OfflineError) {
    let outcome: SyncOutcome?
    let file = try file
    do throws(OfflineDatabase.Failure) { outcome = try file.notice(entry)?.outcome } catch {
      throw OfflineError(error)
    }
    guard outcome?.undo != nil, let revision = outcome?.revision else { throw .notUndoable }
    do throws(RowhouseError) { try await rowhouse.undo(revision) } catch { throw .server(error) }
  }

  /// Puts a command into the queue.
  private func enqueue(
    _ intent: SyncCommand.Intent
  ) throws(OfflineError) -> OfflineEntry {
    load(for: intent)
    let subject = intent.subjects.first
    let file = try file
    let command: QueuedCommand
    do {
      command = try file.append(
        intent, titled: intent.title ?? subject.flatMap { view.title(of: $0) } ?? "")
      guard command.size <= QueuedCommand.largestSize else {
        try file.set(nil, of: command.id)
        throw OfflineError.tooLarge
      }
    } catch { throw OfflineError(error) }
    queue.append(command)
    if shown == nil { shown = base }
    shown?.apply(intent, at: command.date)
    changed()
    kick(.commands)
    return OfflineEntry(command)
  }

  /// The row as the view shows it, apart from its index and permissions.
  private func row(_ id: Row.ID) -> Row? {
    let key = RowKey(id)
    return view.holders[key] == nil ? nil : view.rows[key]
  }

  /// The id of a list. The root list has one once it is known.
  private func named(_ list: Rowhouse.List.ID) -> Rowhouse.List.ID {
    list == .root ? view.nodes[view.key(of: list)]?.list.id ?? list : list
  }

  /// A position that means the same when others have changed the list: both neighbours at the index, then an end.
  private func position(
    _ given: Position?, at index: Int?, in list: Rowhouse.List.ID, without moved: [Row.ID] = []
  ) -> Position {
    var index = index
    switch given {
    case .index(let wanted)?: index = wanted
    case let given?: return given
    case nil: break
    }
    let moved = Set(moved.map { RowKey($0) })
    let others = (view.nodes[view.key(of: list)]?.order ?? []).filter { !moved.contains($0) }
    func id(_ index: Int) -> Row.ID? {
      others.indices.contains(index) ? Row.ID(rawValue: others[index].text) : nil
    }
    guard let index = index.map({ max(0, min($0, others.count)) }), !others.isEmpty else {
      return .last
    }
    guard let above = id(index - 1) else { return id(0).map { .before($0).or(.first) } ?? .first }
    let end = id(index).map { .before($0).or(.last) } ?? Position.last
    return .after(above).or(end)
  }
}

extension OfflineTree {
  fileprivate func title(of key: RowKey) -> String? {
    nodes[key]?.list.title ?? rows[key]?.title ?? items[key]?.rowTitle
  }
}

extension SyncCommand.Intent {
  /// What the row that it creates is called.
  fileprivate var title: String? {
    switch self {
    case .createList(let members, _, _): members["title"]?.text
    case .createItem(let members, _, _): Item(members, at: .distantPast)?.rowTitle
    case .editList, .editItem, .moveRows, .delete, .restore: nil
    }
  }

  /// Edits an item of which only the row is known.
  fileprivate static func edit(
    _ item: ItemSummary, _ edit: ItemEdit
  ) throws(RowhouseError) -> Self {
    var started = try members(of: item)
    for name in ["name", "serialNumber", "valueInDollars", "car"] {
      started[name] = started[name] ?? .null
    }
    return .editItem(item.id, patch: try members(of: edit), from: started)
  }

  fileprivate static func edit(
    _ list: ListSummary, _ edit: ListEdit
  ) throws(RowhouseError) -> Self {
    var started: [String: JSONValue] = ["title": .string(list.title)]
    started["glyph"] = list.glyph.map { .string($0) } ?? .null
    started["colour"] = list.colour.map { .string($0.rawValue) } ?? .null
    return .editList(list.id, patch: try members(of: edit), from: started)
  }
}

extension OfflineStore {
  /// Moves a row for a mirror.
  func moveRow(
    _ row: Row.ID, in list: Rowhouse.List.ID, to index: Int
  ) throws(RowhouseError) -> Receipt {
    do throws(OfflineError) {
      let entry = try move([row], into: list, at: index)
      return Receipt(
        revision: revision ?? 0, changed: true,
        retargeted: index >= self.list(list)?.rowCount ?? .max, deltas: [], undo: nil,
        requestID: "\(entry.id)")
    } catch {
      if case .server(let error) = error { throw error }
      throw .file(underlying: error)
    }
  }
}
