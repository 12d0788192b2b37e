import HTTP

/// The range of bytes that a GET requests (RFC 9110 §14).
enum ByteRange: Sendable, Hashable {
  /// Everything. Also for several ranges or a malformed field, which a server may ignore.
  case whole
  case part(Range<Int>)
  case unsatisfiable

  /// - Parameter tag: the current entity tag without quotes, which `If-Range` must match.
  init(_ fields: Fields, size: Int, tag: String) {
    self = .whole
    let ranges = fields.values("range")
    guard ranges.count == 1, let field = ranges.first else { return }
    if let condition = fields["if-range"], condition.trimmed != "\"\(tag)\"" { return }
    let words = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2, words[0].trimmed.lowercased() == "bytes" else { return }
    let ends = words[1].trimmed.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return }
    switch (Self.place(ends[0]), Self.place(ends[1])) {
    case (.number(let first), .number(let last)) where first <= last:
      self = first < size ? .part(first..<(min(last, size - 1) + 1)) : .unsatisfiable
    case (.number(let first), .none):
      self = first < size ? .part(first..<size) : .unsatisfiable
    case (.none, .number(let count)):
      self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
    default: return
    }
  }

  private enum Place {
    case none
    /// A number beyond 64 bits counts as the largest: it is past any end.
    case number(Int)
    case nonsense
  }

  private static func place(_ text: Substring) -> Place {
    if text.isEmpty { return .none }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return .nonsense }
    return .number(Int(text) ?? .max)
  }
}
