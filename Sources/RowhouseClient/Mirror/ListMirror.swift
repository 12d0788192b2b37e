/// A list's rows, kept in step with the server.
///
/// ```swift
/// let mirror = ListMirror(of: .root, at: rowhouse)
/// for try await update in mirror.updates() { show(update) }
/// ```
///
/// The rows are the server's, including the pinned last one if the list shows it. The mirror computes no rows
/// itself: it reads all rows of the list, and then applies the server's deltas.
public actor ListMirror {
  public nonisolated let list: Rowhouse.List.ID
  private let source: Source
  private let inboxes = ListInboxes()
  private var state: MirroredList?

  private enum Source {
    case server(Rowhouse)
    case store(OfflineStore)
  }

  public init(of list: Rowhouse.List.ID, at rowhouse: Rowhouse) {
    self.list = list
    source = .server(rowhouse)
  }

  /// A mirror that works without a network, too: its rows are those of the store, which keeps the list.
  public init(of list: Rowhouse.List.ID, at store: OfflineStore) {
    self.list = list
    source = .store(store)
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

  /// Moves a row on the server after a table has moved it. Takes the arguments that the table's data source receives.
  ///
  /// ``ListUpdate/change(from:)`` does not move it in the table again. If the server refuses the move, or the row lands
  /// elsewhere, the next update makes the table reload all rows. If the mirror is of a store, the receipt has no
  /// deltas, because the server has not done the move yet.
  @discardableResult
  public nonisolated func moveRow(
    _ row: Row.ID, from: Int, to: Int
  ) async throws(RowhouseError) -> Receipt {
    do throws(RowhouseError) {
      let receipt: Receipt
      switch source {
      case .server(let rowhouse):
        receipt = try await rowhouse.moveRow(in: list, from: from, to: to, expecting: row)
      case .store(let store): return try await store.moveRow(row, in: list, to: to)
      }
      if receipt.changed { absorb(receipt) } else { redraw() }
      return receipt
    } catch {
      redraw()
      throw error
    }
  }

  /// Makes readers reload all rows, for a table that made a change that the server did not make.
  public nonisolated func redraw() { deliver(.redraw) }

  private nonisolated func deliver(_ message: ListInbox.Message) { inboxes.deliver(message) }

  /// Follows the list for one reader.
  nonisolated func follow() -> any ListFollowing {
    let inbox = ListInbox()
    inboxes.add(inbox)
    return switch source {
    case .server(let rowhouse): ListFollower(self, rowhouse, inbox)
    case .store(let store): OfflineFollower(self, store, inbox)
    }
  }

  nonisolated func forget(_ inbox: ListInbox) { inboxes.remove(inbox) }

  /// - Parameter isReadAnew: Whether it was just read from the server. It then replaces the present state, whatever its
  ///   revision.
  func keep(_ mirrored: MirroredList, isReadAnew: Bool) {
    // A slow reader may reach a revision that another one passed long ago.
    if let state, !isReadAnew, mirrored.revision < state.revision { return }
    state = mirrored
  }

  /// Keeps the rows of an update of the store.
  func keep(_ update: ListUpdate) {
    state = MirroredList(
      list: update.list, rows: update.rows.filter { !$0.isSentinel },
      sentinel: update.rows.last { $0.isSentinel })
  }
}

/// Computes the updates of one reader of a mirror.
protocol ListFollowing: Actor {
  /// The next update; nil after the last one, or if the task is cancelled.
  func next() async throws(RowhouseError) -> ListUpdate?
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
    let follower: any ListFollowing

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
