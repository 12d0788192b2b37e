import Synchronization

/// A list's rows, kept in step with the server.
///
/// ```swift
/// let mirror = ListMirror(of: .root, at: rowhouse)
/// for try await update in mirror.updates() { show(update) }
/// ```
///
/// The rows are the server's, including the pinned last one if the list shows it. The mirror only applies deltas. It
/// has every row of the list.
public actor ListMirror {
  public nonisolated let list: Rowhouse.List.ID
  private let rowhouse: Rowhouse
  private let inboxes = Mutex<[ObjectIdentifier: ListInbox]>([:])
  private var state: MirroredList?

  public init(of list: Rowhouse.List.ID, at rowhouse: Rowhouse) {
    self.list = list
    self.rowhouse = rowhouse
  }

  /// The latest rows; empty before the first update.
  public var rows: [Row] { state?.shownRows ?? [] }

  /// The latest fields of the list.
  public var fields: Rowhouse.List? { state?.list }

  /// The rows, then each change of them.
  ///
  /// Updates are computed on demand, so a slow reader receives all missed changes as one. Each
  /// reader follows the list independently. After a failure, start a new one.
  public nonisolated func updates() -> ListUpdates { ListUpdates(mirror: self) }

  /// Applies the receipt of a write of your own, without waiting for its event.
  public nonisolated func absorb(_ receipt: Receipt) {
    deliver(.deltas(receipt.deltas))
  }

  /// Moves a row that a table has already moved, with the arguments that its data source receives.
  ///
  /// ``ListUpdate/change(from:)`` does not move it in the table again. If the server refuses the move, or the row lands
  /// elsewhere, the next update makes the table reload all rows.
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

  /// Makes readers reload all rows, for a table that made a change that the server did not make.
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

  /// - Parameter isReadAnew: Whether it was just read from the server, so it replaces any older state.
  func keep(_ mirrored: MirroredList, isReadAnew: Bool) {
    // A slow reader may reach a revision that another one passed long ago.
    if let state, !isReadAnew, mirrored.revision < state.revision { return }
    state = mirrored
  }
}

/// The rows of a mirrored list, then each change of them.
///
/// They end with ``ListUpdate/Change/gone`` when the list is deleted, or the token no longer sees it. They throw
/// ``RowhouseError`` if the first read fails, or if the server later refuses. After the first update, they wait until a
/// lost network returns, and then catch up.
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
