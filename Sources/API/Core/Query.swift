import HTTP
import Inventory

/// Reads a request's query parameters and adds errors to `faults`.
struct Query {
  private let parameters: [(name: String, value: String)]
  let faults: FieldErrors

  /// - Throws: 400 for a query that does not decode.
  init(_ head: RequestHead, known: [String], _ faults: FieldErrors) throws(Problem) {
    guard let parameters = head.query() else {
      throw Problem(.malformedQuery, "Percent-encode the query as UTF-8, without NUL.")
    }
    self.parameters = parameters
    self.faults = faults
    var seen: UInt64 = 0
    for parameter in parameters where !faults.isFull {
      let place = known.firstIndex {
        $0 == parameter.name || ($0 == Self.anyField && parameter.name.hasPrefix(Self.fieldPrefix))
      }
      guard let place else {
        let detail =
          known.isEmpty
          ? "This call takes no parameters."
          : "Unknown parameter. Known parameters: \(known.joined(separator: ", "))."
        note(parameter.name, detail)
        continue
      }
      if seen & 1 << UInt64(place) != 0 {
        note(parameter.name, "Given more than once.")
      }
      seen |= 1 << UInt64(place)
    }
  }

  /// Stands for all parameters that begin with `field.`, each named after a custom field.
  static let anyField = "field.NAME"
  private static let fieldPrefix = "field."

  /// The name of a custom field, and the value that it must have.
  var field: (name: String, value: String)? {
    parameters.first { $0.name.hasPrefix(Self.fieldPrefix) }
      .map { (String($0.name.dropFirst(Self.fieldPrefix.count)), $0.value) }
  }

  func note(_ name: String, _ detail: String) { faults.note(.parameter(name, detail)) }

  /// Whether a position out of range is refused instead of adjusted.
  var isStrict: Bool { flag("strict", default: false) }

  func text(_ name: String) -> String? {
    parameters.first { $0.name == name }?.value
  }

  /// The parameter as `read` converts it. Notes `expected` if `read` returns nil.
  func value<Value>(
    _ name: String, _ expected: @autoclosure () -> String, _ read: (String) -> Value?
  ) -> Value? {
    guard let text = text(name) else { return nil }
    let value = read(text)
    if value == nil { note(name, expected()) }
    return value
  }

  /// A parameter that is `true` or `false`.
  func flag(_ name: String, default standard: Bool) -> Bool {
    value(name, "Send true or false.", Bool.init) ?? standard
  }

  /// A whole number in decimal digits.
  func whole(_ name: String, in range: ClosedRange<Int>, _ expected: String) -> Int? {
    value(name, expected) { text in
      Int(digits: text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String) -> Choice? {
    value(
      name, "One of: \(Choice.allCases.map(\.rawValue).joined(separator: ", ")).", Choice.init)
  }

  func revision(_ name: String) -> Revision? {
    whole(name, in: 0...Int.max, "Send a revision, 0 or more.").map { Revision(Int64($0)) }
  }

  func row(_ name: String) -> RowID? {
    value(name, "Send an id: a UUID of 36 characters.") { RowID(text: $0) }
  }

  func photo(_ name: String) -> PhotoID? { row(name).map { PhotoID($0.uuid) } }

  /// A list's id or `root`. `root` if absent.
  func list(_ name: String) -> ListReference {
    value(name, "Send a list's id, or root.") { text in
      text == "root" ? .root : ListID(text: text).map(ListReference.id)
    } ?? .root
  }

  /// The page that `limit`, `offset` and `after` select.
  var window: PageWindow {
    let anchor = row("after")
    if text("after") != nil, text("offset") != nil {
      note("after", "Send offset or after, not both.")
    }
    return PageWindow(start: anchor.map(PageWindow.Start.after) ?? .offset(offset), limit: limit)
  }

  /// The `limit` of a page, or the default if absent.
  var limit: Int { givenLimit ?? Limits.defaultPage }

  /// The `limit` parameter. Nil if absent.
  var givenLimit: Int? {
    whole("limit", in: Limits.page, "Send \(Limits.page.lowerBound) to \(Limits.page.upperBound).")
  }

  /// The `offset` of a page; 0 if absent.
  var offset: Int { whole("offset", in: 0...Int.max, "Send 0 or more.") ?? 0 }
}
