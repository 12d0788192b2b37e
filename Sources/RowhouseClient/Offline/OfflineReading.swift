/// What a store reads from the server, and what it has read but cannot show yet, because the base is at an older revision.
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
  /// The last revision of a delta that arrived for it meanwhile.
  var missed = 0
  /// The number of resyncs that have begun. What was being read then may lack changes.
  var resyncs = 0
  /// The lists and items that the server no longer has.
  var gone: Set<RowKey> = []
  /// Why lists that the app asked for could not be read.
  var failures: [RowKey: RowhouseError] = [:]
  /// The revision that the event stream has reached. The base is behind it during a resync.
  var position: Int?
  /// During a resync, the least revision of the next base.
  var target: Int?

  /// Whether no list is being read, or is to be.
  var isIdle: Bool { lists.isEmpty && current == nil }

  /// The ids of the lists and items that are to be read, or are not in the base yet, with spaces between them.
  ///
  /// They are on disk with the base, because the events that asked for them do not come again.
  var unread: String {
    let lists = Set(lists.keys).union(ahead.keys).union([current].compactMap(\.self))
    let items = items.union(itemsAhead.keys).union([currentItem].compactMap(\.self))
    return lists.union(items).map(\.text).joined(separator: " ")
  }

  /// - Parameter unread: That of an earlier value with the same base.
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

  /// A list as it is now, from an older state of it.
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
