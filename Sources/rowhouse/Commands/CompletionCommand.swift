enum CompletionCommand: Subcommand {
  static let name = "completion"
  static let summary = "Print command-line completion for bash or zsh."
  static let options: [Option] = []
  static let operands = ["SHELL"]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    switch options.operands[0] {
    case "bash": Terminal.say(BashCompletion.text)
    case "zsh": Terminal.say(ZshCompletion.text)
    default: throw Failure(.usage, "Completion exists for bash and zsh.")
    }
    return .success
  }
}

/// The commands, for completion.
enum CompletedCommands {
  /// The first word of each command, once.
  static var firstWords: [String] {
    var seen: Set<String> = []
    return (CommandLineTool.subcommands.map { firstWord(of: $0.name) } + ["help"])
      .filter { seen.insert($0).inserted }
  }

  /// The words that may follow a first one; empty if any word may.
  static func secondWords(behind first: String) -> [String] {
    switch first {
    case "help": firstWords
    case CompletionCommand.name: ["bash", "zsh"]
    default:
      CommandLineTool.subcommands.map { $0.name }.filter { $0.hasPrefix(first + " ") }
        .map { String($0.dropFirst(first.count + 1)) }
    }
  }

  static func summary(of first: String) -> String {
    switch first {
    case "help": "Explain a command."
    case "token": "Create, list and revoke tokens."
    default: CommandLineTool.subcommands.first { $0.name == first }?.summary ?? ""
    }
  }

  private static func firstWord(of name: String) -> String {
    String(name.split(separator: " ")[0])
  }
}

/// https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html
enum BashCompletion {
  static var text: String {
    """
    # Completion of rowhouse for bash: source <(rowhouse completion bash)
    _rowhouse() {
      local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
      COMPREPLY=()
      if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W '\(CompletedCommands.firstWords.joined(separator: " "))' -- "$word")
        return
      fi
      case "$command $COMP_CWORD" in
    \(secondWords)
      esac
      case "$command ${COMP_WORDS[2]}" in
    \(commands)
      esac
    }
    complete -o default -F _rowhouse rowhouse
    """
  }

  private static var secondWords: String {
    CompletedCommands.firstWords.compactMap { first -> String? in
      let words = CompletedCommands.secondWords(behind: first)
      return words.isEmpty ? nil : "    '\(first) 2') \(reply(words)); return ;;"
    }.joined(separator: "\n")
  }

  private static func reply(_ words: [String]) -> String {
    "mapfile -t COMPREPLY < <(compgen -W '\(words.joined(separator: " "))' -- \"$word\")"
  }

  private static var commands: String {
    CommandLineTool.subcommands.map { command in
      let pattern =
        command.name.contains(" ") ? "'\(command.name)'" : "'\(command.name) '*"
      let values = command.everyOption.compactMap { option -> String? in
        switch option.form {
        case .onOff: nil
        case .choice(let words, _): "        --\(option.name)) \(reply(words)); return ;;"
        case .path: "        --\(option.name)) return ;;"
        case .number, .size, .duration, .text: "        --\(option.name)) COMPREPLY=(''); return ;;"
        }
      }
      let names = command.everyOption.map { "--\($0.name)" } + ["--help"]
      let choice =
        values.isEmpty
        ? "" : "\n      case \"$before\" in\n\(values.joined(separator: "\n"))\n      esac"
      return """
            \(pattern))\(choice)
              case "$word" in
                -*) \(reply(names)) ;;
              esac
              ;;
        """
    }.joined(separator: "\n")
  }
}

/// https://zsh.sourceforge.io/Doc/Release/Completion-System.html
enum ZshCompletion {
  static var text: String {
    """
    #compdef rowhouse
    # Completion of rowhouse for zsh: source <(rowhouse completion zsh)
    _rowhouse() {
      local -a commands
      commands=(
    \(commands)
      )
      if (( CURRENT == 2 )); then
        _describe command commands
        return
      fi
      case "${words[2]} ${words[3]}" in
    \(arguments)
      esac
    }
    compdef _rowhouse rowhouse
    """
  }

  private static var commands: String {
    CompletedCommands.firstWords.map {
      "    '\($0):\(escaped(CompletedCommands.summary(of: $0)))'"
    }.joined(separator: "\n")
  }

  private static var arguments: String {
    var lines = CompletedCommands.firstWords.compactMap { first -> String? in
      let words = CompletedCommands.secondWords(behind: first)
      guard !words.isEmpty else { return nil }
      return """
            '\(first) '*)
              if (( CURRENT == 3 )); then compadd \(words.joined(separator: " ")); return; fi
              ;|
        """
    }
    lines += CommandLineTool.subcommands.map { command in
      let specs = command.everyOption.map { option in
        "        '\(option.isRepeated ? "*" : "")--\(option.name)\(spec(option))'"
      }
      let pattern = command.name.contains(" ") ? "'\(command.name)'*" : "'\(command.name) '*"
      return "    \(pattern)) _arguments \\\n"
        + (specs + ["        '*:operand:_files'"])
        .joined(separator: " \\\n") + "\n      ;;"
    }
    return lines.joined(separator: "\n")
  }

  private static func spec(_ option: Option) -> String {
    let help = "[\(escaped(option.help))]"
    switch option.form {
    case .onOff: return help
    case .choice(let words, let name): return "=\(help):\(name):(\(words.joined(separator: " ")))"
    case .path(let name): return "=\(help):\(name):_files"
    case .number, .size, .duration, .text:
      return "=\(help):\(escaped(option.form.placeholder ?? "")): "
    }
  }

  /// Escapes a text for a quoted specification, in which colons and brackets are special.
  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "'": "'\\''"
      case ":", "[", "]", "\\": "\\\(character)"
      default: String(character)
      }
    }.joined()
  }
}
