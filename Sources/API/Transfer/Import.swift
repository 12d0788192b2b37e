import FoundationEssentials
import Glibc
import Inventory
import JSON

/// Reads an export line by line and passes it to a store. A small one is merged as one change. A large one is staged in
/// many small steps and is invisible until it is complete. The bytes of photos are always staged, except for photos
/// that an item already has.
///
/// It belongs to one thread, which waits for the store. Call `abandon` unless `finish` succeeds.
package struct Import: ~Copyable {
  package enum Mode: String, Sendable, CaseIterable { case merge, replace }

  package struct Options: Sendable {
    package var mode: Mode
    package var isDryRun: Bool
    /// The list to which a new tree is appended.
    package var list: ListReference
    /// The largest photo in bytes. By default this is the highest limit that a server can have, because a server with
    /// this limit may have written the file.
    package var largestPhoto = Configuration.BodyLimits.highestPhoto
    /// The deepest nesting of arrays and objects in a line.
    package var depth = JSONReader.deepest

    package init(mode: Mode, isDryRun: Bool = false, list: ListReference = .root) {
      self.mode = mode
      self.isDryRun = isDryRun
      self.list = list
    }
  }

  package struct Report: Sendable {
    package var receipt: Receipt
    package var lists: Int
    package var items: Int
    package var photos: Int
    package var counts: TransferCounts
    /// The stored response, if the write had an idempotency key.
    package var kept: StoredResponse?
  }

  /// Makes the idempotency data of the write. Its argument is a function that makes the report from the outcome.
  package typealias MakeRetry = (@escaping @Sendable (Outcome) -> Report) throws(Problem) ->
    IdempotentRequest?

  private let options: Options
  private let store: any Store
  private var context: WriteContext
  private let id = ImportID(.version7())
  private let now = Timestamp(WallClock.now)

  private var reader = LineReader()
  private var state = State.header
  /// The appearance in the header.
  private var appearance: Appearance?
  /// The currency of the inventory; nil until it is looked up.
  private var ownCurrency: String?
  private var lists = 0
  private var items = 0
  private var photos = 0
  /// The last item, the number of its photos in this import, and the photos that it has in the store. `present` is nil
  /// until they are looked up.
  private var item: (id: ItemID, photos: Int, present: Set<PhotoID>?)?
  private var session: (any ReadSession)?
  private var photo: ArrivingPhoto?
  /// Pieces that the store is writing, in order. The next ones are read meanwhile.
  private var pieces: [(bytes: PhotoPiece, outcome: Awaited<Void>)] = []
  /// The uploads of photos whose records are not staged yet, in order.
  private var uploads: [UploadID] = []
  private var pending: [NumberedRecord] = []
  private var pendingBytes = 0
  private var isStaging: Bool
  /// The step that the store is doing. The next one is read meanwhile.
  private var step: (command: Command, outcome: Awaited<Outcome>)?
  private var hasStaged = false
  private var topLine = 0

  private enum State { case header, records, ended }

  /// The most records in a step, which occupies the store's writer for some milliseconds.
  private static let recordsInOneStep = 250
  private static let bytesInOneStep = 256 << 10
  /// The most pieces of photos being stored at a time.
  private static let piecesAtOnce = 8
  /// The most bytes of lines that are kept in memory to merge them as one change.
  private static let bytesInOneChange = 16 << 20

  package init(_ options: Options, store: any Store, context: WriteContext) {
    self.options = options
    self.store = store
    self.context = context
    isStaging = options.mode == .replace
  }

  package mutating func take(_ piece: [UInt8]) throws(Problem) {
    // Moved out of `self`, because reading its lines mutates `self`.
    var lines = reader
    reader = LineReader()
    do throws(Problem) {
      try lines.take(piece) { (text, line) throws(Problem) in try take(text, line) }
    } catch {
      reader = lines
      throw error
    }
    reader = lines
  }

  /// Ends the file and applies the import.
  package mutating func finish(
    _ makeRetry: MakeRetry = { (_) throws(Problem) in nil }
  ) throws(Problem) -> Report {
    if reader.isInLine { try take([UInt8(ascii: "\n")]) }
    guard state == .ended else {
      throw .invalid(
        line: reader.line, "The file is incomplete: it ends before the line with {\"end\":true, …}."
      )
    }
    return try complete(makeRetry)
  }

  /// Discards everything that was staged.
  package mutating func abandon() {
    for piece in pieces { _ = piece.outcome.wait() }
    pieces = []
    for upload in uploads { store.discard(upload, context) }
    uploads = []
    guard hasStaged else { return }
    _ = step?.outcome.wait()
    step = nil
    hasStaged = false
    _ = submit(.abandonImport(id)).wait()
  }

  private mutating func take(
    _ text: UnsafeBufferPointer<UInt8>, _ line: Int
  ) throws(Problem) {
    if state != .header, text.allSatisfy({ $0 == UInt8(ascii: " ") }) { return }
    guard state != .ended else {
      throw .invalid(line: line, "No line may follow the last line.")
    }
    let content = try TransferLine(
      text, line: line, isFirst: state == .header, maximumDepth: options.depth, now: now)
    if let photo {
      guard case .piece = content else {
        throw .invalid(line: line, photo.missing)
      }
    }
    switch content {
    case .header(let appearance):
      self.appearance = appearance
      state = .records
    case .record(let record):
      switch record {
      case .list:
        lists += 1
        item = nil
      case .item(let new):
        items += 1
        item = (new.id, 0, nil)
        if new.details.value != nil { try requireOwnCurrency(line) }
      case .photo: break
      }
      if lists + items == 1 { topLine = line }
      pendingBytes += text.count
      try handOver(NumberedRecord(line: line, record: record))
    case .photo(let id, let item, let size, let createdAt):
      try require(item, takes: size, line)
      let upload = try isPresent(id) ? nil : UploadID(.version7())
      if let upload { uploads.append(upload) }
      photo = ArrivingPhoto(
        id, of: item, size: size, createdAt: createdAt, upload: upload, line: line)
    case .piece(let photo, let number, let bytes): try take(photo, number, bytes, line)
    case .end(let lists, let items, let photos):
      guard lists == self.lists, items == self.items, photos == self.photos else {
        throw .invalid(
          line: line,
          """
          The last line counts \(lists) lists, \(items) items and \(photos) photos. \
          The file has \(self.lists), \(self.items) and \(self.photos).
          """)
      }
      guard lists > 0 else {
        throw .invalid(line: line, "The file has no list.")
      }
      state = .ended
    }
  }

  /// Refuses a value to merge if the file has another currency than the inventory.
  private mutating func requireOwnCurrency(_ line: Int) throws(Problem) {
    guard options.mode == .merge, let appearance else { return }
    if ownCurrency == nil {
      ownCurrency = try read { (snapshot) throws(InventoryError) in
        try snapshot.appearance().appearance.currency.code
      }
    }
    let given = appearance.currency.code
    // A caller who cannot read it is refused later, with the first line that cannot be merged.
    guard let ownCurrency, ownCurrency != given else { return }
    throw .invalid(
      line: line,
      """
      The values in the file are in \(given), and those of the inventory in \(ownCurrency). Set the currency of the \
      inventory first (PUT /v1/appearance), or replace the inventory (mode=replace).
      """, in: .member(["valueInDollars"]))
  }

  /// Nil if the caller cannot read it.
  private mutating func read<Value: Sendable>(
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value
  ) throws(Problem) -> Value? {
    do throws(InventoryError) {
      if session == nil { session = try store.makeSession() }
    } catch { throw Problem(error) }
    return try? session?.read(as: context.caller, body).get()
  }

  /// Checks that a photo of this size may follow the item, and counts it.
  private mutating func require(
    _ owner: ItemID, takes size: Int, _ line: Int
  ) throws(Problem) {
    func refuse(_ member: String, _ detail: String) -> Problem {
      .invalid(line: line, detail, in: .member([member]))
    }
    guard let item, item.id == owner else {
      throw refuse("itemId", "A photo's line must follow the line of its item.")
    }
    guard item.photos < Limits.photosOfItem else {
      throw refuse("itemId", "An item has at most \(Limits.photosOfItem) photos.")
    }
    guard size <= options.largestPhoto else {
      throw refuse("size", "A photo has at most \(options.largestPhoto) bytes.")
    }
    self.item?.photos += 1
    photos += 1
  }

  /// Whether the existing item already has the photo, so that a merge keeps it.
  private mutating func isPresent(_ photo: PhotoID) throws(Problem) -> Bool {
    guard !isStaging, let item else { return false }
    if let present = item.present { return present.contains(photo) }
    let id = item.id
    // The merge reports an inaccessible item with its line.
    let present =
      try read { (snapshot) throws(InventoryError) in
        Set(try snapshot.photos(of: id).map(\.id))
      } ?? []
    self.item?.present = present
    return present.contains(photo)
  }

  private mutating func take(
    _ id: PhotoID, _ number: Int, _ bytes: [UInt8], _ line: Int
  ) throws(Problem) {
    guard photo != nil else {
      throw .invalid(line: line, "A piece must follow the line of its photo.")
    }
    if let next = try photo?.take(id, number, bytes, line: line) {
      // A photo's first piece must be stored before the next, because the store may refuse it.
      try endPieces(leaving: next.number == 1 ? 0 : Self.piecesAtOnce - 1)
      pieces.append((next, store.stage(next, context)))
    }
    guard let whole = photo, whole.isWhole else { return }
    photo = nil
    try handOver(try whole.record())
  }

  private mutating func handOver(_ record: NumberedRecord) throws(Problem) {
    pending.append(record)
    if !isStaging {
      guard
        pending.count > Limits.rowsInOneChange || pendingBytes > Self.bytesInOneChange
      else { return }
      isStaging = true
    }
    if pending.count >= Self.recordsInOneStep || pendingBytes >= Self.bytesInOneStep {
      try stage()
    }
  }

  private mutating func stage() throws(Problem) {
    let target = options.mode == .replace ? ImportTarget.inventory : .end(of: options.list)
    var rest = pending[...]
    pending.removeAll()
    pendingBytes = 0
    try endPieces()
    while !rest.isEmpty {
      let batch = Array(rest.prefix(Self.recordsInOneStep))
      rest = rest.dropFirst(batch.count)
      try endStep()
      let command = Command.stage(id, target, batch)
      hasStaged = true
      step = (command, submit(command))
    }
  }

  /// Waits for the current step.
  private mutating func endStep() throws(Problem) {
    guard let step else { return }
    self.step = nil
    let result = Self.retrying(step.outcome.wait()) { submit(step.command).wait() }
    do throws(InventoryError) { _ = try result.get() } catch { throw problem(error) }
    // These uploads now belong to the staged tree.
    if case .stage(_, _, let records) = step.command {
      uploads.removeFirst(records.count { $0.record.upload != nil })
    }
  }

  /// Waits until at most `count` pieces are being stored.
  private mutating func endPieces(leaving count: Int = 0) throws(Problem) {
    while pieces.count > count {
      let piece = pieces.removeFirst()
      let result = Self.retrying(piece.outcome.wait()) { store.stage(piece.bytes, context).wait() }
      do throws(InventoryError) { try result.get() } catch { throw problem(error) }
    }
  }

  private mutating func complete(_ makeRetry: MakeRetry) throws(Problem) -> Report {
    let (lists, items, photos) = (lists, items, photos)
    let report = { @Sendable (outcome: Outcome) in
      Report(
        receipt: outcome.receipt, lists: lists, items: items, photos: photos,
        counts: outcome.counts ?? TransferCounts(created: lists + items), kept: outcome.kept)
    }
    let command: Command
    if isStaging {
      try stage()
      try endStep()
      command = .finishImport(id, options.mode == .replace ? appearance : nil)
    } else {
      try endPieces()
      command = .merge(pending, into: options.list)
    }
    context.retry = try makeRetry(report)
    let result = Self.retrying(submit(command).wait()) { submit(command).wait() }
    let outcome: Outcome
    do throws(InventoryError) { outcome = try result.get() } catch { throw problem(error) }
    context.retry = nil
    // A dry run does not apply the staged tree, and neither does a retry.
    if options.isDryRun || outcome.kept?.isReplayed == true {
      abandon()
    } else {
      hasStaged = false
      uploads = []
    }
    return report(outcome)
  }

  private func problem(_ error: InventoryError) -> Problem {
    // Only a completely new tree can be staged in steps.
    if options.mode == .merge, isStaging, case .lineConflicts(let conflicts) = error,
      conflicts.first?.line == topLine
    {
      return Problem(
        .tooManyRows,
        "One import merges at most \(Limits.rowsInOneChange) rows into existing lists. "
          + "A tree whose first list is new may have any number.",
        extensions: [.limit(Limits.rowsInOneChange)])
    }
    return Problem(error)
  }

  /// Retries while the queue is full, so that a long import does not fail because of a busy moment.
  private static func retrying<Value>(
    _ first: Result<Value, InventoryError>, _ again: () -> Result<Value, InventoryError>
  ) -> Result<Value, InventoryError> {
    var result = first
    var tries = 0
    while case .failure(.overloaded) = result, tries < 500 {
      usleep(20_000)
      tries += 1
      result = again()
    }
    return result
  }

  private func submit(_ command: Command) -> Awaited<Outcome> {
    var context = context
    switch command {
    case .finishImport, .merge: context.isDryRun = options.isDryRun
    default: break
    }
    return store.submit(command, context)
  }
}
