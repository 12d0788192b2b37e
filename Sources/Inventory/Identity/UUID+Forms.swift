import FoundationEssentials

extension UUID {
  /// Joins the first and last eight bytes, given as big-endian numbers.
  package init(high: UInt64, low: UInt64) {
    let bytes = (high.bigEndian, low.bigEndian)
    self = withUnsafeBytes(of: bytes) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// The first and last eight bytes, as big-endian numbers.
  package var halves: (high: UInt64, low: UInt64) {
    withUnsafeBytes(of: uuid) { bytes in
      (
        UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }

  /// A new version 7 UUID (RFC 9562 §5.7): 48 bits of Unix milliseconds, then 74 random bits.
  ///
  /// Ids created in sequence sort in sequence, which keeps the store's index of ids dense.
  package static func version7(at date: Date = Date()) -> UUID {
    if let counted = NewIdentifiers.nextResource() { return counted }
    let milliseconds = UInt64(max(0, date.timeIntervalSince1970 * 1000))
    return UUID(
      high: milliseconds << 16 | 0x7000 | .random(in: 0..<1 << 12),
      low: 1 << 63 | .random(in: 0..<1 << 62))
  }

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
      guard let digit = byte.hexValue else { return nil }
      if offset < 18 {
        halves.high = halves.high << 4 | UInt64(digit)
      } else {
        halves.low = halves.low << 4 | UInt64(digit)
      }
    }
    self.init(high: halves.high, low: halves.low)
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit in either case.
  var hexValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
