/// How the process ends, as sysexits.h numbers it.
enum ExitCode: Int32, CaseIterable {
  case success = 0
  /// `rowhouse check` has found something.
  case findings = 1
  case usage = 64
  case badData = 65
  case noInput = 66
  case unavailable = 69
  case software = 70
  case system = 71
  case cannotCreate = 73
  case inputOutput = 74
  case temporary = 75
  case configuration = 78

  /// For the manual page.
  var meaning: String {
    switch self {
    case .success: "All went well."
    case .findings: "rowhouse check has found something."
    case .usage: "The command line is not understood."
    case .badData: "A file is damaged, or not what it should be."
    case .noInput: "A file is missing."
    case .unavailable: "An address cannot be had, or a server does not answer."
    case .software: "The program is at fault."
    case .system: "The system refused something that has nothing to do with files."
    case .cannotCreate: "A file cannot be made."
    case .inputOutput: "The disk has failed or is full."
    case .temporary:
      "Something is in the way now and may not be later: a port, another process."
    case .configuration: "The file of settings or the environment says what cannot be."
    }
  }
}
