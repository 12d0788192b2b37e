import Foundation
import Support
import Testing

@Suite("The shell completes what the program takes")
struct CompletionTests {
  /// What is typed, and some of what bash offers; nil: nothing.
  static let typed: [(words: [String], offers: [String])] = [
    (["se"], ["serve", "seed"]), (["tok"], ["token"]),
    (["token", ""], ["create", "list", "revoke"]),
    (["serve", "--lis"], ["--listen"]), (["serve", "--ids", "s"], ["sequential"]),
    (["serve", "--log-format", "j"], ["json"]), (["token", "create", "--ro"], ["--role"]),
    (["help", "che"], ["check"]), (["completion", "z"], ["zsh"]),
    (["check", "--db", "/etc/h"], []),
  ]

  @Test(arguments: typed)
  func `bash offers`(_ example: (words: [String], offers: [String])) throws {
    let script = """
      set -eu
      source <("$1" completion bash)
      shift
      COMP_WORDS=(rowhouse "$@")
      COMP_CWORD=$#
      _rowhouse || true
      printf '%s\\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"}
      """
    let result = try Rowhouse.run(
      "/bin/bash", ["-c", script, "bash", Rowhouse.executable] + example.words)
    #expect(result.errors.isEmpty)
    #expect(
      result.output.split(separator: "\n").map(String.init).filter { !$0.isEmpty }
        == example.offers)
  }

  /// What is typed into zsh, and what it offers.
  static let typedInZsh: [(line: String, offers: Set<String>)] = [
    ("rowhouse se", ["serve", "seed"]), ("rowhouse token ", ["create", "list", "revoke"]),
    ("rowhouse serve --lis", ["--listen"]),
    ("rowhouse serve --log-format=", ["text", "json", "none"]),
    ("rowhouse serve --log-format ", ["text", "json", "none"]),
    ("rowhouse token create --ro", ["--role"]), ("rowhouse completion ", ["bash", "zsh"]),
    ("rowhouse help che", ["check"]), ("rowhouse serve --listen=", []),
    ("rowhouse check --db=/etc/debian_versio", ["debian_version"]),
  ]

  @Test(arguments: typedInZsh)
  func `zsh offers`(_ example: (line: String, offers: Set<String>)) throws {
    // A shell of its own on a terminal of its own, in which all that is offered is said as well.
    let inner = #"""
      PROMPT=; unsetopt zle_bracketed_paste; LISTMAX=1000
      autoload -Uz compinit; compinit -u -D
      source <("$PROGRAM" completion zsh)
      compadd() {
        local -a hits
        case " $* " in *' -'[OAD]*) builtin compadd "$@"; return ;; esac
        builtin compadd -A hits "$@"
        print -rl -- "<"${^hits}">"
        builtin compadd "$@"
      }
      finish() { print -r -- "<>" }
      zle -N finish; bindkey '^X' finish; bindkey '^I' list-choices
      print ready
      """#
    let script = #"""
      zmodload zsh/zpty
      export PROGRAM=$1
      zpty shell zsh -f -i
      zpty -w shell "$2"
      zpty -r -m shell answer $'*ready\r\n*'
      zpty -w -n shell "$3"$'\t'$'\x18'
      zpty -r -m shell answer '*<>*'
      print -r -- "$answer"
      """#
    let result = try Rowhouse.run(
      "/bin/zsh", ["-f", "-c", script, "zsh", Rowhouse.executable, inner, example.line])
    let offers = result.output.matches(of: /<([^<>\r\n]+)>/).map { String($0.1) }
    #expect(Set(offers) == example.offers, "\(result.output)")
    #expect(!result.output.contains("not found"))
  }

  @Test(arguments: [["help", "token"], ["token", "--help"], ["token", "-h"]])
  func `what is completed has help, a word that several commands begin with too`(
    arguments: [String]
  ) throws {
    let result = try Rowhouse.run(Rowhouse.executable, arguments)
    #expect(result.ending == .exit(0))
    for command in ["create", "list", "revoke"] {
      #expect(result.output.contains("Usage: rowhouse token \(command)"))
    }
    #expect(try Rowhouse.run("token").ending == .exit(64))
  }

  @Test func `other shells are refused`() throws {
    #expect(try Rowhouse.run("completion", "fish").ending == .exit(64))
  }

  @Test func `the manual has every command and option of the help`() throws {
    let manual = try Rowhouse.run("manual").output
    let commands = try Rowhouse.run("help").output.split(separator: "\n")
      .prefix { !$0.hasPrefix("Every option") }
      .filter { $0.hasPrefix("  ") && !$0.hasPrefix("  help") }
      .map { line in
        line.dropFirst(2).components(separatedBy: "  ")[0]
      }
    #expect(commands.count >= 10)
    for command in commands {
      #expect(manual.contains("\n.SS rowhouse \(command)"), "\(command)")
      let help = try Rowhouse.run("help", command).output
      for match in help.matches(of: /(?m)^ {2}(--[a-z-]+)/) {
        #expect(manual.contains(match.1.replacing("-", with: "\\-")), "\(command) \(match.1)")
      }
    }
    let head = manual.prefix { $0 != "\n" }
    #expect(head.contains(/^\.TH ROWHOUSE 1 "\d{4}-\d\d-\d\d" "Rowhouse/), "\(head)")
    // A line that begins with a dot is a macro, and only these are used.
    let macros = Set(manual.matches(of: /(?m)^\.([A-Z]*)/).map { String($0.1) })
    #expect(macros == ["TH", "SH", "SS", "TP", "B", "I"])
  }
}
