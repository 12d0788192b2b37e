/// A subcommand of `rowhouse`.
protocol Subcommand {
  static var name: String { get }
  /// One line for the list of commands.
  static var summary: String { get }
  static var options: [Option] { get }
  /// The operands after the options. Optional ones are in brackets.
  static var operands: [String] { get }
  static func run(_ options: Options) throws(Failure) -> ExitCode
}

extension Subcommand {
  static var operands: [String] { [] }

  /// The options. A command that uses a database also takes a settings file, which may name it.
  static var everyOption: [Option] {
    options.contains { $0.name == Option.database.name } ? options + [.config] : options
  }
}

enum CommandLineTool {
  static var subcommands: [any Subcommand.Type] {
    [
      ServeCommand.self, SeedCommand.self, ExportCommand.self, ImportCommand.self,
      BackupCommand.self, RestoreCommand.self, RestoredCommand.self, CopyCommand.self,
      CheckCommand.self,
      MigrateCommand.self,
      TokenCreateCommand.self, TokenListCommand.self, TokenRevokeCommand.self,
      HealthCommand.self, ConfigCommand.self, CompletionCommand.self, ManualCommand.self,
      VersionCommand.self,
    ]
  }

  static func run(_ arguments: [String]) -> ExitCode {
    do throws(Failure) {
      return try dispatch(arguments)
    } catch {
      Interruption.takeEffect()
      Terminal.complain(error.message)
      return error.code
    }
  }

  private static func dispatch(_ arguments: [String]) throws(Failure) -> ExitCode {
    guard let first = arguments.first else {
      Terminal.note(Help.overview)
      return .usage
    }
    var rest = Array(arguments.dropFirst())
    switch first {
    case "help", "--help", "-h":
      let name = rest.joined(separator: " ")
      guard !name.isEmpty, name != "help", !name.hasPrefix("-") else {
        return try show(Help.overview)
      }
      return try show(try helpText(for: name))
    case "--version", "-V":
      return try requireOutput(after: try VersionCommand.run(Options([], allowed: [])))
    default:
      let command: any Subcommand.Type
      if let second = rest.first, let found = find("\(first) \(second)") {
        command = found
        rest.removeFirst()
      } else if rest.contains("--help") || rest.contains("-h") {
        return try show(try helpText(for: first))
      } else {
        command = try subcommand(first)
      }
      if rest.contains("--help") || rest.contains("-h") {
        return try show(Help.text(for: command))
      }
      // Serve writes these notes to its log.
      if command != ServeCommand.self, command != ConfigCommand.self, !command.everyOption.isEmpty {
        for note in StrangeVariables.notes { Terminal.note(note) }
      }
      let code = try command.run(
        Options(
          rest, allowed: command.everyOption, operands: command.operands,
          settings: ServeOptions.all))
      // A server works without its output.
      return command == ServeCommand.self ? code : try requireOutput(after: code)
    }
  }

  private static func show(_ text: String) throws(Failure) -> ExitCode {
    Terminal.say(text)
    return try requireOutput(after: .success)
  }

  /// Throws if output was lost, because the output of a command is its result. Returns the code otherwise.
  private static func requireOutput(after code: ExitCode) throws(Failure) -> ExitCode {
    if let cause = Terminal.cause {
      throw Failure(.inputOutput, "Cannot write to stdout: \(cause).")
    }
    return code
  }

  /// The help of a command, or of all commands whose names begin with a word such as `token`.
  private static func helpText(for name: String) throws(Failure) -> String {
    let group = commands(behind: name)
    return group.isEmpty
      ? Help.text(for: try subcommand(name))
      : group.map { Help.text(for: $0) }.joined(separator: "\n\n")
  }

  private static func commands(behind first: String) -> [any Subcommand.Type] {
    subcommands.filter { $0.name.hasPrefix(first + " ") }
  }

  private static func find(_ name: String) -> (any Subcommand.Type)? {
    subcommands.first { $0.name == name }
  }

  private static func subcommand(_ name: String) throws(Failure) -> any Subcommand.Type {
    guard let command = find(name) else {
      let longer = commands(behind: name).map { $0.name }
      throw Failure(
        .usage,
        longer.isEmpty
          ? "There is no command \"\(name)\". Try rowhouse help."
          : "Did you mean one of these: \(longer.joined(separator: ", ")).")
    }
    return command
  }
}
