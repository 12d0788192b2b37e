/// How the process ends, as sysexits.h numbers it.
enum ExitCode: Int32 {
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
  /// Something is in the way now and may not be later: a port, another process.
  case temporary = 75
  /// The file of settings or the environment says what cannot be.
  case configuration = 78
}
