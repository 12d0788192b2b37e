import Foundation

/// Following the inventory's events, which move the base from one revision to the next.
extension OfflineStore {
  /// Connects, and stays connected until ``stop()``: sends what waits, and follows the server's changes. Returns at once,
  /// with or without a network.
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
    (isIdentified, firstSent, reading) = (false, [], OfflineReading())
    connection = .stopped(error)
    changed()
  }

  private func follow() {
    following?.cancel()
    following = Task { [weak self, rowhouse, rowhouseOnce] in
      var backoff = Backoff(rowhouse.retries)
      while !Task.isCancelled {
        do throws(RowhouseError) {
          let me = try await rowhouseOnce.me()
          let start = try await rowhouseOnce.list().revision
          guard let since = await self?.identified(me, start) else { return }
          backoff.reset()
          var events = rowhouse.events(since: since)
          events.tellsPositions = true
          events.onDisconnect = { [weak self] in Task { await self?.disconnected() } }
          for try await event in events {
            guard let self else { return }
            await self.take(event)
          }
          // The root list or the token is gone. The next calls say which.
        } catch {
          if Task.isCancelled { return }
          guard error.mayPass else {
            await self?.end(.server(error))
            return
          }
          await self?.disconnected()
        }
        await backoff.pause()
      }
    }
  }

  /// Compares the server with the one whose data the store has.
  ///
  /// - Returns: The revision from which to follow; nil if the data is another one's.
  private func identified(_ me: Me, _ present: Int) -> Int? {
    let (inventory, root) = (me.inventoryID.rawValue, RowKey(me.rootListID))
    do {
      if let known = try file.property(.inventory) {
        guard known == inventory, base.root == root else { throw OfflineError.otherData }
      } else {
        try store { file throws(OfflineDatabase.Failure) in
          try file.set(.inventory, to: inventory)
          try file.set(.root, to: root.text)
        }
      }
    } catch {
      end(OfflineError(error))
      return nil
    }
    base.root = root
    shown?.root = root
    isIdentified = true
    revision = revision ?? present
    reading.position = reading.position ?? revision
    kickAll()
    return reading.position
  }

  private func disconnected() {
    guard following != nil else { return }
    connection = .offline
    changed()
  }

  func take(_ event: LiveEvent) {
    guard following != nil else { return }
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
    for id in change.lists where !change.deltas.contains(where: { $0.listID == id }) {
      // A list without a delta may be gone.
      let key = RowKey(id)
      if reading.ahead[key] != nil || base.nodes[key] != nil {
        want(key, reading.target == nil ? .check : .update)
      }
    }
    if reading.target == nil { moveBase(by: change) }
    for item in change.items { want(item: RowKey(item)) }
    admit()
  }

  private func moveBase(by change: LiveChange) {
    load(change.deltas.map { RowKey($0.listID) })
    shown = nil
    guard let changed = base.apply(change.deltas) else {
      refresh()
      return beginResync(at: change.revision)
    }
    revision = change.revision
    for (list, rows) in changed {
      unsaved.lists.insert(list)
      unsaved.rows[list, default: []].formUnion(rows)
      // A list that has left its list is gone, or in one that is not kept.
      for row in rows where base.holders[row] == nil && base.nodes[row] != nil {
        want(row, .check)
      }
    }
    saveSoon()
    settle()
    keepSublists(of: Array(changed.keys))
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
    let (changes, base) = (unsaved, base)
    do throws(OfflineError) {
      try store { file throws(OfflineDatabase.Failure) in
        try changes.write(base, at: revision, to: file)
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
  /// Commands whose effect is in the base. They leave the disk together with its older revision.
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
