/// The texts of `rowhouse help`, made from the tables of the commands.
enum Help {
  static var overview: String {
    let commands =
      CommandLineTool.subcommands.map { [$0.name, $0.summary] }
      + [["help [COMMAND]", "Explain a command and its options."]]
    return """
      rowhouse: the server behind drill-down apps: lists in lists, rows in the order people want.

      Usage: rowhouse COMMAND [--option VALUE]...

      \(columns(commands, indent: "  "))

      \(settings)
      """
  }

  /// Explains where options can be set.
  static let settings = """
    Every option can also be set in the environment, --listen as ROWHOUSE_LISTEN, and those of serve in
    a file (--config FILE), as listen = VALUE. The command line wins, then the environment.
    """

  static func text(for command: any Subcommand.Type) -> String {
    let options = command.everyOption.map { option in
      [
        "--\(option.name)" + (option.form.placeholder.map { " " + $0 } ?? ""),
        explanation(of: option),
      ]
    }
    let usage =
      "Usage: rowhouse \(command.name)" + (options.isEmpty ? "" : " [--option VALUE]...")
      + command.operands.map { " " + $0 }.joined()
    return [command.summary, usage, columns(options, indent: "  ")].filter { !$0.isEmpty }
      .joined(separator: "\n\n")
  }

  /// The help of an option with its default.
  static func explanation(of option: Option) -> String {
    sentences(option) + (standard(option).map { " Default: \($0)." } ?? "")
  }

  /// The help of an option, and whether it may be repeated.
  static func sentences(_ option: Option) -> String {
    option.help + (option.isRepeated ? " May be repeated." : "")
  }

  private static func standard(_ option: Option) -> String? {
    switch option.standard {
    case .nothing: nil
    case .value(let text), .described(let text), .found(let text, _): text
    }
  }

  /// The lines of a table. Each column but the last is as wide as its longest text.
  static func columns(_ rows: [[String]], indent: String = "") -> String {
    let widths = (rows.first?.dropLast() ?? []).indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      let padded = zip(row, widths).map { text, width in
        text + String(repeating: " ", count: width - text.count + 2)
      }
      return indent + padded.joined() + (row.last ?? "")
    }.joined(separator: "\n")
  }
}
