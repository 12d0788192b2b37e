import FoundationEssentials
import Inventory

/// Everything that an inventory holds at one revision, in plain dictionaries and arrays.
///
/// A value: a copy of it is a snapshot, and a change that fails is a copy thrown away.
struct ArrayState: Sendable {
  struct StoredList: Sendable {
    /// The list that it is, or before its deletion was, a row of.
    var parent: ListID?
    var item: ItemID?
    var details: ListDetails
    var rows: [RowID] = []
    var revision: Revision
    var createdAt: Timestamp
    var updatedAt: Timestamp
    /// How it was at each revision that touched its rows or fields, oldest first.
    var versions: [Version] = []
  }

  struct StoredItem: Sendable {
    /// The list that it is, or before its deletion was, a row of.
    var list: ListID
    var details: ItemDetails
    var contents: ListID?
    var photos: [PhotoID] = []
    var revision: Revision
    var createdAt: Timestamp
    var updatedAt: Timestamp
  }

  struct StoredPhoto: Sendable {
    var photo: Photo
    var renditions: [RenditionSize: NewRendition] = [:]
    /// The item that it is, or was, one of.
    var item: ItemID
    var bytes: [UInt8]
  }

  /// Where something stood when it was deleted.
  struct Deleted: Sendable {
    var list: ListID
    var index: Int
    var previous: RowID?
    var next: RowID?
    var revision: Revision
    var at: Timestamp
    var by: String
    /// The list that it stood in is gone for good, and `list` is what held that one.
    var isRehomed = false
  }

  struct Version: Sendable {
    var revision: Revision
    var details: ListDetails
    var parent: ListID?
    var rows: [Row]
  }

  let inventoryID: InventoryID
  let createdAt: Timestamp
  var rootID: ListID
  var revision: Revision
  var lists: [ListID: StoredList] = [:]
  var items: [ItemID: StoredItem] = [:]
  /// All that items have or have had.
  var photos: [PhotoID: StoredPhoto] = [:]
  /// What has come of photos that are yet to be added.
  var uploads: [UploadID: [UInt8]] = [:]
  /// What was deleted; what was below it is still there, but its chain of parents ends here.
  var trash: [RowID: Deleted] = [:]
  /// The revision that last gave each row its place.
  var placed: [RowID: Revision] = [:]
  /// One entry for each revision.
  var log: [Revision: ArrayLogEntry] = [:]
  /// Oldest first.
  var tokens: [(token: Token, digest: [UInt8])] = []
  var invitations: [Invitation] = []
  /// When each token was last shown.
  var uses: [TokenID: Timestamp] = [:]
  /// Whether the last token has gone with its list, or by one who is no administrator, and none has been made since.
  var hasLostTokens = false
  var navigators: [NavigatorID: OwnedNavigator] = [:]
  var appearance = VersionedAppearance()
  var depthLimit: DepthLimit?

  struct OwnedNavigator: Sendable {
    let owner: String
    var navigator: Navigator
  }

  /// The history before is gone.
  var historyStart = Revision(0)
  /// Trees that come in, out of sight.
  var staged: [ImportID: StagedTree] = [:]

  struct StagedTree: Sendable {
    /// The list to append the import to; nil: it replaces the inventory.
    var list: ListID?
    var top: ListID
    var revision: Revision
    var lists: [ListID: StoredList] = [:]
    var items: [ItemID: StoredItem] = [:]
    var photos: [PhotoID: StoredPhoto] = [:]
  }
  /// What came in with a tree, and the revision that it came with: of such things no step of the log tells.
  var arrived: [RowID: Revision] = [:]
  /// The revisions that put such trees in place.
  var arrivals: Set<Revision> = []
  /// The last revision before what had the id was gone for good: what has it now is another.
  var purged: [RowID: Revision] = [:]
  /// Of the request that made the last change.
  var lastRequestID: String?
  var answers: [AnswerName: KeptForRetries] = [:]
  var syncClients: [SyncKey: SyncRecord] = [:]

  struct AnswerName: Sendable, Hashable {
    var scope: [UInt8]
    var key: String
  }

  struct KeptForRetries: Sendable {
    var fingerprint: [UInt8]
    var bytes: [UInt8]
    var at: Timestamp
  }

  init(inventoryID: InventoryID, root: List, revision: Revision) {
    self.inventoryID = inventoryID
    self.revision = revision
    createdAt = root.createdAt
    rootID = root.id
    lists[root.id] = StoredList(
      details: root.details, revision: root.revision, createdAt: root.createdAt,
      updatedAt: root.updatedAt,
      versions: [Version(revision: root.revision, details: root.details, rows: [])])
  }

  subscript(_ id: ListID) -> StoredList {
    get {
      guard let list = lists[id] else { preconditionFailure("No list \(id).") }
      return list
    }
    set { lists[id] = newValue }
  }

  subscript(_ id: ItemID) -> StoredItem {
    get {
      guard let item = items[id] else { preconditionFailure("No item \(id).") }
      return item
    }
    set { items[id] = newValue }
  }
}

extension ArrayState {
  /// From a list or item, itself first, up to the inventory's root; empty if the id names nothing.
  func chain(of row: RowID) -> [RowID] {
    var chain: [RowID] = []
    var next: RowID? = row
    // An undo that is about to be refused can have made a cycle.
    while let id = next, !chain.contains(id) {
      if let deleted = trash[id] {
        next = RowID(deleted.list)
      } else if let list = lists[ListID(id)] {
        next = list.parent.map { RowID($0) } ?? list.item.map { RowID($0) }
      } else if let item = items[ItemID(id)] {
        next = RowID(item.list)
      } else {
        break
      }
      chain.append(id)
    }
    return chain
  }

  /// Throws unless the caller may see the id and it is not in the trash.
  ///
  /// What was deleted belongs to where it was: outside of the caller's root it is `notFound` too.
  func require(
    _ row: RowID, for caller: Caller, as subject: InventoryError.Subject
  ) throws(InventoryError) {
    try requireRoot(of: caller)
    let chain = chain(of: row)
    guard isInSight(row, for: caller) else { throw .notFound(subject) }
    if let top = chain.first(where: { trash[$0] != nil }) { throw .inTrash(top: top) }
  }

  /// Whether it is below the caller's root. What was deleted before its list came there is not, nor from a list that
  /// is purged.
  func isInSight(_ row: RowID, for caller: Caller) -> Bool {
    let chain = chain(of: row)
    guard let end = chain.firstIndex(of: RowID(root(for: caller))) else { return false }
    guard isScoped(caller),
      let deleted = chain[..<end].lazy.compactMap({ trash[$0] }).first
    else { return true }
    return !deleted.isRehomed && sees(RowID(deleted.list), at: deleted.revision, for: caller)
  }

  /// Throws unless the caller's inventory and root are there: whose root is in the trash sees nothing.
  func requireRoot(of caller: Caller) throws(InventoryError) {
    if let inventory = caller.inventory, inventory != inventoryID { throw .notFound(.inventory) }
    let root = root(for: caller)
    guard lists[root] != nil, isLive(RowID(root)) else {
      throw .notFound(.list)
    }
  }

  func exists(_ row: RowID) -> Bool {
    lists[ListID(row)] != nil || items[ItemID(row)] != nil
  }

  /// Whether it is there, and neither in the trash nor below what is.
  func isLive(_ row: RowID) -> Bool {
    exists(row) && !chain(of: row).contains { trash[$0] != nil }
  }

  func root(for caller: Caller) -> ListID { caller.root ?? rootID }

  /// The list that a reference names, if the caller may see it.
  func listID(_ reference: ListReference, for caller: Caller) throws(InventoryError) -> ListID {
    let id =
      switch reference {
      case .root: root(for: caller)
      case .id(let id): id
      }
    let isList = lists[id] != nil
    // An item's id takes the same way as one that names nothing.
    try require(isList ? RowID(id) : RowID(root(for: caller)), for: caller, as: .list)
    guard isList else { throw .notFound(.list) }
    return id
  }

  func requireItem(_ id: ItemID, for caller: Caller) throws(InventoryError) {
    let isItem = items[id] != nil
    try require(isItem ? RowID(id) : RowID(root(for: caller)), for: caller, as: .item)
    guard isItem else { throw .notFound(.item) }
  }
}

extension ArrayState {
  func total(of id: ListID) -> TotalCents {
    self[id].rows.reduce(.zero) { $0 + (items[ItemID($1)]?.details.total ?? .zero) }
  }

  func list(_ id: ListID, for caller: Caller) -> List {
    let stored = self[id]
    // What holds the caller's own root is out of its sight.
    let isRoot = id == root(for: caller)
    return List(
      id: id, parentID: isRoot ? nil : stored.parent, itemID: isRoot ? nil : stored.item,
      details: stored.details, rowCount: stored.rows.count, total: total(of: id),
      revision: stored.revision, createdAt: stored.createdAt, updatedAt: stored.updatedAt)
  }

  func item(_ id: ItemID) -> Item {
    let stored = self[id]
    return Item(
      id: id, listID: stored.list, details: stored.details, contentsListID: stored.contents,
      photos: stored.photos, revision: stored.revision, createdAt: stored.createdAt,
      updatedAt: stored.updatedAt)
  }

  func content(of row: RowID) -> Row.Content {
    if let list = lists[ListID(row)] {
      return .list(
        ListSummary(
          ListID(row), list.details, rowCount: list.rows.count, total: total(of: ListID(row))))
    }
    return .item(ItemSummary(item(ItemID(row))))
  }

  func row(_ id: RowID, at index: Int) -> Row {
    Row(index: RowIndex(index), content: content(of: id))
  }

  func rows(of id: ListID) -> [Row] {
    self[id].rows.enumerated().map { row($1, at: $0) }
  }

  /// The list that a list or an item is a row of, and where; nil for root and contents lists.
  func seat(of row: RowID) -> (list: ListID, index: Int)? {
    guard let list = lists[ListID(row)]?.parent ?? items[ItemID(row)]?.list,
      let index = self[list].rows.firstIndex(of: row)
    else { return nil }
    return (list, index)
  }

  func step(_ row: RowID) -> PathStep {
    PathStep(
      id: row, title: self.row(row, at: 0).title, isList: lists[ListID(row)] != nil)
  }

  /// From the caller's root down to a list or item that it may see.
  func path(of row: RowID, for caller: Caller) -> [PathStep] {
    let chain = chain(of: row)
    let end = chain.firstIndex(of: RowID(root(for: caller))) ?? chain.endIndex - 1
    return chain[...end].reversed().map(step)
  }
}
