import HTTP
import Inventory

/// An entity tag as a client sends it (RFC 9110 §8.8.3).
struct EntityTag: Sendable, Hashable {
  var isWeak: Bool
  /// The text between the quotes.
  var opaque: String

  /// The revision before the variant: 41 for `41-en` and `41`.
  var revision: Revision? {
    let digits = opaque.utf8.prefix { $0 != UInt8(ascii: "-") }
    guard !digits.isEmpty, let number = Int(digits: String(decoding: digits, as: UTF8.self)) else {
      return nil
    }
    return Revision(Int64(number))
  }
}

/// The value of `If-Match` or `If-None-Match` (RFC 9110 §13.1).
enum EntityTagCondition: Sendable, Hashable {
  case any
  case tags([EntityTag])

  /// Nil if the field is absent.
  ///
  /// - Throws: 400 unless the value is `*` or a list of entity tags.
  init?(_ fields: Fields, _ name: String) throws(Problem) {
    guard fields[name] != nil else { return nil }
    let text = fields.values(name).joined(separator: ",")
    guard let condition = EntityTagCondition(text) else {
      throw Problem(
        .malformedHeader,
        "Send * or at most \(Self.mostTags) entity tags in double quotes in \(name).")
    }
    self = condition
  }

  /// The maximum number of tags, which bounds the work.
  private static let mostTags = 100

  private init?(_ text: String) {
    if text.trimmed == "*" {
      self = .any
      return
    }
    var rest = Array(text.utf8)[...]
    var tags: [EntityTag] = []
    while true {
      while let byte = rest.first, byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: ",") {
        rest.removeFirst()
      }
      if rest.isEmpty { break }
      let isWeak = rest.starts(with: "W/".utf8)
      if isWeak { rest.removeFirst(2) }
      guard tags.count < Self.mostTags, rest.popFirst() == UInt8(ascii: "\""),
        let end = rest.firstIndex(of: UInt8(ascii: "\"")),
        rest[..<end].allSatisfy({ $0 > 0x20 && $0 != 0x7F })
      else { return nil }
      tags.append(
        EntityTag(isWeak: isWeak, opaque: String(decoding: rest[..<end], as: UTF8.self)))
      rest = rest[(end + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
      guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
    }
    guard !tags.isEmpty else { return nil }
    self = .tags(tags)
  }

  /// The condition of `If-Match`, by revision only. Compared strongly: a weak tag never matches (RFC 9110 §13.1.1).
  var ifMatch: IfMatch { revisions { !$0.isWeak } }

  /// The condition of a write's `If-None-Match`, by revision only. Compared weakly (RFC 9110 §13.1.2).
  var ifNoneMatch: IfMatch { revisions { _ in true } }

  private func revisions(where isIncluded: (EntityTag) -> Bool) -> IfMatch {
    switch self {
    case .any: .any
    case .tags(let tags): .revisions(tags.filter(isIncluded).compactMap(\.revision))
    }
  }

  /// Whether the condition includes the tag. Compared weakly (RFC 9110 §13.1.2).
  func includes(_ opaque: String) -> Bool {
    switch self {
    case .any: true
    case .tags(let tags): tags.contains { $0.opaque == opaque }
    }
  }
}
