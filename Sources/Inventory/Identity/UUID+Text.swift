import FoundationEssentials

extension UUID {
  /// Reads the 36-character hyphenated form (RFC 9562 §4) in either letter case; nil for anything else.
  ///
  /// Foundation's own parser scans numbers, so it takes white space for a digit.
  package init?(text: ArraySlice<UInt8>) {
    guard text.count == 36 else { return nil }
    var halves = (high: UInt64(0), low: UInt64(0))
    for (offset, byte) in text.enumerated() {
      if offset == 8 || offset == 13 || offset == 18 || offset == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      if offset < 18 {
        halves.high = halves.high << 4 | UInt64(digit)
      } else {
        halves.low = halves.low << 4 | UInt64(digit)
      }
    }
    let bytes = (halves.high.bigEndian, halves.low.bigEndian)
    self = withUnsafeBytes(of: bytes) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
