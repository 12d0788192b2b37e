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

  @Test func `other shells are refused`() throws {
    #expect(try Rowhouse.run("completion", "fish").ending == .exit(64))
  }

  @Test func `the manual tells of every command and option in the help`() throws {
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
    // A line that begins with a dot is a macro, and only these are used.
    let macros = Set(manual.matches(of: /(?m)^\.([A-Z]*)/).map { String($0.1) })
    #expect(macros == ["TH", "SH", "SS", "TP", "B", "I"])
  }
}
