enum ManualCommand: Subcommand {
  static let name = "manual"
  static let summary = "Print the manual page: rowhouse manual | man -l -"
  static let options: [Option] = []

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    Terminal.say(page)
    return .success
  }

  /// The manual page, in the man macros of roff: https://man7.org/linux/man-pages/man7/man.7.html
  private static var page: String {
    """
    .TH ROWHOUSE 1 "\(Version.date)" "Rowhouse \(Version.number)" "User Commands"
    .SH NAME
    rowhouse \\- a server for lists in lists, their rows in the order people want
    .SH SYNOPSIS
    .B rowhouse
    .I COMMAND
    [\\fB\\-\\-option\\fR \\fIVALUE\\fR]...
    .SH DESCRIPTION
    \(escaped(Help.settings))
    .SH COMMANDS
    \(CommandLineTool.subcommands.map(section).joined(separator: "\n"))
    .SH EXIT STATUS
    \(ExitCode.allCases.map { ".TP\n.B \($0.rawValue)\n\(escaped($0.meaning))" }.joined(separator: "\n"))
    .SH SIGNALS
    SIGTERM and SIGINT stop the server with 0 after running requests have finished. SIGHUP reopens the log.
    """
  }

  private static func section(of command: any Subcommand.Type) -> String {
    let operands = command.operands.map { " \\fI\(escaped($0))\\fR" }.joined()
    let options = command.everyOption.map { option in
      let value = option.form.placeholder.map { " \\fI\(escaped($0))\\fR" } ?? ""
      return """
        .TP
        \\fB\\-\\-\(escaped(option.name))\\fR\(value)
        \(escaped(Help.explanation(of: option)))
        """
    }
    return ([".SS rowhouse \(command.name)\(operands)", escaped(command.summary)] + options)
      .joined(separator: "\n")
  }

  /// Escapes a text for roff: a line must not begin with a control character, and a hyphen must stay one.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let line = line.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : String(line)
    }.joined(separator: "\n")
  }
}
