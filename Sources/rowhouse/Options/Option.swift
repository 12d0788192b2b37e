/// An option of a command. Its line in a table is all there is to it: the command line (`--name VALUE`, `--name=VALUE`),
/// the environment (`ROWHOUSE_NAME`), the file of settings (`name = VALUE`), the help and `rowhouse config` go by it.
struct Option: Sendable {
  /// What may stand as its value; where the words for it in the help are not always the same, they are given.
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

  /// What holds where nobody says anything.
  enum Standard: Sendable, ExpressibleByStringLiteral {
    case nothing
    case value(String)
    /// Nothing is set, and the text says what follows from that.
    case described(String)
    /// The text says what is looked up when it is needed.
    case found(String, @Sendable () -> String)

    init(stringLiteral value: String) { self = .value(value) }
  }

  let name: String
  let form: Form
  let standard: Standard
  /// Whether several values may be given, each on its own or with commas between them.
  let isRepeated: Bool
  /// One sentence, or two.
  let help: String
  /// What a value has to be, if it isn't that, where the form alone does not tell; nil where it is.
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

  /// `--json-body` is `ROWHOUSE_JSON_BODY`.
  var environmentName: String {
    "ROWHOUSE_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  /// What a value has to be, as in "--loops is …", if this text, which is not empty, is none.
  func fault(in text: String) -> String? { form.fault(in: text) ?? demand(text) }

  /// One value as it stands after splitting, or several.
  func values(in text: String) -> [String] {
    isRepeated ? text.split(separator: ",").map { String($0.trimmingBlanks) } : [text]
  }
}

extension Option.Form {
  /// What the help calls the value; nil for a switch.
  var placeholder: String? {
    switch self {
    case .onOff: nil
    case .size: "SIZE"
    case .duration: "TIME"
    case .number(_, let name), .choice(_, let name), .text(let name), .path(let name): name
    }
  }

  /// What a value has to be, if this text is none.
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

  /// A switch's position; nil for what is none.
  func isOn(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "on", "true", "1": true
    case "no", "off", "false", "0": false
    default: nil
    }
  }

  /// The number, in bytes or milliseconds where it has a unit; nil for what is none or out of range.
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
  /// Without the blanks and tabs at either end.
  var trimmingBlanks: SubSequence {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let start = firstIndex(where: { !isBlank($0) }),
      let end = lastIndex(where: { !isBlank($0) })
    else { return self[endIndex...] }
    return self[start...end]
  }
}
