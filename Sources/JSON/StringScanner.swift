/// Scans strings of RFC 8259, section 7, in UTF-8 (RFC 3629).
enum StringScanner {
  /// The string whose opening quote is at `quote`, and the offset after its closing quote.
  static func scan(
    _ text: UnsafeBufferPointer<UInt8>, from quote: Int
  ) throws(Failure) -> (String, end: Int) {
    let start = quote + 1
    var position = start
    var isASCII = true
    var hasEscapes = false
    let bytes = UnsafeRawBufferPointer(text)
    while position + 8 <= text.count,
      arePlain(bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    {
      position += 8
    }
    while true {
      guard position < text.count else {
        throw Failure(reason: .unexpectedEnd, offset: text.count)
      }
      let byte = text[position]
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        // An escaped character, such as a quote, does not end the string.
        position += 2
        continue
      }
      if byte < 0x20 {
        throw Failure(reason: byte == 0 ? .nul : .controlCharacter(byte), offset: position)
      }
      if byte >= 0x80 { isASCII = false }
      position += 1
    }
    let content = start..<position
    if !isASCII { try validate(text, content) }
    let string =
      hasEscapes
      ? try unescape(text, content)
      : String(decoding: UnsafeBufferPointer(rebasing: text[content]), as: UTF8.self)
    return (string, position + 1)
  }

  /// Whether eight bytes are ASCII without quotes, backslashes and control characters. Tests all at once.
  private static func arePlain(_ bytes: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // A zero byte sets its top bit in `value &- ones` but not in `value`. A borrow may also mark bytes
    // above it, which only sends them to the slow path.
    let quotes = bytes ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let slashes = bytes ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let unlike =
      (quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes | (bytes &- ones &* 0x20) | bytes
    return unlike & (ones &* 0x80) == 0
  }

  private static func validate(
    _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) throws(Failure) {
    let content = UnsafeBufferPointer(rebasing: text[range])
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: content.span)
    } catch {
      throw Failure(
        reason: .invalidUTF8, offset: range.lowerBound + error.byteOffsets.lowerBound)
    }
  }

  private static func unescape(
    _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) throws(Failure) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = text[position]
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        position += 1
        continue
      }
      let start = position
      position += 2
      switch text[start + 1] {
      case UInt8(ascii: "\""): bytes.append(UInt8(ascii: "\""))
      case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
      case UInt8(ascii: "/"): bytes.append(UInt8(ascii: "/"))
      case UInt8(ascii: "b"): bytes.append(0x08)
      case UInt8(ascii: "f"): bytes.append(0x0c)
      case UInt8(ascii: "n"): bytes.append(0x0a)
      case UInt8(ascii: "r"): bytes.append(0x0d)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "u"):
        let scalar = try codePoint(text, at: start, before: range.upperBound, end: &position)
        guard scalar.value != 0 else { throw Failure(reason: .nul, offset: start) }
        bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      default: throw Failure(reason: .invalidEscape, offset: start)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Decodes the escape at `start`, or a surrogate pair of escapes. Sets `end` to the offset after it.
  private static func codePoint(
    _ text: UnsafeBufferPointer<UInt8>, at start: Int, before limit: Int, end: inout Int
  ) throws(Failure) -> Unicode.Scalar {
    let first = try codeUnit(text, at: start, before: limit)
    end = start + 6
    if let scalar = Unicode.Scalar(first) { return scalar }
    let loneSurrogate = Failure(reason: .loneSurrogate, offset: start)
    guard UTF16.isLeadSurrogate(first), end + 1 < limit, text[end] == UInt8(ascii: "\\"),
      text[end + 1] == UInt8(ascii: "u")
    else { throw loneSurrogate }
    let second = try codeUnit(text, at: end, before: limit)
    guard UTF16.isTrailSurrogate(second) else { throw loneSurrogate }
    end += 6
    let value = 0x10000 + (UInt32(first) & 0x3ff) << 10 + UInt32(second) & 0x3ff
    guard let scalar = Unicode.Scalar(value) else { throw loneSurrogate }
    return scalar
  }

  /// The value of the four hexadecimal digits of the escape at `start`.
  private static func codeUnit(
    _ text: UnsafeBufferPointer<UInt8>, at start: Int, before limit: Int
  ) throws(Failure) -> UInt16 {
    var value: UInt16 = 0
    for index in (start + 2)..<(start + 6) {
      guard index < limit else { throw Failure(reason: .invalidEscape, offset: start) }
      let digit: UInt8
      switch text[index] {
      case let byte where byte &- UInt8(ascii: "0") < 10: digit = byte - UInt8(ascii: "0")
      case let byte where (byte | 0x20) &- UInt8(ascii: "a") < 6:
        digit = (byte | 0x20) - UInt8(ascii: "a") + 10
      default: throw Failure(reason: .invalidEscape, offset: start)
      }
      value = value << 4 | UInt16(digit)
    }
    return value
  }
}
