import Foundation

/// Lists on disk, with or without a network: what a person does shows at once, and is sent when there is a connection.
///
/// ```swift
/// let store = try OfflineStore(in: folder, for: rowhouse)
/// await store.start()
/// try await store.keep(.root)
/// try await store.createItem(ItemDraft(name: "Saw"), in: .root)
/// ```
///
/// The view is the server's rows at one revision, with the commands that the server has not answered applied to them.
/// Commands are on disk when their call returns. Each is done once, whatever is killed or lost.
public actor OfflineStore {
  public nonisolated let rowhouse: Rowhouse
  nonisolated let folder: URL
  nonisolated let inboxes = ListInboxes()
  /// Nil after ``signOut()``.
  var openFile: OfflineFile?

  /// The server's state at `revision`.
  var base: OfflineTree
  /// Nil before anything was read.
  var revision: Int?
  /// The base with the queue applied; nil if the queue is empty.
  var shown: OfflineTree?
  /// The lists whose rows' contents are in `base`.
  private var loaded: Set<RowKey> = []
  var queue: [QueuedCommand]
  var photos: [OfflinePhoto]
  public internal(set) var notices: [OfflineNotice]

  var client: SyncClient.ID
  var nextSequence: Int
  /// The most commands of a batch. Fewer than usual while the store looks for one that the server cannot read.
  var mostAtOnce = SyncCommand.maximumCount
  /// The commands of the batch that is on the way for the first time.
  var firstSent: Set<Int> = []
  /// The revision that was known when the commands in `firstSent` got their numbers.
  var revisionSeen = 0
  var failures: [OfflineWorker: Int] = [:]

  var connection = OfflineStatus.Connection.stopped(nil)
  var refusal: RowhouseError?
  /// Whether the server has said that it has this store's inventory.
  var isIdentified = false
  var reading = OfflineReading()
  var unsaved = OfflineChanges()
  /// The most rows that ``keepAll(rows:)`` may keep; nil: only the lists that the app named.
  var rowsKept: Int?

  var following: Task<Void, Never>?
  /// The number of event streams so far.
  var streams = 0
  var saving: Task<Void, Never>?
  var workers: [OfflineWorker: Task<Void, Never>] = [:]
  var naps: [OfflineWorker: Task<Void, Never>] = [:]
  var kicked: Set<OfflineWorker> = []
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Opens the store in a folder, or creates it. Needs no network.
  ///
  /// - Parameters:
  ///   - folder: A folder of this store alone.
  ///   - rowhouse: The server, the token and the inventory. One store is for one of each.
  /// - Throws: ``OfflineError/otherData`` if the folder is for another server or inventory, and ``OfflineError/inUse``.
  public init(in folder: URL, for rowhouse: Rowhouse) throws(OfflineError) {
    let file = try OfflineFile(at: folder)
    self.folder = folder
    self.rowhouse = rowhouse
    openFile = file
    do {
      let server = "\(rowhouse.url.absoluteString) \(rowhouse.inventory?.rawValue ?? "")"
      if let known = try file.property(.server), known != server { throw OfflineError.otherData }
      var base = try file.base()
      revision = try file.property(.revision).flatMap { Int($0) }
      let queue = try file.queue()
      for list in queue.flatMap({ base.listsNeeded(for: $0.intent) })
      where loaded.insert(list).inserted {
        base.fill(try file.rows(of: list), of: list)
      }
      shown = queue.isEmpty ? nil : base.view(with: queue)
      (self.base, self.queue) = (base, queue)
      photos = try file.photos()
      notices = try file.notices()
      reading = OfflineReading(unread: try file.property(.unread) ?? "", in: base)
      rowsKept = try file.property(.rowsKept).flatMap { Int($0) }
      nextSequence = try file.property(.sequence).flatMap { Int($0) } ?? 1
      if let known = try file.property(.client) {
        client = SyncClient.ID(rawValue: known)
      } else {
        client = SyncClient.ID(rawValue: UUID().uuidString)
        try file.set(.client, to: client.rawValue)
        try file.set(.server, to: server)
      }
    } catch { throw OfflineError(error) }
  }

  deinit {
    for task in [following, saving].compactMap(\.self) + workers.values + naps.values {
      task.cancel()
    }
    for waiter in waiters { waiter.resume() }
  }

  // MARK: Reading

  /// The rows of a list as a table shows them, with the pinned last one. Nil if the store does not have the list.
  public func rows(of list: Rowhouse.List.ID) -> [Row]? {
    let key = view.key(of: list)
    load([key])
    return view.shownRows(of: key)
  }

  /// A list's own fields. Nil if the store does not have the list.
  public func list(_ id: Rowhouse.List.ID) -> Rowhouse.List? { view.nodes[view.key(of: id)]?.list }

  /// An item with all its details. Nil unless it was read by ``read(_:)`` before, or created offline.
  public func item(_ id: Item.ID) -> Item? { view.items[RowKey(id)] }

  /// The lists that the store has.
  public var lists: [Rowhouse.List] { view.nodes.values.map(\.list) }

  public var status: OfflineStatus {
    OfflineStatus(
      connection: connection, refusal: refusal,
      waiting: queue.filter { !$0.isDone }.map(OfflineEntry.init), photos: photos)
  }

  /// The commands and photos that the server has refused, with what they contained, until they are dismissed.
  public var refused: [OfflineNotice] { notices.filter(\.isRefused) }

  /// The bytes of a photo that waits, or was refused.
  public nonisolated func file(of photo: OfflinePhoto) -> URL {
    OfflineFile.photos(in: folder).appendingPathComponent(photo.id.rawValue)
  }

  /// Removes a notice. The bytes of a refused photo are deleted.
  public func dismiss(_ notice: OfflineNotice.ID) throws(OfflineError) {
    try store { file throws(OfflineDatabase.Failure) in try file.dismiss(notice) }
    for photo in notices.compactMap({ $0.id == notice ? $0.photo : nil }) {
      try? FileManager.default.removeItem(at: file(of: photo))
    }
    notices.removeAll { $0.id == notice }
    changed()
  }

  var view: OfflineTree { shown ?? base }

  // MARK: State

  var file: OfflineFile {
    get throws(OfflineError) {
      guard let openFile else { throw .stopped }
      return openFile
    }
  }

  /// Makes changes on disk as one transaction.
  func store(
    _ body: (OfflineFile) throws(OfflineDatabase.Failure) -> Void
  ) throws(OfflineError) {
    let file = try file
    do throws(OfflineDatabase.Failure) {
      try file.database.transaction { () throws(OfflineDatabase.Failure) in try body(file) }
    } catch { throw OfflineError(error) }
  }

  /// Reads the contents of the rows of lists from disk.
  func load(_ lists: some Sequence<RowKey>) {
    for list in lists where base.nodes[list] != nil && loaded.insert(list).inserted {
      let rows = (try? openFile?.rows(of: list)) ?? []
      base.fill(rows, of: list)
      shown?.fill(rows.filter { base.holders[$0.0] == list }, of: nil)
    }
  }

  /// Marks lists as loaded: `base` has the contents of all their rows.
  func setLoaded(_ lists: some Sequence<RowKey>) { loaded.formUnion(lists) }

  /// Reads what a command needs to be applied.
  func load(for intent: SyncCommand.Intent) {
    load(base.listsNeeded(for: intent))
  }

  /// Computes the view anew, after a change of the base or of the queue's earlier commands.
  func refresh() {
    // Released first, so that the base is not copied when it changes.
    shown = nil
    if !queue.isEmpty {
      for command in queue { load(for: command.intent) }
      shown = base.view(with: queue)
    }
    changed()
  }

  /// Tells readers that something has changed.
  func changed() {
    inboxes.deliver(.deltas([]))
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  /// Waits for the next change.
  func nextChange() async {
    await withCheckedContinuation { waiters.append($0) }
  }
}
