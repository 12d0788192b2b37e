/// Where the value of an option comes from; of those that say something the first in this order wins.
enum OptionSource: Sendable, Equatable {
  case commandLine
  case environment
  case file(path: String, line: Int)
  case standard

  /// As in "--loops is …".
  func name(of option: Option) -> String {
    switch self {
    case .commandLine, .standard: "--\(option.name)"
    case .environment: option.environmentName
    case .file(let path, let line): "\(path), line \(line): \(option.name)"
    }
  }

  /// As `rowhouse config` tells it.
  func description(for option: Option) -> String {
    switch self {
    case .commandLine: "command line"
    case .environment: option.environmentName
    case .file(let path, let line): "\(path):\(line)"
    case .standard: "default"
    }
  }

  /// How a command ends that was told something wrong there.
  var exitCode: ExitCode {
    switch self {
    case .commandLine, .standard: .usage
    case .environment, .file: .configuration
    }
  }
}
