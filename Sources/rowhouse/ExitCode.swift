import Inventory

/// The exit codes of the process, after sysexits.h.
enum ExitCode: Int32, CaseIterable {
  case success = 0
  /// `rowhouse check` found something.
  case findings = 1
  case usage = 64
  case badData = 65
  case noInput = 66
  case unavailable = 69
  case software = 70
  case cannotCreate = 73
  case inputOutput = 74
  case temporary = 75
  case configuration = 78

  /// The meaning, for the manual page.
  var meaning: String {
    switch self {
    case .success: "Success."
    case .findings: "rowhouse check found damage."
    case .usage: "The command line is wrong, or does not fit the database or the settings."
    case .badData:
      "A file is damaged, is not Rowhouse's or has another schema, or a request is refused."
    case .noInput: "A file is missing or cannot be read."
    case .unavailable:
      "An address is not available, a server does not answer, or SQLite is too old."
    case .software: "The program has a bug."
    case .cannotCreate: "A file cannot be created or written, or exists already."
    case .inputOutput: "The disk failed or is full, or the output could not be written."
    case .temporary:
      "Try again later: the server is busy, or another process has the database open."
    case .configuration: "A setting in the file or the environment is wrong."
    }
  }
}

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
    case .overloaded, .contended, .outOfDescriptors, .storeUnavailable, .shuttingDown,
      .deadlineExceeded,
      .boundExceeded, .importRunning, .idArriving:
      self = .temporary
    default: self = .badData
    }
  }

  /// Whether it blames the command's input.
  var blamesInput: Bool { self == .badData }
}
