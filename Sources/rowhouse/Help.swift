/// The texts of `rowhouse help`, made from the commands' own tables.
enum Help {
  static var overview: String {
    let commands =
      CommandLineTool.subcommands.map { ($0.name, $0.summary) }
      + [("help [COMMAND]", "Tell what a command does and which options it takes.")]
    return """
      rowhouse: the server behind drill-down apps: lists in lists, rows in the order people want.

      Usage: rowhouse COMMAND [--option VALUE]...

      \(columns(commands))

      Every option can also be set in the environment: --listen as ROWHOUSE_LISTEN.
      """
  }

  static func text(for command: any Subcommand.Type) -> String {
    let options = command.options.map { option in
      (
        "--\(option.name)" + (option.value.map { " " + $0 } ?? ""),
        option.help + (option.standard.map { " Default: \($0)." } ?? "")
      )
    }
    let usage =
      "Usage: rowhouse \(command.name)" + (options.isEmpty ? "" : " [--option VALUE]...")
      + command.operands.map { " " + $0 }.joined()
    return [command.summary, usage, columns(options)].filter { !$0.isEmpty }
      .joined(separator: "\n\n")
  }

  private static func columns(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { left, right in
      "  " + left + String(repeating: " ", count: width - left.count + 2) + right
    }.joined(separator: "\n")
  }
}
