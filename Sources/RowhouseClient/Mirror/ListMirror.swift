import Synchronization

/// A list's rows, kept in step with the server.
///
/// ```swift
/// let mirror = ListMirror(of: .root, at: rowhouse)
/// for try await update in mirror.updates() { show(update) }
/// ```
///
/// The rows are the server's, the pinned last one among them where the list shows it: the mirror works
/// out nothing, it does what the deltas say. It holds every row of the list.
public actor ListMirror {
  public nonisolated let list: Rowhouse.List.ID
  private let rowhouse: Rowhouse
  private let inboxes = Mutex<[ObjectIdentifier: ListInbox]>([:])
  private var state: MirroredList?

  public init(of list: Rowhouse.List.ID, at rowhouse: Rowhouse) {
    self.list = list
    self.rowhouse = rowhouse
  }

  /// The rows as last heard of; empty before the first update.
  public var rows: [Row] { state?.shownRows ?? [] }

  /// The list's own fields as last heard of.
  public var fields: Rowhouse.List? { state?.list }

  /// The rows, then each change of them.
  ///
  /// They come as they are asked for; a reader that takes its time gets what it has missed as one.
  /// Each reader follows the list by itself, and one that has failed may be followed by another.
  public nonisolated func updates() -> ListUpdates { ListUpdates(mirror: self) }

  /// Takes what one of the caller's own writes did, without waiting for it to come by the stream.
  public nonisolated func absorb(_ receipt: Receipt) {
    deliver(.deltas(receipt.deltas))
  }

  /// Moves a row that a table has moved already, as its data source is told of it.
  ///
  /// ``ListUpdate/change(from:)`` does not have the table move it once more. Where the server refuses,
  /// or has the row land elsewhere, the table is to show the rows anew.
  @discardableResult
  public nonisolated func moveRow(
    _ row: Row.ID, from: Int, to: Int
  ) async throws(RowhouseError) -> Receipt {
    do throws(RowhouseError) {
      let receipt = try await rowhouse.moveRow(in: list, from: from, to: to, expecting: row)
      if receipt.changed { absorb(receipt) } else { redraw() }
      return receipt
    } catch {
      redraw()
      throw error
    }
  }

  /// Has readers show all rows anew: for a table that has done on its own what the server did not.
  public nonisolated func redraw() { deliver(.redraw) }

  private nonisolated func deliver(_ message: ListInbox.Message) {
    for inbox in inboxes.withLock({ Array($0.values) }) { inbox.deliver(message) }
  }

  /// Follows the list for one reader.
  nonisolated func follow() -> ListFollower {
    let inbox = ListInbox()
    inboxes.withLock { $0[ObjectIdentifier(inbox)] = inbox }
    return ListFollower(self, rowhouse, inbox)
  }

  nonisolated func forget(_ inbox: ListInbox) {
    inboxes.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(inbox)) }
  }

  /// - Parameter isReadAnew: whether it is what the server has now, whatever was known before.
  func keep(_ mirrored: MirroredList, isReadAnew: Bool) {
    // A reader that takes its time comes to what another one has seen long ago.
    if let state, !isReadAnew, mirrored.revision < state.revision { return }
    state = mirrored
  }
}

/// The rows of a mirrored list, then each change of them.
///
/// A list that is deleted, or that the token no longer sees, ends them by ``ListUpdate/Change/gone``.
/// They throw ``RowhouseError`` where the list cannot be read at first, or is refused later on. A network
/// that comes and goes is no reason: behind the first update it is waited for, and what was missed is
/// caught up with.
public struct ListUpdates: AsyncSequence, Sendable {
  public typealias Element = ListUpdate
  public typealias Failure = RowhouseError

  let mirror: ListMirror

  public func makeAsyncIterator() -> Iterator { Iterator(follower: mirror.follow()) }

  public struct Iterator: AsyncIteratorProtocol {
    let follower: ListFollower

    public mutating func next() async throws(RowhouseError) -> ListUpdate? {
      try await follower.next()
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(RowhouseError) -> ListUpdate? {
      try await follower.next()
    }
  }
}
