import Foundation

/// Following the inventory's events, which move the base from one revision to the next.
extension OfflineStore {
  /// Connects, and stays connected until ``stop()``: sends what waits, and follows the server's changes. Returns at
  /// once, with or without a network.
  public func start() {
    guard following == nil, openFile != nil else { return }
    connection = .connecting
    changed()
    follow()
    for worker in OfflineWorker.allCases { run(worker) }
  }

  /// Ends the connection. The view stays, and takes commands.
  public func stop() {
    end(nil)
    save()
  }

  /// Connects and sends now, for example because the network is back.
  public func retryNow() {
    guard following != nil else { return }
    refusal = nil
    failures = [:]
    follow()
    kickAll()
  }

  /// Erases everything on disk: lists, commands that were not sent, and photos. The store cannot be used any more.
  public func signOut() throws(OfflineError) {
    let file = try file
    end(nil)
    openFile = nil
    (base, shown, queue, photos, notices) = (OfflineTree(), nil, [], [], [])
    changed()
    try file.erase()
  }

  func end(_ error: OfflineError?) {
    for task in [following, saving].compactMap(\.self) + workers.values + naps.values {
      task.cancel()
    }
    (following, saving, workers, naps) = (nil, nil, [:], [:])
    (isIdentified, firstSent) = (false, [])
    reading = OfflineReading(unread: reading.unread, in: base)
    connection = .stopped(error)
    changed()
  }

  private func follow() {
    following?.cancel()
    streams += 1
    following = Task { [weak self, rowhouse, rowhouseOnce, stream = streams] in
      var backoff = Backoff(rowhouse.retries)
      while !Task.isCancelled {
        do throws(RowhouseError) {
          let me = try await rowhouseOnce.me()
          let start = try await rowhouseOnce.list().revision
          guard let since = await self?.identified(me, start) else { return }
          backoff.reset()
          var events = rowhouse.events(since: since)
          events.tellsPositions = true
          events.onDisconnect = { [weak self] in Task { await self?.disconnected(stream) } }
          for try await event in events {
            guard let self else { return }
            if case .resync(let position) = event {
              // An import may have replaced everything.
              let me = try await rowhouseOnce.me()
              guard await self.identified(me, position) != nil else { return }
            }
            await self.take(event, from: stream)
          }
          // The root list or the token is gone. The next calls say which.
        } catch {
          if Task.isCancelled { return }
          guard error.mayPass else {
            await self?.end(.server(error))
            return
          }
          await self?.disconnected(stream)
        }
        await backoff.pause()
      }
    }
  }

  /// Compares the inventory, the root list and the token with those of the stored data, and stores the present ones.
  ///
  /// - Returns: The revision from which to follow. Nil if the stored data belongs to another inventory or list, if it
  ///   cannot be read or written, or if the task was cancelled.
  private func identified(_ me: Me, _ present: Int) -> Int? {
    guard !Task.isCancelled else { return nil }
    let (inventory, root) = (me.inventoryID.rawValue, RowKey(me.rootListID))
    let token = me.tokenID ?? ""
    let former = base.root
    do {
      let file = try file
      if let known = try file.property(.inventory) {
        // The same token has another root list after an import that replaced everything.
        let isSameSight = try base.root == root || file.property(.token) == token
        guard known == inventory, isSameSight else { throw OfflineError.otherData }
      }
      try store { file throws(OfflineDatabase.Failure) in
        try file.set(.inventory, to: inventory)
        try file.set(.root, to: root.text)
        try file.set(.token, to: token)
      }
    } catch {
      end(OfflineError(error))
      return nil
    }
    if let former, former != root, base.nodes[former] != nil { want(root, .keep) }
    base.root = root
    shown?.root = root
    isIdentified = true
    revision = revision ?? present
    reading.position = reading.position ?? revision
    // An earlier `keepAll` may not have read it.
    if rowsKept != nil, base.nodes[root] == nil { want(root, .keep) }
    kickAll()
    return reading.position
  }

  private func disconnected(_ stream: Int) {
    guard following != nil, stream == streams else { return }
    connection = .offline
    changed()
  }

  /// - Parameter stream: The number of the event's stream. Older streams may still bring events.
  func take(_ event: LiveEvent, from stream: Int) {
    guard following != nil, stream == streams else { return }
    if case .online = connection {
    } else {
      connection = .online
      failures = [:]
      kickAll()
      changed()
    }
    switch event {
    case .change(let change): take(change)
    case .resync(let position):
      reading.position = position
      beginResync(at: position)
    // The stream ends, and the next call says why.
    case .gone: break
    }
  }

  private func take(_ change: LiveChange) {
    // The stream before this one may have brought it.
    guard change.revision > reading.position ?? -1 else { return }
    reading.position = change.revision
    for delta in change.deltas { passAhead(delta) }
    if reading.target == nil {
      moveBase(by: change)
    } else if mayHide(change) {
      beginResync(at: change.revision)
    }
    for item in change.items { want(item: RowKey(item)) }
    admit()
  }

  private func moveBase(by change: LiveChange) {
    load(change.deltas.map { RowKey($0.listID) })
    shown = nil
    guard let applied = base.apply(change) else {
      refresh()
      return beginResync(at: change.revision)
    }
    revision = change.revision
    for (list, rows) in applied.rows {
      unsaved.lists.insert(list)
      unsaved.rows[list, default: []].formUnion(rows)
    }
    unsaved.lists.formUnion(applied.hidden)
    unsaved.items.formUnion(applied.hidden)
    reading.gone.formUnion(applied.hidden)
    // Lists that were read may be below the hidden ones.
    if applied.hidesLists { readAheadAgain() }
    saveSoon()
    settle()
    if applied.isUncertain { beginResync(at: change.revision) }
    keepSublists(of: Array(applied.rows.keys))
  }

  /// Whether a change may have taken lists out of sight.
  private func mayHide(_ change: LiveChange) -> Bool {
    let items = Set(change.items)
    return !Set(change.lists).isSubset(of: change.deltas.map(\.listID))
      || base.nodes.values.contains { $0.list.itemID.map(items.contains) == true }
  }

  /// Applies a delta to a list that is not in the base yet.
  private func passAhead(_ delta: Delta) {
    let key = RowKey(delta.listID)
    guard case .changes(let changes) = delta.content else {
      if reading.ahead.removeValue(forKey: key) != nil { want(key, .keep) }
      if reading.current == key { reading.missed = .max }
      return
    }
    if reading.current == key { reading.missed = max(reading.missed, changes.toRevision) }
    guard var list = reading.ahead[key], changes.toRevision > list.revision else { return }
    if changes.fromRevision == list.revision, list.apply(changes) != nil {
      reading.ahead[key] = list
    } else {
      want(key, .update)
    }
  }

  // MARK: Saving

  /// Writes the base to disk a little later: if it is lost, it is only read again.
  func saveSoon() {
    guard saving == nil else { return }
    saving = Task { [weak self] in
      try? await Task.sleep(for: .milliseconds(250))
      if !Task.isCancelled { await self?.save() }
    }
  }

  func save() {
    saving = nil
    guard let revision, openFile != nil else { return }
    let (changes, base, unread) = (unsaved, base, reading.unread)
    do throws(OfflineError) {
      try store { file throws(OfflineDatabase.Failure) in
        try changes.write(base, at: revision, to: file)
        try file.set(.unread, to: unread)
      }
      unsaved = OfflineChanges()
    } catch {
      // They are written with the next ones.
    }
  }
}

/// The parts of a base that are not on disk.
struct OfflineChanges {
  /// Lists of which all rows are written.
  var whole: Set<RowKey> = []
  var lists: Set<RowKey> = []
  /// The changed rows of lists.
  var rows: [RowKey: Set<RowKey>] = [:]
  var items: Set<RowKey> = []
  /// Commands whose effect is in the base. The transaction that writes the base's revision to disk deletes them there.
  var settled: Set<Int> = []

  fileprivate func write(
    _ base: OfflineTree, at revision: Int, to file: OfflineFile
  ) throws(OfflineDatabase.Failure) {
    for list in whole {
      try file.removeRows(of: list)
      for row in base.nodes[list]?.order ?? [] {
        if let content = base.rows[row] { try file.write(content, of: list) }
      }
    }
    for (list, rows) in rows where !whole.contains(list) {
      for row in rows {
        if base.holders[row] == list, let content = base.rows[row] {
          try file.write(content, of: list)
        } else {
          try file.removeRow(row, of: list)
        }
      }
    }
    for list in lists.union(whole) { try file.write(base.nodes[list], as: list) }
    for item in items { try file.write(base.items[item], as: item) }
    for command in settled { try file.set(nil, of: command) }
    try file.set(.revision, to: "\(revision)")
  }
}
