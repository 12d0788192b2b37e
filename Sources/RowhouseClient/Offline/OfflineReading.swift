/// The lists and items that a store has to read from the server, and those that it has read but cannot add to the base
/// yet, because the base is at an older revision.
struct OfflineReading {
  /// Why a list is to be read.
  enum Wish: Sendable {
    /// The app asked for it. A failure is reported.
    case keepNow
    case keep
    /// The base has an older state of it.
    case update
  }

  /// The lists to read.
  var lists: [RowKey: Wish] = [:]
  var items: Set<RowKey> = []
  /// Lists that were read, at later revisions than the base or as parts of the next base.
  var ahead: [RowKey: MirroredList] = [:]
  var itemsAhead: [RowKey: Item] = [:]
  /// The list that is being read.
  var current: RowKey?
  var currentItem: RowKey?
  /// The highest revision of the deltas of `current` that have arrived since its read began. `.max` if it must be read
  /// again.
  var missed = 0
  /// The number of resyncs that have begun. A list whose read began before the last one may lack changes.
  var resyncs = 0
  /// The lists and items that the server no longer has.
  var gone: Set<RowKey> = []
  /// Why lists that the app asked for could not be read.
  var failures: [RowKey: RowhouseError] = [:]
  /// The revision that the event stream has reached. The base is behind it during a resync.
  var position: Int?
  /// During a resync, the least revision of the next base.
  var target: Int?

  /// Whether no list is being read or waits to be read.
  var isIdle: Bool { lists.isEmpty && current == nil }

  /// The ids of the lists and items that are to be read, or are not in the base yet, with spaces between them.
  ///
  /// They are stored with the base, because the server does not send again the events that made these reads necessary.
  var unread: String {
    let lists = Set(lists.keys).union(ahead.keys).union([current].compactMap(\.self))
    let items = items.union(itemsAhead.keys).union([currentItem].compactMap(\.self))
    return lists.union(items).map(\.text).joined(separator: " ")
  }

  /// - Parameter unread: The `unread` of an earlier value, which was stored with the base.
  init(unread: String = "", in base: OfflineTree = OfflineTree()) {
    for word in unread.split(separator: " ") {
      let key = RowKey(String(word))
      if base.items[key] != nil {
        items.insert(key)
      } else if base.nodes[key] == nil {
        lists[key] = .keep
      }
    }
  }
}

extension Rowhouse {
  /// A list with all its rows, at one revision. Changes meanwhile are applied at the next page.
  func wholeList(_ id: List.ID) async throws(RowhouseError) -> MirroredList {
    while true {
      var unread = UnreadList(try await list(id))
      while try await readOn(&unread) {
        if let whole = unread.whole { return whole }
      }
    }
  }

  /// - Returns: False if the list must be read from the beginning.
  private func readOn(_ unread: inout UnreadList) async throws(RowhouseError) -> Bool {
    let list = unread.list
    do throws(RowhouseError) {
      return unread.take(
        try await rows(of: list.id, offset: unread.offset, limit: 1_000, at: list.revision))
    } catch {
      guard error.code == .listMovedOn else { throw error }
      guard case .changes(let changes) = error.problem?.delta?.content else { return false }
      return unread.catchUp(changes)
    }
  }

  /// The present state of a list: an older state and the changes since then, or the whole list if the server no longer
  /// has these changes.
  func updated(_ old: MirroredList) async throws(RowhouseError) -> MirroredList {
    let delta: Delta?
    do throws(RowhouseError) {
      delta = try await changes(in: old.list.id, since: old.revision)
    } catch {
      guard error.code == .resync else { throw error }
      return try await wholeList(old.list.id)
    }
    var new = old
    guard case .changes(let changes) = delta?.content else {
      return try await wholeList(old.list.id)
    }
    if changes.toRevision <= old.revision { return old }
    return new.apply(changes) == nil ? try await wholeList(old.list.id) : new
  }
}
