import Inventory

/// About how many bytes parts of the log take in the file: what retention counts.
enum LogSize {
  static func change(_ context: WriteContext) -> Int {
    128 + context.caller.name.utf8.count + context.requestID.utf8.count
  }

  static func operation(_ operation: ListOperation) -> Int {
    if case .permute(let order) = operation { return 64 + 4 * order.count }
    return 64
  }

  static func edit(_ edit: ChangeLog.Edit) -> Int { 64 + size(edit.before) + size(edit.after) }

  private static func size(_ value: ChangeLog.Edit.Value) -> Int {
    switch value {
    case .null: 0
    case .integer: 8
    case .text(let text): text.utf8.count
    }
  }
}
