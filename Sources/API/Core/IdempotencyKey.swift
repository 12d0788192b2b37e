import HTTP

/// The value of `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header, section 2.1): a string
/// of structured fields (RFC 9651 §3.3.3), or the same characters without the quotes, as many
/// clients send it.
struct IdempotencyKey: Sendable, Hashable {
  let text: String

  private static let length = 1...255

  /// Nil if the field is absent.
  ///
  /// - Throws: 400 for what is no such string of 1 to 255 characters.
  init?(_ fields: Fields) throws(Problem) {
    guard fields["idempotency-key"] != nil else { return nil }
    let values = fields.values("idempotency-key")
    guard values.count == 1, let text = Self.text(of: Array(values[0].utf8)[...]),
      Self.length.contains(text.utf8.count)
    else {
      throw Problem(
        .malformedHeader,
        "Send one Idempotency-Key of 1 to 255 visible ASCII characters."
      )
    }
    self.text = text
  }

  private static func text(of value: ArraySlice<UInt8>) -> String? {
    let quote = UInt8(ascii: "\"")
    guard value.first == quote else {
      let isPlain = value.allSatisfy { (0x21...0x7E).contains($0) && $0 != quote }
      return isPlain ? String(decoding: value, as: UTF8.self) : nil
    }
    guard value.count >= 2, value.last == quote else { return nil }
    var text: [UInt8] = []
    var rest = value.dropFirst().dropLast()
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst(), escaped == quote || escaped == byte else { return nil }
        text.append(escaped)
      case quote: return nil
      case 0x20...0x7E: text.append(byte)
      default: return nil
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
