/// The text of a table in UTF-8, whatever a spreadsheet has written it in.
///
/// Where the charset is not named, UTF-16 is known by its byte order mark. What is not UTF-8 at all is taken for Windows-1252, which Excel writes in
/// Western Europe; what is UTF-8 in part is broken, and stays as it is, to be refused.
enum TableText {
  /// Nil where the bytes are no text in the charset that is named.
  static func utf8(_ bytes: [UInt8], charset: String?) -> [UInt8]? {
    let hasLittleMark = bytes.starts(with: [0xFF, 0xFE])
    let hasBigMark = bytes.starts(with: [0xFE, 0xFF])
    switch charset {
    case nil: return utf8(bytes)
    case "utf-16le": return utf16(bytes[(hasLittleMark ? 2 : 0)...], isLittle: true)
    case "utf-16be": return utf16(bytes[(hasBigMark ? 2 : 0)...], isLittle: false)
    // Without a mark the higher byte comes first (RFC 2781 §4.3).
    case "utf-16":
      return utf16(bytes[(hasLittleMark || hasBigMark ? 2 : 0)...], isLittle: hasLittleMark)
    // Browsers take either name for the same (https://encoding.spec.whatwg.org/#names-and-labels).
    case "windows-1252", "iso-8859-1": return windows1252(bytes)
    // The reader of tables refuses what is not UTF-8.
    default: return bytes
    }
  }

  private static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes[2...], isLittle: true) ?? bytes }
    if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes[2...], isLittle: false) ?? bytes }
    guard bytes.contains(where: { $0 >= 0x80 }), !isUTF8InPart(bytes) else { return bytes }
    return windows1252(bytes) ?? bytes
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, isLittle: Bool) -> [UInt8]? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    guard let text = String(validating: units, as: UTF16.self) else { return nil }
    return Array(text.utf8)
  }

  /// Whether there is a character of several bytes in it (RFC 3629 §4), which Windows-1252 has next to never.
  private static func isUTF8InPart(_ bytes: [UInt8]) -> Bool {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      let length =
        switch byte {
        case 0xC2...0xDF: 1
        case 0xE0...0xEF: 2
        case 0xF0...0xF4: 3
        default: 0
        }
      guard length > 0, index + length <= bytes.count else { continue }
      if bytes[index..<(index + length)].allSatisfy({ 0x80...0xBF ~= $0 }) { return true }
    }
    return false
  }

  /// Nil where a byte has no meaning.
  private static func windows1252(_ bytes: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      switch byte {
      case ..<0x80: result.append(byte)
      case 0x80...0x9F:
        guard let scalar = Unicode.Scalar(special[Int(byte) - 0x80]), scalar.value > 0 else {
          return nil
        }
        result += Array(String(Character(scalar)).utf8)
      default: result += [0xC0 | byte >> 6, 0x80 | byte & 0x3F]
      }
    }
    return result
  }

  /// 0x80 to 0x9F; 0 has no meaning.
  /// https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/WINDOWS/CP1252.TXT
  private static let special: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
    0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]
}
