import Glibc

/// The options of one call. The command line overrides the environment, the environment overrides the settings file,
/// and that overrides the defaults.
struct Options {
  private struct Setting {
    var values: [String]
    let source: OptionSource
  }

  private let allowed: [Option]
  private var settings: [String: Setting] = [:]
  private(set) var operands: [String] = []

  /// - Parameter settings: the options that a settings file may have, including those of other commands.
  /// - Throws: a failure for an option that is unknown or invalid, or that the settings file repeats although it
  ///   takes one value. Also for a missing operand, or one too many. On the command line, the last of several values
  ///   counts. Overridden values are not checked.
  init(
    _ arguments: [String], allowed: [Option], operands allowedOperands: [String] = [],
    settings known: [Option] = []
  ) throws(Failure) {
    self.allowed = allowed
    let given = try readArguments(arguments, allowedOperands)
    readEnvironment()
    settings.merge(given) { _, given in given }
    if let path = text("config") { try readFile(path, known) }
    for option in allowed { try check(option) }
  }

  private mutating func readArguments(
    _ arguments: [String], _ allowedOperands: [String]
  ) throws(Failure) -> [String: Setting] {
    var given: [String: Setting] = [:]
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else {
        operands.append(argument)
        if operands.count <= allowedOperands.count { continue }
        throw Failure(.usage, "\"\(argument)\" is not an option. Try rowhouse help.")
      }
      let parts = argument.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = allowed.first(where: { $0.name == name }) else {
        throw Failure(.usage, "This command has no option --\(name). Try rowhouse help.")
      }
      let value: String
      if parts.count == 2 {
        value = String(parts[1])
      } else if let placeholder = option.form.placeholder {
        guard let next = rest.popFirst() else {
          throw Failure(.usage, "--\(name) needs a value: \(placeholder).")
        }
        value = next
      } else {
        value = "yes"
      }
      let earlier = option.isRepeated ? given[name]?.values ?? [] : []
      given[name] = Setting(values: earlier + option.values(in: value), source: .commandLine)
    }
    let required = allowedOperands.filter { !$0.hasPrefix("[") }
    guard operands.count >= required.count else {
      throw Failure(.usage, "\(required[operands.count]) is missing. Try rowhouse help.")
    }
    return given
  }

  /// Ignores empty variables, which service managers and containers pass on.
  private mutating func readEnvironment() {
    for option in allowed {
      guard let text = getenv(option.environmentName).map({ String(cString: $0) }), !text.isEmpty
      else { continue }
      settings[option.name] = Setting(values: option.values(in: text), source: .environment)
    }
  }

  private mutating func readFile(_ path: String, _ known: [Option]) throws(Failure) {
    var read: [String: Setting] = [:]
    for line in try SettingsFile.lines(of: path) {
      guard let option = known.first(where: { $0.name == line.name }) else {
        throw Failure(
          .configuration, "\(path), line \(line.number): \(line.name) is not a setting.")
      }
      if let earlier = read[option.name], !option.isRepeated {
        throw Failure(
          .configuration,
          "\(path), line \(line.number): \(line.name) is given twice, as "
            + "\(earlier.values.last ?? "") and as \(line.value).")
      }
      let source = OptionSource.file(path: path, line: line.number)
      read[option.name, default: Setting(values: [], source: source)].values +=
        option.values(in: line.value)
    }
    let names = Set(allowed.map(\.name))
    settings.merge(read.filter { names.contains($0.key) }) { wins, _ in wins }
  }

  private func check(_ option: Option) throws(Failure) {
    guard let setting = settings[option.name] else { return }
    let name = setting.source.name(of: option)
    if setting.values.isEmpty || setting.values.contains("") {
      throw Failure(setting.source.exitCode, "\(name) must not be empty.")
    }
    for value in setting.values {
      if let demand = option.fault(in: value) {
        throw Failure(setting.source.exitCode, "\(name) must be \(demand), not \(value).")
      }
    }
  }

  private func option(_ name: String) -> Option? { allowed.first { $0.name == name } }

  /// The source of the value in force.
  func source(_ name: String) -> OptionSource { settings[name]?.source ?? .standard }

  /// All values in force.
  func list(_ name: String) -> [String] {
    if let setting = settings[name] { return setting.values }
    guard let option = option(name) else { return [] }
    switch option.standard {
    case .nothing, .described: return []
    case .value(let text): return option.values(in: text)
    case .found(_, let find): return option.values(in: find())
    }
  }

  func text(_ name: String) -> String? { list(name).last }

  func isOn(_ name: String) -> Bool {
    text(name).flatMap { option(name)?.form.isOn($0) } ?? false
  }

  /// A number, or a size in bytes.
  func number(_ name: String) -> Int? { text(name).flatMap { option(name)?.form.integer($0) } }

  /// A duration in milliseconds.
  func duration(_ name: String) -> Int64? { number(name).map(Int64.init) }
}
