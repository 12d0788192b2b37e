/// A set of ASCII bytes in two words, so that a membership test is one shift. Other bytes are never members.
struct ByteSet: Sendable {
  let low: UInt64
  let high: UInt64

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    let word = byte < 64 ? low : high
    return byte < 128 && (word >> UInt64(byte & 63)) & 1 == 1
  }

  /// `tchar` of RFC 9110 §5.6.2.
  static let token = ByteSet(low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe)
  /// `pchar`, "/" and the "%" of an escape: the bytes of a path (RFC 3986 §3.3).
  static let path = ByteSet(low: 0x2fff_fff2_0000_0000, high: 0x47ff_fffe_87ff_ffff)
  /// The bytes of a query (RFC 3986 §3.4), and eight more that browsers send unescaped.
  static let query = ByteSet(low: 0xafff_fff2_0000_0000, high: 0x7fff_ffff_ffff_ffff)
  /// `reg-name` without escapes: the bytes of a host name (RFC 3986 §3.2.2).
  static let hostName = ByteSet(low: 0x2bff_7fd2_0000_0000, high: 0x47ff_fffe_87ff_fffe)
}

extension UInt8 {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20

  /// Whether a field value may hold the byte: HTAB, SP, VCHAR or obs-text (RFC 9110 §5.5).
  @inline(__always)
  var isFieldValueByte: Bool { (self >= 0x20 && self != 0x7F) || self == .tab }

  @inline(__always)
  var isDigit: Bool { self &- 0x30 < 10 }

  /// The value of a hexadecimal digit in either case.
  @inline(__always)
  var hexValue: UInt8? {
    switch self {
    case 0x30...0x39: self &- 0x30
    case 0x41...0x46: self &- 0x37
    case 0x61...0x66: self &- 0x57
    default: nil
    }
  }

  /// The lowercase letter of an ASCII capital; any other byte unchanged.
  @inline(__always)
  var lowercasedASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
