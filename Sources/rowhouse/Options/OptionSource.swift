/// The source of an option's value. The first of these that has a value wins.
enum OptionSource: Sendable, Equatable {
  case commandLine
  case environment
  case file(path: String, line: Int)
  case standard

  /// The name for messages, as in "--loops must be …".
  func name(of option: Option) -> String {
    switch self {
    case .commandLine, .standard: "--\(option.name)"
    case .environment: option.environmentName
    case .file(let path, let line): "\(path), line \(line): \(option.name)"
    }
  }

  /// The text in the output of `rowhouse config`.
  func description(for option: Option) -> String {
    switch self {
    case .commandLine: "command line"
    case .environment: option.environmentName
    case .file(let path, let line): "\(path):\(line)"
    case .standard: "default"
    }
  }

  /// The exit code of a command with an invalid value from this source.
  var exitCode: ExitCode {
    switch self {
    case .commandLine, .standard: .usage
    case .environment, .file: .configuration
    }
  }
}
