import API
import Inventory

/// The exit codes of refusals, by the store or by a server.
extension ExitCode {
  /// The code for a problem of the API.
  ///
  /// - Parameter code: the problem's `code`; nil if unknown.
  init(status: Int, code: String?) {
    switch status {
    case 507, 500: self = .inputOutput
    case 503 where code == "outcome_unknown": self = .inputOutput
    case 503, 429: self = .temporary
    case 409 where code == "import_running": self = .temporary
    case 500...: self = .software
    default: self = .badData
    }
  }

  init(_ error: InventoryError) {
    switch error {
    case .storageFull, .storageFailed, .outcomeUnknown: self = .inputOutput
    case .overloaded, .contended, .outOfDescriptors, .shuttingDown, .deadlineExceeded,
      .boundExceeded, .importRunning:
      self = .temporary
    default: self = .badData
    }
  }

  /// Whether it blames the command's input.
  var blamesInput: Bool { self == .badData }
}
