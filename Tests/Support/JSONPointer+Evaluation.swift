import JSON

/// What only tests do with pointers: they look up values in answers.
extension JSONPointer {
  /// Parses a text such as "/a~1b/0". Nil if it does not begin with a slash or has a bad escape.
  package init?(text: String) {
    guard !text.isEmpty else {
      self.init()
      return
    }
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count > 1, parts[0].isEmpty else { return nil }
    var tokens: [String] = []
    for part in parts.dropFirst() {
      guard let token = Self.unescape(part) else { return nil }
      tokens.append(token)
    }
    self.init(tokens: tokens)
  }

  /// The value that the pointer refers to, or nil. "-", the place after an array's end, never has a value.
  package func evaluate(_ value: JSONValue) -> JSONValue? {
    var value = value
    for token in tokens {
      switch value {
      case .object(let object):
        guard let member = object[token] else { return nil }
        value = member
      case .array(let elements):
        guard let index = Self.index(token), index < elements.count else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }

  private static func unescape(_ part: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var rest = part.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "~") else {
        bytes.append(byte)
        continue
      }
      switch rest.next() {
      case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
      default: return nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Parses an array index: digits only, without leading zeros (RFC 6901, section 4).
  private static func index(_ token: String) -> Int? {
    guard token.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      token.utf8.count == 1 || token.utf8.first != UInt8(ascii: "0")
    else { return nil }
    return Int(token)
  }
}
