import Foundation

/// Keeping lists and items, and reading them when the server has newer ones.
extension OfflineStore {
  /// Reads a list from the server and keeps it, up to date, from then on. If the list is kept already, the call needs no
  /// network.
  ///
  /// - Throws: ``OfflineError/server(_:)`` if it cannot be read now, and ``OfflineError/stopped``.
  public func keep(_ list: Rowhouse.List.ID) async throws(OfflineError) {
    if view.nodes[view.key(of: list)] != nil { return }
    var id = list
    if id == .root, base.root == nil {
      do throws(RowhouseError) { id = try await rowhouse.list(.root).id } catch {
        throw .server(error)
      }
    }
    let key = view.key(of: id)
    reading.failures[key] = nil
    if base.nodes[key] == nil { want(key, .keepNow) }
    while base.nodes[key] == nil {
      if let error = reading.failures.removeValue(forKey: key) { throw .server(error) }
      if Task.isCancelled { throw .server(.cancelled) }
      try checkConnection()
      await nextChange()
    }
  }

  /// - Throws: `unreachable` while there is no connection. If the store is stopped, the error that stopped it, or
  ///   ``OfflineError/stopped``.
  private func checkConnection() throws(OfflineError) {
    switch connection {
    case .connecting, .online: break
    case .offline: throw .server(.unreachable(URLError(.notConnectedToInternet)))
    case .stopped(let error): throw error ?? .stopped
    }
  }

  /// Keeps all lists that the token sees, including those that are created later.
  ///
  /// - Parameter rows: The most rows to keep. Lists that would exceed it are left out.
  public func keepAll(rows: Int = 100_000) async throws(OfflineError) {
    try store { file throws(OfflineDatabase.Failure) in try file.set(.rowsKept, to: "\(rows)") }
    rowsKept = rows
    try await keep(.root)
    keepSublists(of: Array(base.nodes.keys))
    while !reading.isIdle || !reading.ahead.isEmpty {
      try checkConnection()
      await nextChange()
    }
  }

  /// Reads an item with all its details, and keeps it up to date from then on.
  @discardableResult
  public func read(_ id: Item.ID) async throws(OfflineError) -> Item {
    if let item = item(id) { return item }
    do throws(RowhouseError) {
      let before = reading.position
      let item = try await rowhouse.item(id)
      take(item)
      // The item may have changed meanwhile.
      if reading.position != before { want(item: RowKey(id)) }
      return view.items[RowKey(id)] ?? item
    } catch { throw .server(error) }
  }

  func want(_ list: RowKey, _ wish: OfflineReading.Wish) {
    reading.gone.remove(list)
    reading.lists[list] = wish
    kick(.reading)
  }

  /// Reads again the lists that were read, but are not in the base yet.
  func readAheadAgain() {
    let lists = reading.ahead.keys
    reading.ahead = [:]
    for key in lists { want(key, .keep) }
    if reading.current != nil { reading.missed = .max }
  }

  func want(item: RowKey) {
    guard base.items[item] != nil || reading.itemsAhead[item] != nil else { return }
    reading.items.insert(item)
    kick(.reading)
  }

  /// Starts to read all kept lists and items again. They replace the base when all have been read.
  ///
  /// - Parameter target: The least revision of the next base.
  func beginResync(at target: Int) {
    for key in base.nodes.keys { load([key]) }
    reading.target = max(target, reading.target ?? 0)
    reading.resyncs += 1
    reading.ahead = [:]
    for key in base.nodes.keys { want(key, .update) }
    for key in base.items.keys { want(item: key) }
    admit()
  }

  /// Keeps the sublists of kept lists, up to the number of rows that the app has given to `keepAll`.
  func keepSublists(of lists: [RowKey]) {
    guard let rowsKept, reading.target == nil else { return }
    var count = base.holders.count
    for key in lists {
      load([key])
      for row in base.nodes[key]?.order ?? [] {
        let sublist: (key: RowKey, count: Int)? =
          switch base.rows[row]?.content {
          case .list(let list): (row, list.rowCount)
          case .item(let item): item.contentsListID.map { (RowKey($0), 0) }
          case .sentinel, nil: nil
          }
        guard let sublist, base.nodes[sublist.key] == nil, reading.ahead[sublist.key] == nil,
          reading.lists[sublist.key] == nil, reading.current != sublist.key,
          count + sublist.count <= rowsKept
        else { continue }
        count += sublist.count
        want(sublist.key, .keep)
      }
    }
  }

  // MARK: The worker

  func nextRead() -> OfflineJob? {
    if let (key, wish) = reading.lists.popFirst() {
      let id = Rowhouse.List.ID(rawValue: key.text)
      (reading.current, reading.missed) = (key, 0)
      let (old, resyncs) = (
        reading.ahead[key] ?? (wish == .update ? base.mirrored(key) : nil), reading.resyncs
      )
      return { [rowhouseOnce] in
        let result = await outcome { () async throws(RowhouseError) in
          guard let old else { return try await rowhouseOnce.wholeList(id) }
          return try await rowhouseOnce.updated(old)
        }
        return { store in
          guard !Task.isCancelled else { return nil }
          store.reading.current = nil
          guard store.reading.resyncs == resyncs else {
            store.reading.lists[key] = store.reading.lists[key] ?? wish
            return nil
          }
          return store.take(result, list: key, wish)
        }
      }
    }
    guard let key = reading.items.popFirst() else { return nil }
    reading.currentItem = key
    return { [rowhouseOnce] in
      let result = await outcome { () async throws(RowhouseError) in
        try await rowhouseOnce.item(Item.ID(rawValue: key.text))
      }
      return { store in
        guard !Task.isCancelled else { return nil }
        store.reading.currentItem = nil
        return store.take(result, item: key)
      }
    }
  }

  private func take(
    _ result: Result<MirroredList, RowhouseError>, list key: RowKey, _ wish: OfflineReading.Wish
  ) -> Duration? {
    switch result {
    case .success(let list):
      // A newer delta arrived while the list was read.
      if reading.missed > list.revision { reading.lists[key] = wish }
      // What is missing may not be in a delta.
      reading.ahead[key] = reading.missed == .max ? nil : list
      admit()
    case .failure(let error) where error.tellsOfLoss && isInKeptList(key):
      // The base or the answer is older. Events need not tell: the list may have gone and come back meanwhile.
      reading.lists[key] = reading.lists[key] ?? wish
      return pauseAfterFailure(of: .reading)
    case .failure(let error) where error.tellsOfLoss:
      reading.ahead[key] = nil
      reading.gone.insert(key)
      reading.failures[key] = wish == .keepNow ? error : nil
      admit()
      settle()
    case .failure(let error) where wish == .keepNow:
      reading.failures[key] = error
      admit()
      changed()
    case .failure(let error) where error.mayPass || wish == .update:
      reading.lists[key] = reading.lists[key] ?? wish
      return pauseAfterFailure(of: .reading)
    case .failure: admit()
    }
    return nil
  }

  /// Whether a kept list has the row of a list, or of the item whose contents it is. False during a resync, because the
  /// base is then out of date.
  private func isInKeptList(_ key: RowKey) -> Bool {
    guard reading.target == nil else { return false }
    return base.holders[key] != nil
      || base.rows.contains { row, content in
        guard case .item(let item) = content.content, base.holders[row] != nil else { return false }
        return item.contentsListID.map { RowKey($0) } == key
      }
  }

  private func take(_ result: Result<Item, RowhouseError>, item key: RowKey) -> Duration? {
    switch result {
    case .success(let item): take(item)
    case .failure(let error) where error.tellsOfLoss:
      base.items[key] = nil
      unsaved.items.insert(key)
      saveSoon()
      refresh()
    case .failure(let error) where error.mayPass:
      reading.items.insert(key)
      return pauseAfterFailure(of: .reading)
    case .failure: break
    }
    return nil
  }

  private func take(_ item: Item) {
    reading.itemsAhead[RowKey(item.id)] = item
    admit()
  }

  // MARK: Admission

  /// Adds the lists and items that were read to the base, if the base has reached their revisions. During a resync,
  /// replaces the base when everything has been read.
  func admit() {
    if revision == nil, reading.target == nil,
      let first = reading.ahead.values.map(\.revision).min()
    {
      revision = first
    }
    guard let revision else { return }
    let new: [RowKey]
    if let target = reading.target {
      let latest = reading.ahead.values.map(\.revision).max() ?? 0
      guard reading.isIdle, let position = reading.position, position >= max(target, latest)
      else { return }
      changeOver(to: position)
      new = Array(base.nodes.keys)
    } else {
      var lists = reading.ahead.filter {
        $0.value.revision <= revision && reading.lists[$0.key] == nil && reading.current != $0.key
      }
      load(lists.values.compactMap { $0.list.parentID.map { RowKey($0) } })
      lists = lists.filter { !base.isHidden($0.value, beside: reading.ahead) }
      let items = reading.itemsAhead.filter { $0.value.revision <= revision }
      guard !lists.isEmpty || !items.isEmpty else { return }
      shown = nil
      for (key, list) in lists {
        reading.ahead[key] = nil
        base.take(list)
        unsaved.whole.insert(key)
      }
      take(items)
      setLoaded(lists.keys)
      new = Array(lists.keys)
    }
    saveSoon()
    settle()
    keepSublists(of: new)
    // Those below the new ones.
    if !reading.ahead.isEmpty, !new.isEmpty { admit() }
  }

  private func take(_ items: [RowKey: Item]) {
    for (key, item) in items {
      reading.itemsAhead[key] = nil
      base.items[key] = item
      unsaved.items.insert(key)
    }
  }

  /// Replaces the base by what a resync has read.
  private func changeOver(to position: Int) {
    var new = OfflineTree()
    new.root = base.root
    new.items = base.items
    for list in reading.ahead.values { new.take(list) }
    reading.ahead = reading.ahead.filter { new.isHidden($0.value, beside: reading.ahead) }
    for key in reading.ahead.keys { new.drop(key) }
    unsaved.whole.formUnion(base.nodes.keys)
    unsaved.whole.formUnion(new.nodes.keys)
    shown = nil
    base = new
    setLoaded(new.nodes.keys)
    take(reading.itemsAhead.filter { $0.value.revision <= position })
    reading.target = nil
    revision = position
  }
}
