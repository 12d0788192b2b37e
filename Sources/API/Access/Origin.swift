/// A page's origin as browsers write it in the `Origin` field: `https://app.example:8443`
/// (RFC 6454 §6.2).
package struct Origin: Sendable, Hashable {
  package let text: String

  /// Nil for a text that browsers never send as an origin: with a path, a trailing slash, capitals or the
  /// scheme's default port. Also nil for `null` and `*`.
  package init?(text: String) {
    guard let separator = text.firstRange(of: "://"),
      Self.isScheme(text[..<separator.lowerBound]),
      let port = Self.port(behind: text[separator.upperBound...]),
      port != Self.usualPorts[String(text[..<separator.lowerBound])]
    else { return nil }
    self.text = text
  }

  private static let usualPorts = ["http": 80, "https": 443]

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
  }

  /// The port of an authority, or 0 if it has none. Nil if the host is invalid.
  private static func port(behind authority: Substring) -> Int? {
    var host = authority
    var port = 0
    if let colon = host.lastIndex(of: ":"), host.last != "]" {
      let digits = host[host.index(after: colon)...]
      guard digits.utf8.allSatisfy(isDigit), digits.first != "0", let number = UInt16(digits) else {
        return nil
      }
      port = Int(number)
      host = host[..<colon]
    }
    let isAddress = host.first == "[" && host.last == "]"
    let name = isAddress ? host.dropFirst().dropLast() : host
    let others = isAddress ? ":." : "-._"
    guard !name.isEmpty,
      name.utf8.allSatisfy({ isLetter($0) || isDigit($0) || others.utf8.contains($0) })
    else { return nil }
    return port
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
