import Inventory
import SQLite

/// A write that waits for its turn.
struct PendingWrite: Sendable {
  enum Work: Sendable {
    /// What takes long to work out is prepared before.
    case command(Command, WriteContext, Prepared? = nil)
    /// The last step of a bulk command.
    case bulk(BulkChange, WriteContext)
    case administration(Administration, Caller)
    /// Asks whether the writer is there and able.
    case probe
    /// What is no change and has no outcome.
    case task(Task)
    /// Outside of any transaction, and so in no group.
    case rewind(RewindStep)
  }
  /// Runs in the writer's transaction, perhaps more than once; answers how many bytes of bulk went through
  /// the connection's cache that nobody will soon look at again.
  typealias Task =
    @Sendable (Connection, SQLiteStore.Configuration) throws(StorageError) -> Int

  /// What it comes to.
  enum Done: Sendable {
    case command(Outcome)
    case administration(Administration.Outcome)
    case probe
    case task
    case rewind
  }

  /// Among whom writes take turns.
  struct Turn: Hashable, Sendable {
    let caller: TokenID?
    /// Whether it is a piece of long work. Nobody relies on a piece once it is answered: it may be lost with the
    /// power, until a later write that somebody relies on is there for good.
    let isPiece: Bool
  }

  let work: Work
  let completion: @Sendable (Result<Done, InventoryError>) -> Void
}

extension PendingWrite {
  /// Whether tokens may be others afterwards: lists that are purged or replaced take theirs with them.
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
    case .task: Turn(caller: nil, isPiece: true)
    }
  }

  var rewind: RewindStep? {
    if case .rewind(let step) = work { step } else { nil }
  }
}
