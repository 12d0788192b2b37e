import FoundationEssentials
import Glibc
import Inventory

/// Reads an export line by line and hands it to a store: a small one to be merged as one change, a
/// large one in many small steps, out of sight until it is whole.
///
/// For one thread, which waits for the store. Who does not call `finish`, or gets an error from it or
/// from `take`, calls `abandon`.
package struct Import: ~Copyable {
  package enum Mode: String, Sendable, CaseIterable { case merge, replace }

  package struct Options: Sendable {
    package var mode: Mode
    package var isRehearsal: Bool
    /// The list at whose end a tree comes that is not there yet.
    package var list: ListReference

    package init(mode: Mode, isRehearsal: Bool = false, list: ListReference = .root) {
      self.mode = mode
      self.isRehearsal = isRehearsal
      self.list = list
    }
  }

  package struct Report: Sendable {
    package var receipt: Receipt
    package var lists: Int
    package var items: Int
    package var counts: TransferCounts
  }

  /// Why nothing was imported.
  package struct Failure: Error {
    let problem: Problem
    package var message: String { problem.detail }
  }

  private let options: Options
  private let store: any Store
  private let context: WriteContext
  private let id = ImportID(.version7())
  private let now = Timestamp(WallClock.now)

  private var reader = LineReader()
  private var state = State.header
  private var lists = 0
  private var items = 0
  private var pending: [NumberedRecord] = []
  private var pendingBytes = 0
  private var isStaging: Bool
  /// The step that the store is at; the next is read meanwhile.
  private var step: (command: Command, outcome: AwaitedOutcome)?
  private var hasStaged = false
  private var topLine = 0

  private enum State { case header, records, ended }

  /// Records of one step, which holds the store's writer for some milliseconds.
  private static let recordsInOneStep = 500
  private static let bytesInOneStep = 256 << 10
  /// Of lines that are kept in memory to be merged as one change.
  private static let bytesInOneChange = 16 << 20

  package init(_ options: Options, store: any Store, context: WriteContext) {
    self.options = options
    self.store = store
    self.context = context
    isStaging = options.mode == .replace
  }

  package mutating func take(_ piece: [UInt8]) throws(Failure) {
    do throws(Problem) { try read(piece) } catch { throw Failure(problem: error) }
  }

  /// The end of the file: all of it is put in place.
  package mutating func finish() throws(Failure) -> Report {
    do throws(Problem) {
      if reader.isInLine { try read([UInt8(ascii: "\n")]) }
      guard state == .ended else {
        throw .invalid(lines: [
          LineFault(
            reader.line, nil,
            "The file ends here, before a last line that says {\"end\":true, …}: it is cut off.")
        ])
      }
      return try complete()
    } catch { throw Failure(problem: error) }
  }

  /// Has the store forget what it was given.
  package mutating func abandon() {
    guard hasStaged else { return }
    _ = step?.outcome.wait()
    step = nil
    hasStaged = false
    _ = submit(.abandonImport(id)).wait()
  }

  private mutating func read(_ piece: [UInt8]) throws(Problem) {
    // Apart while its lines are taken, which change all the rest.
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

  private mutating func take(
    _ text: UnsafeBufferPointer<UInt8>, _ line: Int
  ) throws(Problem) {
    if state != .header, text.allSatisfy({ $0 == UInt8(ascii: " ") }) { return }
    guard state != .ended else {
      throw .invalid(lines: [LineFault(line, nil, "Nothing comes behind the last line.")])
    }
    switch try TransferLine(text, line: line, isFirst: state == .header, now: now) {
    case .header: state = .records
    case .record(let record):
      if case .list = record { lists += 1 } else { items += 1 }
      if lists + items == 1 { topLine = line }
      pending.append(NumberedRecord(line: line, record: record))
      pendingBytes += text.count
      try handOver()
    case .end(let lists, let items):
      guard lists == self.lists, items == self.items else {
        throw .invalid(lines: [
          LineFault(
            line, nil,
            "It tells of \(lists) lists and \(items) items, but \(self.lists) and \(self.items) came."
          )
        ])
      }
      guard lists > 0 else {
        throw .invalid(lines: [LineFault(line, nil, "There is no list in it.")])
      }
      state = .ended
    }
  }

  private mutating func handOver() throws(Problem) {
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
    while !rest.isEmpty {
      let batch = Array(rest.prefix(Self.recordsInOneStep))
      rest = rest.dropFirst(batch.count)
      try endStep()
      let command = Command.stage(id, target, batch)
      hasStaged = true
      step = (command, submit(command))
    }
  }

  /// Waits for the step that is being made.
  private mutating func endStep() throws(Problem) {
    guard let step else { return }
    self.step = nil
    let result = Self.retrying(step.outcome.wait()) { submit(step.command).wait() }
    do throws(InventoryError) { _ = try result.get() } catch { throw problem(error) }
  }

  private mutating func complete() throws(Problem) -> Report {
    let command: Command
    if isStaging {
      try stage()
      try endStep()
      command = .finishImport(id)
    } else {
      command = .merge(pending, into: options.list)
    }
    let outcome: Outcome
    do throws(InventoryError) { outcome = try submitPatiently(command).get() } catch {
      throw problem(error)
    }
    // A rehearsal leaves the tree where it was.
    if options.isRehearsal { abandon() } else { hasStaged = false }
    return Report(
      receipt: outcome.receipt, lists: lists, items: items,
      counts: outcome.counts ?? TransferCounts(created: lists + items))
  }

  private func problem(_ error: InventoryError) -> Problem {
    // Only a tree that is new as a whole can come in steps.
    if options.mode == .merge, isStaging, case .lineConflicts(let conflicts) = error,
      conflicts.first?.line == topLine
    {
      return Problem(
        .tooManyRows,
        "At most \(Limits.rowsInOneChange) rows are merged into what is there at once; "
          + "a tree whose first list is not there yet may have any number.",
        extensions: [.limit(Limits.rowsInOneChange)])
    }
    return Problem(error)
  }

  private func submitPatiently(_ command: Command) -> Result<Outcome, InventoryError> {
    Self.retrying(submit(command).wait()) { submit(command).wait() }
  }

  /// A full queue is a reason to wait, not to give up all that has come in.
  private static func retrying(
    _ first: Result<Outcome, InventoryError>, _ again: () -> Result<Outcome, InventoryError>
  ) -> Result<Outcome, InventoryError> {
    var result = first
    var tries = 0
    while case .failure(.overloaded) = result, tries < 500 {
      usleep(20_000)
      tries += 1
      result = again()
    }
    return result
  }

  private func submit(_ command: Command) -> AwaitedOutcome {
    var context = context
    switch command {
    case .finishImport, .merge: context.isRehearsal = options.isRehearsal
    default: break
    }
    let outcome = AwaitedOutcome()
    store.submit(command, context) { outcome.give($0) }
    return outcome
  }
}
