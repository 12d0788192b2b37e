import Inventory

/// A table's text, converted to UTF-8 from the encoding of a spreadsheet.
///
/// A byte order mark decides (UTF-16 or UTF-8); without one, `Content-Type` does. Without either, text that has
/// bytes beyond ASCII, but no character of several bytes in UTF-8, is read as Windows-1252, which Excel writes in Western
/// Europe, unless a byte is invalid there. Text that is partly UTF-8 is kept, so that the reader refuses it.
struct TableText {
  /// The text in UTF-8, or invalid text that the reader refuses.
  let bytes: [UInt8]
  /// The encoding in which the table was read.
  let charset: String

  /// - Parameter charset: the encoding that `Content-Type` names, in lower case.
  /// - Throws: 422 for text that is invalid in this encoding; 415 for an encoding that the system cannot read.
  init(_ bytes: [UInt8], charset named: String?) throws(Problem) {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      self.init(
        bytes: Self.utf16(bytes[2...], isLittle: bytes[0] == 0xFF) ?? bytes, charset: "utf-16")
      return
    }
    guard let named, named != "utf-8", !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
      let isUTF8 = named != nil || Self.isUTF8InPart(bytes) || bytes.allSatisfy { $0 < 0x80 }
      let western = isUTF8 ? nil : Self.windows1252(bytes)
      self.init(bytes: western ?? bytes, charset: western == nil ? "utf-8" : "windows-1252")
      return
    }
    let text: [UInt8]?
    switch named {
    case "utf-16", "utf-16be": text = Self.utf16(bytes[...], isLittle: false)
    case "utf-16le": text = Self.utf16(bytes[...], isLittle: true)
    case "windows-1252", "iso-8859-1": text = Self.windows1252(bytes)
    case "us-ascii": text = bytes.allSatisfy { $0 < 0x80 } ? bytes : nil
    default:
      do throws(TableCharset.Failure) { text = try TableCharset.utf8(bytes, in: named) } catch {
        switch error {
        case .malformed(let offset): throw Self.problem(named, bytes[..<offset])
        case .unavailable:
          throw Problem(.unsupportedMediaType, "This system cannot read \(named). Send UTF-8.")
        }
      }
    }
    guard let text else { throw Self.problem(named, []) }
    self.init(bytes: text, charset: named)
  }

  private init(bytes: [UInt8], charset: String) {
    self.bytes = bytes
    self.charset = charset
  }

  /// - Parameter start: the bytes before the first invalid one.
  private static func problem(_ charset: String, _ start: ArraySlice<UInt8>) -> Problem {
    let line = start.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    return .invalid(line: line, "The text is not in \(charset), which Content-Type names.")
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, isLittle: Bool) -> [UInt8]? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
  }

  /// Whether the bytes contain a multi-byte UTF-8 character (RFC 3629 §4). Windows-1252 text hardly ever does.
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

  /// Decodes Windows-1252. Nil if a byte is undefined there.
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

  /// The code points of 0x80 to 0x9F. 0 is undefined.
  /// https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/WINDOWS/CP1252.TXT
  private static let special: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
    0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]
}
