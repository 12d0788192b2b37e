import HTTP

/// Which bytes of something a GET asks for (RFC 9110 §14).
enum ByteRange: Sendable, Hashable {
  /// Also where several ranges are asked for, or where the field makes no sense: it may be ignored.
  case whole
  case part(Range<Int>)
  case unsatisfiable

  /// - Parameter tag: of the present bytes, without its quotes: `If-Range` must name it.
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
    /// One beyond 64 bits is as good as the largest: it is past the end of everything.
    case number(Int)
    case nonsense
  }

  private static func place(_ text: Substring) -> Place {
    if text.isEmpty { return .none }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return .nonsense }
    return .number(Int(text) ?? .max)
  }
}
