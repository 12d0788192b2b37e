import HTTP
import Inventory
import JSON

/// Which requests a server in test mode fails on purpose, and how.
struct FaultRule: Sendable {
  /// What happens to a request instead of, or in addition to, its handling.
  enum Effect: Sendable {
    /// It is answered with this problem, and not handled.
    case refuse(status: Int)
    /// Its connection ends before it is handled.
    case disconnect
    /// It is handled. Its connection ends instead of the answer.
    case loseAnswer
    /// It is handled. Its connection ends after so many bytes of the answer's body.
    case cutAnswer(bytes: Int)
    /// Its event stream sends nothing more, but stays open.
    case stallEvents(after: StreamPoint)
    /// The connection of its event stream ends.
    case cutEvents(after: StreamPoint)
  }

  /// A point of an event stream: after so many events, or so many milliseconds after its start.
  enum StreamPoint: Sendable {
    case events(Int)
    case milliseconds(Int64)
  }

  /// The names of effects in JSON.
  enum EffectName: String, CaseIterable {
    case refuse, disconnect, loseAnswer, cutAnswer, stallEvents, cutEvents
  }

  // Which requests. Nil: all.
  var method: String?
  /// Segments of the path: a text, `*` for any one segment, or `**` at the end for any number of them.
  var path: [String]?
  /// A template such as `/v1/lists/{listId}/rows`.
  var route: String?
  var list: ListReference?
  /// Only the matching request of this number, counted from 1.
  var nth: Int?
  /// The share of matching requests, in hundredths.
  var share: Int64?

  // What happens.
  /// In milliseconds, before the request is handled.
  var delay: Int64 = 0
  /// Nil: it is handled as usual.
  var effect: Effect?

  static let largestDelay: Int64 = 600_000
  static let largestCount = 1_000_000
  static let largestSize = 1 << 30
  static let longestPath = 1_000
  static let statuses = 400...599

  private var isAboutEvents: Bool {
    switch effect {
    case .stallEvents, .cutEvents: true
    default: false
    }
  }

  /// - Parameter match: the request's route and the values in its path; nil if no route fits.
  func fits(_ head: RequestHead, _ match: (route: Route, values: PathValues)?) -> Bool {
    if let method, method != head.method.name { return false }
    if let route, route != match?.route.template { return false }
    if let list {
      guard let match, match.route.subject == .list, match.values.list == list else { return false }
    }
    if isAboutEvents, match?.route.template.hasSuffix("/events") != true { return false }
    if let path, !Self.fits(head.segments()[...], path[...]) { return false }
    return true
  }

  private static func fits(_ segments: ArraySlice<String>, _ pattern: ArraySlice<String>) -> Bool {
    guard let first = pattern.first else { return segments.isEmpty }
    if first == "**" { return true }
    guard let segment = segments.first, first == "*" || first == segment else { return false }
    return fits(segments.dropFirst(), pattern.dropFirst())
  }
}

extension FaultRule {
  static let members = [
    "method", "path", "route", "listId", "nth", "share", "delay", "effect", "status", "bytes",
    "events", "milliseconds",
  ]

  /// Reads a rule. Notes what is wrong.
  init(_ members: Members) {
    method = members.value("method", "Send a method in capitals, such as POST.") { value in
      value.text.flatMap { (1...24).contains($0.utf8.count) ? $0 : nil }
    }
    path = members.value(
      "path",
      "Send a path that begins with /, of at most \(Self.longestPath) bytes. "
        + "* stands for one segment, and ** at its end for any number of them."
    ) { $0.text.flatMap(Self.pattern) }
    route = members.value("route", "Send a route of /openapi.json, such as /v1/lists/{listId}.") {
      value in
      value.text.flatMap { text in Route.described.contains { $0.template == text } ? text : nil }
    }
    list = members.list("listId")
    nth = members.number("nth", in: 1...Int64(Self.largestCount)).map { Int($0) }
    share = members.hundredths("share")
    if let share, !(0...100).contains(share) { members.note("share", "Send 0 to 1.") }
    delay = members.number("delay", in: 0...Self.largestDelay) ?? 0
    guard let name: EffectName = members.choice("effect") else {
      if members["effect"] == nil, delay == 0 {
        members.note("effect", "Send an effect or a delay.")
      }
      return
    }
    effect = members.effect(name)
  }

  private static func pattern(_ text: String) -> [String]? {
    guard text.hasPrefix("/"), text.utf8.count <= longestPath else { return nil }
    let segments = text.split(separator: "/").map(String.init)
    return segments.dropLast().contains("**") ? nil : segments
  }
}

extension Members {
  /// A whole number. Notes one that is out of range.
  fileprivate func number(
    _ name: String, in range: ClosedRange<Int64>, missing: String? = nil
  ) -> Int64? {
    let expected = "Send a whole number from \(range.lowerBound) to \(range.upperBound)."
    return value(name, expected, missing: missing) { value in
      value.int64.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  fileprivate func effect(_ name: FaultRule.EffectName) -> FaultRule.Effect? {
    switch name {
    case .refuse:
      let statuses = Int64(FaultRule.statuses.lowerBound)...Int64(FaultRule.statuses.upperBound)
      return number("status", in: statuses, missing: "Send the status to answer, such as 503.")
        .map { .refuse(status: Int($0)) }
    case .disconnect: return .disconnect
    case .loseAnswer: return .loseAnswer
    case .cutAnswer:
      return number(
        "bytes", in: 0...Int64(FaultRule.largestSize),
        missing: "Send how many bytes of the body arrive."
      ).map { .cutAnswer(bytes: Int($0)) }
    case .stallEvents: return streamPoint.map { .stallEvents(after: $0) }
    case .cutEvents: return streamPoint.map { .cutEvents(after: $0) }
    }
  }

  private var streamPoint: FaultRule.StreamPoint? {
    let events = number("events", in: 0...Int64(FaultRule.largestCount))
    let milliseconds = number("milliseconds", in: 0...FaultRule.largestDelay)
    switch (events, milliseconds) {
    case (let events?, nil): return .events(Int(events))
    case (nil, let milliseconds?): return .milliseconds(milliseconds)
    case (nil, nil) where self["events"] != nil || self["milliseconds"] != nil: return nil
    default:
      note("events", "Send either events or milliseconds.")
      return nil
    }
  }
}

extension JSONWriter {
  /// The members of a rule as they were sent.
  mutating func ruleMembers(_ rule: FaultRule) {
    member("method", rule.method)
    member("path", rule.path.map { "/" + $0.joined(separator: "/") })
    member("route", rule.route)
    key("listId")
    switch rule.list {
    case nil: null()
    case .root: string("root")
    case .id(let id): self.id(id)
    }
    member("nth", rule.nth)
    key("share")
    if let share = rule.share { decimal(share, places: 2) } else { null() }
    member("delay", rule.delay)
    var (name, status, bytes) = (FaultRule.EffectName?.none, Int?.none, Int?.none)
    var point: FaultRule.StreamPoint?
    switch rule.effect {
    case nil: break
    case .refuse(let given): (name, status) = (.refuse, given)
    case .disconnect: name = .disconnect
    case .loseAnswer: name = .loseAnswer
    case .cutAnswer(let given): (name, bytes) = (.cutAnswer, given)
    case .stallEvents(let given): (name, point) = (.stallEvents, given)
    case .cutEvents(let given): (name, point) = (.cutEvents, given)
    }
    member("effect", name?.rawValue)
    member("status", status)
    member("bytes", bytes)
    switch point {
    case .events(let events): member("events", events)
    default: member("events", Int?.none)
    }
    switch point {
    case .milliseconds(let milliseconds): member("milliseconds", milliseconds)
    default: member("milliseconds", Int64?.none)
    }
  }
}
