/// An option of a command. One line of a table defines it for the command line (`--name VALUE`, `--name=VALUE`), the
/// environment (`ROWHOUSE_NAME`), the help and, if it is an option of `serve`, the settings file (`name = VALUE`) and
/// `rowhouse config`.
struct Option: Sendable {
  /// The form of a value. A case's text is the value's name in the help.
  enum Form: Sendable {
    /// A switch: on by its name alone, or `yes` or `no`.
    case onOff
    case number(ClosedRange<Int>, String = "N")
    /// Bytes: `65536`, `64KiB`, `1MiB`.
    case size(ClosedRange<Int>)
    /// Milliseconds, written as `500ms`, `10s`, `5m`, `12h`, `7d`, or `10` for seconds.
    case duration(ClosedRange<Int>)
    case choice([String], String)
    case text(String)
    /// A file or a folder.
    case path(String)
  }

  /// The default.
  enum Standard: Sendable, ExpressibleByStringLiteral {
    case nothing
    case value(String)
    /// No value. The text describes the effect.
    case described(String)
    /// A value that is computed when needed. The text describes it.
    case found(String, @Sendable () -> String)

    init(stringLiteral value: String) { self = .value(value) }
  }

  let name: String
  let form: Form
  let standard: Standard
  /// Whether several values may be given, separately or with commas between them.
  let isRepeated: Bool
  /// The sentences of the help.
  let help: String
  /// The requirement that a value violates, beyond its form; nil if it violates none.
  private let demand: @Sendable (String) -> String?

  init(
    _ name: String, _ form: Form, standard: Standard = .nothing, isRepeated: Bool = false,
    _ help: String, demand: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.name = name
    self.form = form
    self.standard = standard
    self.isRepeated = isRepeated
    self.help = help
    self.demand = demand
  }

  /// `ROWHOUSE_JSON_BODY` for `--json-body`.
  var environmentName: String {
    "ROWHOUSE_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  /// The requirement that a non-empty text violates, as in "--loops must be …"; nil if the text is valid.
  func fault(in text: String) -> String? { form.fault(in: text) ?? demand(text) }

  /// The values in a text: one, or several with commas between them.
  func values(in text: String) -> [String] {
    isRepeated ? text.split(separator: ",").map { String($0.trimmingBlanks) } : [text]
  }
}

extension Option.Form {
  /// The name of the value in the help; nil for a switch.
  var placeholder: String? {
    switch self {
    case .onOff: nil
    case .size: "SIZE"
    case .duration: "TIME"
    case .number(_, let name), .choice(_, let name), .text(let name), .path(let name): name
    }
  }

  /// The requirement that a text violates; nil if the text is valid.
  func fault(in text: String) -> String? {
    switch self {
    case .onOff: isOn(text) == nil ? "yes or no" : nil
    case .number(let range, _):
      integer(text) == nil ? "a whole number from \(range.lowerBound) to \(range.upperBound)" : nil
    case .size(let range):
      integer(text) == nil
        ? "a size from \(range.lowerBound) to \(range.upperBound) bytes, such as 64KiB" : nil
    case .duration(let range):
      integer(text) == nil
        ? "a time from \(range.lowerBound) to \(range.upperBound) ms, such as 10s" : nil
    case .choice(let words, _): words.contains(text) ? nil : Self.listing(words)
    case .text, .path: nil
    }
  }

  /// The position of a switch; nil for an invalid text.
  func isOn(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "on", "true", "1": true
    case "no", "off", "false", "0": false
    default: nil
    }
  }

  /// The number, in bytes or milliseconds if it has a unit; nil for an invalid text, or out of range.
  func integer(_ text: String) -> Int? {
    let (range, units) =
      switch self {
      case .number(let range, _): (range, [("", 1)])
      case .size(let range):
        (range, [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40), ("", 1)])
      case .duration(let range):
        (
          range,
          [
            ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
            ("", 1_000),
          ]
        )
      case .onOff, .choice, .text, .path: (0...0, [(String, Int)]())
      }
    guard let (unit, factor) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
    let digits = text.dropLast(unit.count)
    guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = Int(digits),
      case let (product, overflow) = number.multipliedReportingOverflow(by: factor), !overflow,
      range.contains(product)
    else { return nil }
    return product
  }

  /// "a, b or c"
  private static func listing(_ words: [String]) -> String {
    words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
  }
}

extension StringProtocol {
  /// The text without blanks and tabs at both ends.
  var trimmingBlanks: SubSequence {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let start = firstIndex(where: { !isBlank($0) }),
      let end = lastIndex(where: { !isBlank($0) })
    else { return self[endIndex...] }
    return self[start...end]
  }
}

/// The options that several commands share.
extension Option {
  static let database = Option(
    "db", .path("PATH"),
    standard: .found("$XDG_DATA_HOME/rowhouse/rowhouse.sqlite") { DataFolder.standardDatabase },
    "The database file. In builds with PostgreSQL also a server's database: postgresql://USER@HOST/NAME."
  )
  static let create = Option("create", .onOff, "Make the database if it does not exist.")
  static let config = Option(
    "config", .path("FILE"), "A settings file with one name = value per line.")
  static let inventory = Option(
    "inventory", .text("ID"), standard: .described("the first one"), "The inventory's id.")
  /// For commands that would ignore the other inventories, or change the wrong one.
  static let onlyInventory = Option(
    "inventory", .text("ID"), standard: .described("the only one"),
    "The inventory's id. Required if the database has several.")
}
