/// Scans numbers by the grammar of RFC 8259, section 6, and the limits of size.
enum NumberScanner {
  /// The range of the number that begins at `start`, which must be within the text.
  static func scan(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int
  ) throws(Failure) -> Range<Int> {
    var position = start
    if text[position] == UInt8(ascii: "-") { position += 1 }

    let whole = digits(text, from: position)
    guard !whole.isEmpty else { throw invalid(text, at: position) }
    if text[whole.lowerBound] == UInt8(ascii: "0"), whole.count > 1 {
      throw Failure(reason: .invalidNumber, offset: position)
    }
    position = whole.upperBound

    if position < text.count, text[position] == UInt8(ascii: ".") {
      let fraction = digits(text, from: position + 1)
      guard !fraction.isEmpty else { throw invalid(text, at: position + 1) }
      position = fraction.upperBound
    }

    var exponent: Range<Int>?
    if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < text.count, "+-".utf8.contains(text[position]) { position += 1 }
      let written = digits(text, from: position)
      guard !written.isEmpty else { throw invalid(text, at: position) }
      exponent = written
      position = written.upperBound
    }

    guard position - start <= JSONReader.maximumNumberLength else {
      throw Failure(
        reason: .numberTooLong(limit: JSONReader.maximumNumberLength), offset: start)
    }
    // A number of up to 300 digits without an exponent is always finite.
    if exponent != nil || whole.count > 300 {
      let written = String(decoding: text[start..<position], as: UTF8.self)
      let significant = exponent.map { text[$0].drop { $0 == UInt8(ascii: "0") }.count } ?? 0
      guard significant <= 6, let value = Double(written), value.isFinite else {
        throw Failure(reason: .numberOutOfRange, offset: start)
      }
    }
    return start..<position
  }

  private static func digits(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Range<Int> {
    var end = start
    while end < text.count, text[end] &- UInt8(ascii: "0") < 10 { end += 1 }
    return start..<end
  }

  private static func invalid(_ text: UnsafeBufferPointer<UInt8>, at offset: Int) -> Failure {
    Failure(reason: offset < text.count ? .invalidNumber : .unexpectedEnd, offset: offset)
  }
}
