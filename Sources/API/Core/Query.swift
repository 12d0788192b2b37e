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
      guard let place = known.firstIndex(of: parameter.name) else {
        let detail =
          known.isEmpty
          ? "This call takes no parameters."
          : "Unknown parameter. Known parameters: \(known.joined(separator: ", "))."
        faults.note(.parameter(parameter.name, detail))
        continue
      }
      if seen & 1 << UInt64(place) != 0 {
        faults.note(.parameter(parameter.name, "Given more than once."))
      }
      seen |= 1 << UInt64(place)
    }
  }

  func note(_ name: String, _ detail: String) { faults.note(.parameter(name, detail)) }

  /// Whether a position out of range is refused instead of adjusted.
  var isStrict: Bool { flag("strict", default: false) }

  func text(_ name: String) -> String? {
    parameters.first { $0.name == name }?.value
  }

  /// A parameter that is `true` or `false`.
  func flag(_ name: String, default value: Bool) -> Bool {
    switch text(name) {
    case nil: return value
    case "true": return true
    case "false": return false
    default:
      faults.note(.parameter(name, "Send true or false."))
      return value
    }
  }

  /// A whole number in decimal digits.
  func whole(_ name: String, in range: ClosedRange<Int>, _ expected: String) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(digits: text), range.contains(number) else {
      faults.note(.parameter(name, expected))
      return nil
    }
    return number
  }

  func choice<Choice: RawRepresentable & CaseIterable>(_ name: String) -> Choice?
  where Choice.RawValue == String {
    guard let text = text(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      faults.note(
        .parameter(
          name, "One of: \(Choice.allCases.map(\.rawValue).joined(separator: ", "))."))
      return nil
    }
    return choice
  }

  func revision(_ name: String) -> Revision? {
    whole(name, in: 0...Int.max, "Send a revision, 0 or more.").map { Revision(Int64($0)) }
  }

  func row(_ name: String) -> RowID? {
    guard let text = text(name) else { return nil }
    guard let row = RowID(text: text) else {
      faults.note(.parameter(name, "Send an id: a UUID of 36 characters."))
      return nil
    }
    return row
  }

  func photo(_ name: String) -> PhotoID? { row(name).map { PhotoID($0.uuid) } }

  /// A list's id or `root`. `root` if absent.
  func list(_ name: String) -> ListReference {
    guard let text = text(name), text != "root" else { return .root }
    guard let list = ListID(text: text) else {
      faults.note(.parameter(name, "Send a list's id, or root."))
      return .root
    }
    return .id(list)
  }

  /// The page that `limit`, `offset` and `after` select.
  var window: PageWindow {
    let anchor = row("after")
    if text("after") != nil, text("offset") != nil {
      faults.note(.parameter("after", "Send offset or after, not both."))
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
