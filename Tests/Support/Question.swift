import Inventory

/// A read as plain data: two stores that hold the same answer it in the same way.
enum Question: Sendable {
  case revision
  case counts
  case list(Int)
  case item(Int)
  case photos(of: Int)
  case place(Int)
  case rows(of: Int, PageWindow)
  case sublists(of: Int, PageWindow)
  case descendants(of: Int, PageWindow)
  case totals(of: Int)
  case resolve([String])
  case delta(of: Int, since: Int64)
  case subjects([Int])
  case ancestor(Int)
  case neighbours(Int)
  case navigator(Int)
  case navigators(named: String?)
  case appearance
  case inventory
  case depth(of: Int?, in: Int)
  case trash(PageWindow)
  case changes(since: Int64?, before: Int64?, offset: Int, limit: Int)
  case change(Int64)
  case transfer(of: Int)
  case items(of: Int)
  case activity(since: Int64)
  case view(of: Int, RowView)
  case search(String, below: Int, SearchQuery.Kind?, tag: String?)
  case lookup(ItemLookup)
  case tags(prefix: String, offset: Int, limit: Int)
}

enum Answer: Sendable, Equatable {
  case revision(Revision)
  case counts(lists: Int, items: Int)
  case list(List)
  case item(Item)
  case photos([Photo])
  case place(Place)
  case rows(List, RowIndex, [Row])
  case lists(PageOf<LeveledList>)
  case totals(SubtreeTotals)
  case step(PathStep)
  case delta(Delta)
  case subjects([RowID: ScreenSubject])
  case neighbours(Neighbours)
  case navigator(Navigator)
  case navigators([NavigatorSummary])
  case appearance(VersionedAppearance)
  case inventory(InventoryDescription)
  case depth(isTooDeep: Bool)
  case trash(PageOf<TrashedRow>)
  case changes(PageOfChanges)
  case change(LoggedChange)
  case records([TransferRecord], [PhotoID: [UInt8]] = [:])
  case activity(Activity)
  case view(PageOfRows)
  case hits(SearchTotal, [SearchHit])
  /// By their numbers.
  case lookup([Int])
  case tags(TagCounts)
  case refusal(InventoryError)
}

extension Question {
  func answer(from snapshot: any Snapshot, _ names: NodeNames) -> Answer {
    do throws(InventoryError) {
      switch self {
      case .revision: return .revision(try snapshot.revision())
      case .counts:
        let counts = try snapshot.counts()
        return .counts(lists: counts.lists, items: counts.items)
      case .list(let list):
        return .list(try snapshot.list(names.reference(list)))
      case .item(let item): return .item(try snapshot.item(names.item(item)))
      case .photos(let item):
        return .photos(try snapshot.photos(of: names.item(item)))
      case .place(let row): return .place(try snapshot.place(of: names.row(row)))
      case .rows(let list, let window):
        var top: (List, RowIndex)?
        var rows: [Row] = []
        try snapshot.rows(
          of: names.reference(list), window,
          begin: { (list, index) throws(InventoryError) in
            top = (list, index)
            return true
          },
          visit: {
            rows.append($0)
            return true
          })
        guard let top else { return .refusal(.storageFailed("A page without a beginning.")) }
        return .rows(top.0, top.1, rows)
      case .sublists(let list, let window):
        return .lists(try snapshot.sublists(of: names.reference(list), window))
      case .descendants(let list, let window):
        return .lists(try snapshot.descendants(of: names.reference(list), window))
      case .totals(let list):
        return .totals(try snapshot.subtreeTotals(of: names.reference(list)))
      case .resolve(let titles):
        return .step(try snapshot.resolve(path: titles))
      case .transfer(let list):
        var records: [TransferRecord] = []
        var bytes: [PhotoID: [UInt8]] = [:]
        try snapshot.transfer(of: names.reference(list)) { (record) throws(InventoryError) in
          records.append(record)
          guard case .photo(let photo) = record else { return }
          try snapshot.bytes(of: photo.id) { bytes[photo.id, default: []] += $0 }
        }
        return .records(records, bytes)
      case .items(let list):
        var records: [TransferRecord] = []
        try snapshot.items(of: names.reference(list)) { records.append(.item($0)) }
        return .records(records)
      case .delta(let list, let since):
        return .delta(try snapshot.delta(of: names.reference(list), since: Revision(since)))
      case .subjects(let rows):
        return .subjects(try snapshot.screenSubjects(of: Set(rows.map(names.row))))
      case .ancestor(let row):
        return .step(try snapshot.nearestAncestor(of: names.row(row)))
      case .neighbours(let item):
        return .neighbours(try snapshot.neighbours(of: names.item(item)))
      case .navigator(let id):
        return .navigator(try snapshot.navigator(names.navigator(id)))
      case .navigators(let name):
        return .navigators(try snapshot.navigators(named: name))
      case .appearance: return .appearance(try snapshot.appearance())
      case .inventory: return .inventory(try snapshot.inventory())
      case .depth(let row, let list):
        return .depth(isTooDeep: try snapshot.isTooDeep(row.map(names.row), in: names.list(list)))
      case .trash(let window): return .trash(try snapshot.trash(window))
      case .changes(let since, let end, let offset, let limit):
        return .changes(
          try snapshot.changes(
            since: since.map { Revision($0) }, before: end.map { Revision($0) }, offset: offset,
            limit: limit))
      case .change(let revision):
        return .change(try snapshot.change(Revision(revision)))
      case .activity(let since):
        // Stores count steps in their own way; what all of them call too much is none of these spans.
        return .activity(try snapshot.activity(since: Revision(since), limit: 1_000_000))
      case .view(let list, let view):
        return .view(try snapshot.rows(of: names.reference(list), view))
      case .search(let text, let list, let kind, let tag):
        let query = SearchQuery(
          words: SearchWords(text), below: names.reference(list), kind: kind, tag: tag,
          limit: Limits.page.upperBound)
        return try hits(query, snapshot, names)
      case .lookup(let lookup):
        return .lookup(try found(lookup, snapshot).map { names.number(RowID($0)) }.sorted())
      case .tags(let prefix, let offset, let limit):
        return .tags(try snapshot.tags(prefix: prefix, offset: offset, limit: limit))
      }
    } catch {
      return .refusal(error)
    }
  }

  /// All items of a lookup, page by page: by their places and by the item before.
  private func found(
    _ lookup: ItemLookup, _ snapshot: any Snapshot
  ) throws(InventoryError) -> [ItemID] {
    var found: [ItemID] = []
    while true {
      let page = try snapshot.items(
        with: lookup, PageWindow(start: .offset(found.count), limit: 2))
      if let last = found.last {
        let after = try snapshot.items(
          with: lookup, PageWindow(start: .after(RowID(last)), limit: 2))
        guard after == page else {
          throw .storageFailed("Pages after an item that are not those after its place.")
        }
      }
      found += page.elements
      guard !page.elements.isEmpty else {
        guard page.count == found.count else { throw .storageFailed("A wrong count of items.") }
        return found
      }
    }
  }

  /// By their numbers, since arrays do not rank.
  private func hits(
    _ query: SearchQuery, _ snapshot: any Snapshot, _ names: NodeNames
  ) throws(InventoryError) -> Answer {
    var total = SearchTotal(count: -1, isTruncated: false)
    var hits: [(number: Int, hit: SearchHit)] = []
    try snapshot.search(query) {
      total = $0
    } visit: { hit in
      var bare = hit
      bare.snippet = []
      hits.append((names.number(Row(index: RowIndex(0), content: hit.content).id), bare))
      return true
    }
    guard try pages(of: query, snapshot) == hits.map(\.number).map(names.row) else {
      return .refusal(.storageFailed("Pages that do not make the whole."))
    }
    return .hits(total, hits.sorted { $0.number < $1.number }.map(\.hit))
  }

  /// The same by a few pages: what they have, one behind the other.
  private func pages(
    of query: SearchQuery, _ snapshot: any Snapshot
  ) throws(InventoryError) -> [RowID] {
    var found: [RowID] = []
    var count = 0
    repeat {
      var page = query
      page.offset = found.count
      page.limit = 1 + found.count * 3
      count = found.count
      try snapshot.search(page) { (_) in
      } visit: { hit in
        found.append(Row(index: RowIndex(0), content: hit.content).id)
        return true
      }
    } while found.count > count
    return found
  }
}
