import Inventory
import JSON

extension SyncCommand {
  /// The outcome of the command as JSON.
  func encode(_ result: SyncResult, for context: ResponseContext) -> [UInt8] {
    JSONWriter.bytes(capacity: 256) { writer in
      writer.object { writer in
        writer.member("sequence", number)
        switch result {
        case .repeated: writer.member("outcome", "repeated")
        // The row is where the client wants it.
        case .refused(.inTrash(let top)) where top == deleted:
          writer.doneMembers("done", nil, context)
        case .refused(let error):
          writer.member("outcome", "refused")
          writer.key("problem")
          writer.raw(context.body(of: Problem(error)))
        case .done(let outcome): write(outcome.receipt, to: &writer, context)
        }
      }
    }
  }

  private func write(
    _ receipt: Receipt, to writer: inout JSONWriter, _ context: ResponseContext
  ) {
    let finding = receipt.isChanged ? merge?.finding ?? .init() : .init()
    let isMerged = !finding.kept.isEmpty || receipt.alternative != nil
    let isOverwriting = !finding.overwritten.isEmpty
    writer.doneMembers(
      isOverwriting ? "overwrote" : isMerged ? "merged" : "done", receipt, context)
    guard isOverwriting || isMerged else { return }
    writer.array("kept", finding.kept) { $0.string($1) }
    if isOverwriting {
      writer.key("overwritten")
      writer.value(.object(finding.overwritten))
    } else {
      writer.member("position", receipt.alternative)
    }
  }
}

extension JSONWriter {
  /// Writes the members of every command that was done.
  ///
  /// - Parameter receipt: nil if nothing had to be changed.
  fileprivate mutating func doneMembers(
    _ outcome: String, _ receipt: Receipt?, _ context: ResponseContext
  ) {
    let change = receipt.flatMap { $0.isChanged ? $0 : nil }
    member("outcome", outcome)
    member("revision", change?.revision.number)
    undo(
      of: change?.revision ?? Revision(0), isUndoable: change?.isUndoable ?? false, for: context)
  }
}
