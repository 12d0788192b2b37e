/// One element of a list field with its quality (RFC 9110 §12.4.2): `en;q=0.7`.
struct QualityValue: Sendable {
  /// The element in lower case, without white space.
  let token: String
  /// The quality in thousandths, 0 to 1000. An unreadable quality is 0.
  let weight: Int

  /// The elements of a list field: the first 32, and none of a field of more than 1 KiB. That bounds the work, and no
  /// usual client sends more.
  static func list(_ field: String?) -> [QualityValue] {
    guard let field, field.utf8.count <= 1_024 else { return [] }
    return field.utf8.split(separator: UInt8(ascii: ","), maxSplits: 32).prefix(32)
      .map { QualityValue($0) }
  }

  init(_ element: some Collection<UInt8>) {
    var parts = element.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self).trimmed.lowercased() }[...]
    token = parts.popFirst() ?? ""
    var weight = 1000
    for part in parts where part.hasPrefix("q=") {
      weight = Self.thousandths(part.dropFirst(2)) ?? 0
    }
    self.weight = token.isEmpty ? 0 : weight
  }

  private static func thousandths(_ text: Substring) -> Int? {
    let digits = text.utf8.filter { $0 != UInt8(ascii: ".") }
    guard (1...5).contains(text.utf8.count), text.utf8.count - digits.count <= 1,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let first = digits.first, text.utf8.first != UInt8(ascii: "."),
      text.utf8.count == 1 || text.utf8.dropFirst().first == UInt8(ascii: ".")
    else { return nil }
    let padded = digits.dropFirst() + Array(repeating: UInt8(ascii: "0"), count: 4 - digits.count)
    let value = padded.reduce(Int(first - 48)) { $0 * 10 + Int($1 - 48) }
    return value <= 1000 ? value : nil
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at its ends, the optional white space of RFC 9110 §5.6.3.
  var trimmed: String {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    var bytes = Substring(self).utf8.drop(while: isBlank)
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    return String(Substring(bytes))
  }

  /// Whether there are only ASCII letters, digits and these other characters.
  func hasOnlyLettersDigits(and others: String) -> Bool {
    utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"):
        true
      default: others.utf8.contains(byte)
      }
    }
  }
}
