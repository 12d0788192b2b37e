import Inventory
import SQL

/// A write that waits for its turn.
struct PendingWrite: Sendable {
  enum Work: Sendable {
    /// `Prepared` has the results of work that takes long.
    case command(Command, WriteContext, Prepared? = nil)
    /// The last step of a bulk command.
    case bulk(BulkChange, WriteContext)
    case administration(Administration, Caller)
    /// Checks that the writer runs and can write.
    case probe
    /// Work that is not a change and has no outcome.
    case task(Task, for: TokenID? = nil)
    /// Runs outside of any transaction, so never in a group.
    case rewind(RewindStep)
  }
  /// Runs in the writer's transaction, possibly more than once. Returns the number of bytes that it put into the
  /// connection's cache and that will not be needed there.
  typealias Task = @Sendable (Connection) throws(StorageError) -> Int

  /// The result of a write.
  enum Done: Sendable {
    case command(Outcome)
    case administration(Administration.Outcome)
    /// The write has no outcome.
    case other
  }

  /// The key by which writes take turns.
  struct Turn: Hashable, Sendable {
    let caller: TokenID?
    /// Whether it is a piece of long work. A piece is answered before it is synced. Until the next ordinary write is
    /// synced, a power failure may lose it.
    let isPiece: Bool
  }

  /// The size of a request's body from which its write may have a long text, in bytes.
  private static let longBody = 4 << 10

  let work: Work
  /// Whether a full queue may refuse it.
  var isOptional = true
  let completion: @Sendable (Result<Done, InventoryError>) -> Void
}

extension PendingWrite {
  /// Whether the tokens may have changed afterwards: lists that are purged or replaced lose their tokens.
  var changesTokens: Bool {
    switch work {
    case .administration, .command(.finishImport, _, _), .command(.purge, _, _): true
    default: false
    }
  }

  var turn: Turn {
    switch work {
    case .command(_, let context, _), .bulk(_, let context):
      Turn(caller: context.caller.token, isPiece: false)
    case .administration(_, let caller): Turn(caller: caller.token, isPiece: false)
    case .probe, .rewind: Turn(caller: nil, isPiece: false)
    case .task(_, let caller): Turn(caller: caller, isPiece: true)
    }
  }

  /// Whether it may have a long text. Long texts wait while much text is unindexed.
  var mayHaveLongText: Bool {
    switch work {
    case .command(.stage, _, _), .command(.merge, _, _), .command(.upsertItems, _, _), .bulk: true
    case .command(_, let context, _): context.bodySize > Self.longBody
    case .administration, .probe, .task, .rewind: false
    }
  }

  var rewind: RewindStep? {
    if case .rewind(let step) = work { step } else { nil }
  }
}
