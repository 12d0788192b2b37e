import Foundation
import Support
import Testing

@Suite("Settings, from the command line, the environment, a file, or as they are by themselves")
struct SettingsTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("rowhouse.conf")
  }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
  }

  private func config(
    _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> Rowhouse.Result {
    try Rowhouse.run(
      Rowhouse.executable, ["config"] + arguments,
      environment: environment.merging(["HOME": folder.path]) { given, _ in given })
  }

  /// A setting's value and source, as `rowhouse config` prints them.
  private func setting(_ name: String, in output: String) -> [String] {
    for line in output.split(separator: "\n") {
      let columns = line.split(separator: "  ").map {
        $0.trimmingCharacters(in: .whitespaces)
      }.filter { !$0.isEmpty }
      if columns.first == name { return Array(columns.dropFirst()) }
    }
    return []
  }

  /// The names of all settings, in order.
  private func names(_ output: String) -> [String] {
    output.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
  }

  /// A value that is good and not the standard one.
  private static let other: [String: String] = [
    "listen": "127.0.0.1:9", "no-auth": "yes", "allow-host": "shop.example",
    "cors-origin": "https://app.example",
    "print-url": "yes", "base-path": "/rowhouse", "end-with-stdin": "yes", "test-mode": "yes",
    "seed": "demo", "clock": "2001-02-03T04:05:06Z", "ids": "sequential",
    "require-preconditions": "yes", "loops": "3", "log-format": "none", "log-level": "error",
    "depth-limit": "2000", "db-prepare": "off", "trash-days": "7",
    "history": "5", "history-size": "5MiB", "history-days": "9", "database-size": "3GiB",
  ]

  /// By what the help calls a setting's value.
  private static let otherByPlaceholder = [
    "PATH": "/tmp/a path", "FOLDER": "/tmp", "SIZE": "65536", "TIME": "1234ms", "N": "77",
  ]

  private func placeholders() throws -> [(name: String, placeholder: String?)] {
    try Rowhouse.run("help", "serve").output.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard line.hasPrefix("  --"), let name = words.first?.dropFirst(2) else { return nil }
      let second = line.dropFirst(2 + words[0].count + 1).first
      return (String(name), second == " " ? nil : words[1])
    }
  }

  private func otherValue(_ name: String, _ placeholder: String?) throws -> String {
    if name == "about" {
      let about = folder.file("about.json")
      try Data("{}".utf8).write(to: URL(fileURLWithPath: about))
      return about
    }
    return try #require(
      Self.other[name] ?? placeholder.flatMap { Self.otherByPlaceholder[$0] },
      "SettingsTests has no value to try for --\(name)")
  }

  @Test
  func
    `each can be set in all three ways, and the command line wins over the environment, and that over the file`()
    throws
  {
    let settings = try placeholders().filter { $0.name != "config" }
    let standard = try config()
    #expect(standard.ending == .exit(0))
    #expect(names(standard.output) == settings.map(\.name))
    for (name, placeholder) in settings {
      let value = try otherValue(name, placeholder)
      let variable = "ROWHOUSE_" + name.uppercased().replacingOccurrences(of: "-", with: "_")
      let before = setting(name, in: standard.output)
      #expect(before.last == "default", "\(name)")
      #expect(before.first != value, "\(name)")

      try write("# Nothing\n\n\(name) = \(value)\n")
      let written = try config(["--config", file])
      #expect(setting(name, in: written.output) == [value, "\(file):3"], "\(written.errors)")
      #expect(written.ending == .exit(0), "\(written.errors)")

      // What is overruled is wrong: it must not be looked at.
      try write("\(name) = \(placeholder == nil ? "no" : value)\n")
      let environment = ["ROWHOUSE_CONFIG": file, variable: value]
      let told = try config(environment: environment)
      #expect(setting(name, in: told.output) == [value, variable], "\(told.errors)")

      let wins = placeholder == nil ? ["--\(name)"] : ["--\(name)", value]
      let called = try config(
        wins, environment: ["ROWHOUSE_CONFIG": file, variable: placeholder == nil ? "no" : value])
      #expect(setting(name, in: called.output) == [value, "command line"], "\(called.errors)")
    }
  }

  @Test(arguments: [
    ("--no-auth=no", "no", "command line"), ("--no-auth=yes", "yes", "command line"),
    ("--no-auth", "yes", "command line"), ("--loops=2", "yes", "ROWHOUSE_NO_AUTH"),
  ])
  func `a switch can be taken back`(argument: String, value: String, source: String) throws {
    let result = try config([argument], environment: ["ROWHOUSE_NO_AUTH": "true"])
    #expect(setting("no-auth", in: result.output) == [value, source])
  }

  @Test func `all values of a repeatable setting come from its first source`() throws {
    try write(
      "listen = 127.0.0.1:1\r\nlisten=unix:/tmp/a b , [::1]:2\r\nallow-host = a.example\r\n")
    let written = try config(["--config=\(file)"])
    #expect(
      setting("listen", in: written.output)
        == ["127.0.0.1:1,unix:/tmp/a b,[::1]:2", "\(file):1"])
    let called = try config(
      ["--config", file, "--listen", "127.0.0.1:3", "--listen", "127.0.0.1:4"])
    #expect(setting("listen", in: called.output) == ["127.0.0.1:3,127.0.0.1:4", "command line"])
    #expect(setting("allow-host", in: called.output) == ["a.example", "\(file):3"])
  }

  @Test func `an empty variable is ignored, and an unknown one is reported`() throws {
    let result = try config(
      environment: ["ROWHOUSE_LISTEN": "", "ROWHOUSE_LITSEN": "x", "ROWHOUSE_DATABASE": "y"])
    #expect(setting("listen", in: result.output) == ["127.0.0.1:8080", "default"])
    #expect(
      result.errors
        == "ROWHOUSE_DATABASE is set, but is not an option of rowhouse.\n"
        + "ROWHOUSE_LITSEN is set, but is not an option of rowhouse.\n")
  }

  @Test(arguments: [
    ("litsen = 127.0.0.1:0", "line 1: litsen is not a setting."),
    ("loops = 2\n\n  # more\nloops = 3", "line 4: loops is given twice, as 2 and as 3."),
    ("\nloops", "line 2 does not have the form name = value."),
    ("loops =", "line 1: loops must not be empty."),
    ("loops = 0", "line 1: loops must be a whole number from 1 to 256, not 0."),
    ("loops = +5", "line 1: loops must be a whole number from 1 to 256, not +5."),
    ("loops = 2 # cores", "line 1: loops must be a whole number from 1 to 256, not 2 # cores."),
    ("no-auth = maybe", "line 1: no-auth must be yes or no, not maybe."),
    ("log-format = xml", "line 1: log-format must be text, json or none, not xml."),
    (
      "idle-time = 1 s",
      "line 1: idle-time must be a time from 1 to 86400000 ms, such as 10s, not 1 s."
    ),
    (
      "json-body = 1PiB",
      "line 1: json-body must be a size from 1024 to 67108864 bytes, such as 64KiB, not 1PiB."
    ),
    (
      "json-body = 99999999999999999999KiB",
      "line 1: json-body must be a size from 1024 to 67108864 bytes, such as 64KiB, "
        + "not 99999999999999999999KiB."
    ),
    (
      "listen = ,8080",
      "line 1: listen must be ADDR:PORT, [ADDR]:PORT, NAME:PORT, unix:PATH, unix:PATH?mode=0660 or fd:N, "
        + "not 8080."
    ),
    ("listen = ,", "line 1: listen must not be empty."),
    ("spool = /tmp\u{1}", "line 1 has a control character."),
    ("config = other.conf", "line 1: config is not a setting."),
    ("rows = 5", "line 1: rows is not a setting."),
  ])
  func `a file with an invalid setting is refused with the line`(
    text: String, complaint: String
  ) throws {
    try write(text)
    let joint = complaint.hasPrefix("line") ? ", " : ""
    for command in ["config", "serve"] {
      let result = try Rowhouse.run(
        Rowhouse.executable, [command, "--config", file, "--db", folder.database])
      #expect(result.ending == .exit(78))
      #expect(result.errors == "error: \(file)\(joint)\(complaint)\n")
      #expect(result.output.isEmpty)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.database))
  }

  @Test func `a file that is not UTF-8, too large or not there is refused`() throws {
    try Data([0xC3, 0x28, 0x0A]).write(to: URL(fileURLWithPath: file))
    #expect(try config(["--config", file]).ending == .exit(78))
    try write(String(repeating: "#", count: 1 << 20) + "\n")
    #expect(try config(["--config", file]).ending == .exit(78))
    let missing = try config(["--config", folder.file("none")])
    #expect(missing.ending == .exit(66))
    #expect(missing.errors.contains(folder.file("none")))
    #expect(try config(["--config", folder.path]).ending == .exit(66))
  }

  @Test func `an error in the environment or the command line is reported with its name`() throws {
    let variable = try config(environment: ["ROWHOUSE_HEADER_TIME": "soon"])
    #expect(variable.ending == .exit(78))
    #expect(
      variable.errors
        == "error: ROWHOUSE_HEADER_TIME must be a time from 1 to 86400000 ms, such as 10s, "
        + "not soon.\n")
    let call = try config(["--header-time", "25h"])
    #expect(call.ending == .exit(64))
    #expect(
      call.errors
        == "error: --header-time must be a time from 1 to 86400000 ms, such as 10s, not 25h.\n")
  }

  @Test func `other commands find the database in the file`() throws {
    try write("db = \(folder.database)\nloops = 2\n")
    let migrated = try Rowhouse.run("migrate", "--create", environment: ["ROWHOUSE_CONFIG": file])
    #expect(migrated.ending == .exit(0), "\(migrated.errors)")
    #expect(try Rowhouse.run("check", "--config", file).ending == .exit(0))
    let other = folder.file("other.sqlite")
    #expect(try Rowhouse.run("check", "--config", file, "--db", other).ending == .exit(66))
  }

  @Test func `every command that takes settings reports unknown variables`() throws {
    let environment = [
      "ROWHOUSE_DATABASE": folder.database, "ROWHOUSE_PORT": "tcp://10.0.0.1:80",
      "ROWHOUSE_PORT_80_TCP": "x", "ROWHOUSE_SERVICE_HOST": "x", "ROWHOUSE_TEST_SEEDS": "1",
    ]
    let note = "ROWHOUSE_DATABASE is set, but is not an option of rowhouse.\n"
    #expect(try Rowhouse.run("migrate", "--create", "--db", folder.database).ending == .exit(0))
    for command in ["migrate", "check"] {
      let result = try Rowhouse.run(command, "--db", folder.database, environment: environment)
      #expect(result.ending == .exit(0))
      #expect(result.errors == note)
    }
    #expect(try Rowhouse.run("version", environment: environment).errors.isEmpty)
  }

  @Test func `a byte order mark before the first name is ignored`() throws {
    try write("\u{FEFF}loops = 3\n")
    let result = try config(["--config", file])
    #expect(setting("loops", in: result.output) == ["3", "\(file):1"], "\(result.errors)")
    try write("loops = 3\n\u{FEFF}connections = 5\n")
    #expect(try config(["--config", file]).ending == .exit(78))
  }

  @Test func `the sample is a file of settings that changes nothing`() throws {
    let sample = try config(["--sample"]).output
    try write(sample)
    let result = try config(["--config", file])
    #expect(result.ending == .exit(0), "\(result.errors)")
    #expect(result.output == (try config().output))

    // The value after each name is its default.
    let values = sample.split(separator: "\n").filter { $0.hasPrefix("# ") && $0.contains(" = ") }
      .map { String($0.dropFirst(2)) }.filter { !$0.hasSuffix("= ") && !$0.contains("= (") }
    try write(values.dropFirst().joined(separator: "\n"))
    let set = try config(["--config", file])
    #expect(set.ending == .exit(0), "\(set.errors)")
    for line in values.dropFirst() {
      let sides = line.components(separatedBy: " = ")
      #expect(setting(sides[0], in: set.output).first == sides[1])
      #expect(setting(sides[0], in: result.output).first == sides[1])
    }
  }

  @Test func `asking changes nothing on the disk`() throws {
    let data = folder.file("data")
    let result = try config(environment: ["XDG_DATA_HOME": data])
    #expect(setting("db", in: result.output) == ["\(data)/rowhouse/rowhouse.sqlite", "default"])
    #expect(!FileManager.default.fileExists(atPath: data))
  }
}
