import Glibc

/// An option that a command takes: `--name VALUE`, `--name=VALUE`, or `ROWHOUSE_NAME` in the environment.
struct Option: Sendable {
  let name: String
  /// What the help calls the value; nil for a switch.
  let value: String?
  let standard: String?
  let help: String

  init(_ name: String, _ value: String? = nil, standard: String? = nil, _ help: String) {
    self.name = name
    self.value = value
    self.standard = standard
    self.help = help
  }

  /// `--json-body` is `ROWHOUSE_JSON_BODY`.
  var environmentName: String {
    "ROWHOUSE_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }
}

/// The options of one call; the command line wins over the environment.
struct Options {
  private var values: [String: [String]] = [:]
  private(set) var operands: [String] = []

  init(
    _ arguments: [String], allowed: [Option], operands allowedOperands: [String] = []
  ) throws(Failure) {
    for option in allowed {
      if let value = getenv(option.environmentName).map({ String(cString: $0) }) {
        values[option.name] = option.value == nil ? (Self.isOn(value) ? ["on"] : []) : [value]
      }
    }
    var given: [String: [String]] = [:]
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else {
        operands.append(argument)
        if operands.count <= allowedOperands.count { continue }
        throw Failure(.usage, "\"\(argument)\" is no option. Try rowhouse help.")
      }
      let parts = argument.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = allowed.first(where: { $0.name == name }) else {
        throw Failure(.usage, "There is no option --\(name) here. Try rowhouse help.")
      }
      if option.value == nil {
        guard parts.count == 1 else { throw Failure(.usage, "--\(name) takes no value.") }
        given[name] = ["on"]
      } else if parts.count == 2 {
        given[name, default: []].append(String(parts[1]))
      } else if let value = rest.popFirst() {
        given[name, default: []].append(value)
      } else {
        throw Failure(.usage, "--\(name) needs a value: \(option.value ?? "").")
      }
    }
    values.merge(given) { _, given in given }
    let required = allowedOperands.filter { !$0.hasPrefix("[") }
    guard operands.count >= required.count else {
      throw Failure(.usage, "\(required[operands.count]) is missing. Try rowhouse help.")
    }
  }

  func isOn(_ name: String) -> Bool { values[name]?.isEmpty == false }

  /// The last value given.
  func text(_ name: String) -> String? { values[name]?.last }

  /// All values given, commas separating more in one.
  func list(_ name: String) -> [String] {
    (values[name] ?? []).flatMap { $0.split(separator: ",").map(String.init) }
  }

  func number(_ name: String, _ range: ClosedRange<Int>) throws(Failure) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw Failure(
        .usage, "--\(name) is a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  /// Bytes: `65536`, `64KiB`, `1MiB`.
  func size(_ name: String, _ range: ClosedRange<Int>) throws(Failure) -> Int? {
    guard let text = text(name) else { return nil }
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("", 1)]
    for (unit, factor) in units where text.hasSuffix(unit) {
      guard let number = Int(text.dropLast(unit.count)),
        case let (bytes, overflow) = number.multipliedReportingOverflow(by: factor), !overflow,
        range.contains(bytes)
      else { break }
      return bytes
    }
    throw Failure(
      .usage,
      "--\(name) is a size from \(range.lowerBound) to \(range.upperBound) bytes, such as 64KiB.")
  }

  /// Milliseconds: `10`, `10s`, `500ms`.
  func duration(_ name: String, _ range: ClosedRange<Int>) throws(Failure) -> Int64? {
    guard let text = text(name) else { return nil }
    let units = [("ms", 1), ("s", 1_000), ("", 1_000)]
    for (unit, factor) in units where text.hasSuffix(unit) {
      guard let number = Int(text.dropLast(unit.count)),
        case let (time, overflow) = number.multipliedReportingOverflow(by: factor), !overflow,
        range.contains(time)
      else { break }
      return Int64(time)
    }
    throw Failure(
      .usage,
      "--\(name) is a time from \(range.lowerBound) to \(range.upperBound) ms, such as 10s.")
  }

  private static func isOn(_ value: String) -> Bool {
    !["", "0", "no", "off", "false"].contains(value.lowercased())
  }
}
