/// What the header fields say of the body's framing and of the connection (RFC 9112 §6, §9).
struct Framing {
  private(set) var contentLength: Int?
  private(set) var expectsContinue = false
  private(set) var closes = false
  private(set) var keepsAlive = false
  private(set) var host: Int?
  /// A field that is no list and was sent more than once.
  private(set) var repeated: StaticString?
  private var seen = SingleField.Names()
  private var codings: [ArraySlice<UInt8>] = []
  private var hasTransferEncoding = false

  var isChunked: Bool { hasTransferEncoding }

  /// Takes in one line; the fields that don't matter here are told by the length of their name.
  mutating func read(_ fields: Fields, _ index: Int) throws(RequestFault) {
    let line = fields.lines[index]
    if let single = SingleField(of: line, in: fields), !seen.insert(single.names).inserted {
      repeated = single.name
    }
    switch line.nameEnd - line.nameStart {
    case 4 where fields.matches(line, "host"):
      guard host == nil else { throw .repeatedHost }
      guard Host.isValid(fields.bytes, line.value) else { throw .malformedHost }
      host = index
    case 6 where fields.matches(line, "expect"):
      guard equal(fields.bytes[line.value], "100-continue") else { throw .unknownExpectation }
      expectsContinue = true
    case 10 where fields.matches(line, "connection"):
      for option in elements(fields.bytes[line.value]) {
        if equal(option, "close") { closes = true }
        if equal(option, "keep-alive") { keepsAlive = true }
      }
    case 14 where fields.matches(line, "content-length"):
      try readContentLength(fields.bytes[line.value])
    case 17 where fields.matches(line, "transfer-encoding"):
      hasTransferEncoding = true
      codings += elements(fields.bytes[line.value])
    default: break
    }
  }

  /// The rules that need the whole section.
  func check(_ version: Version) throws(RequestFault) {
    if host == nil, version == .http11 { throw .missingHost }
    guard hasTransferEncoding else { return }
    // Both at once, or chunked in 1.0, is how one request is passed off as two.
    guard contentLength == nil, version == .http11 else { throw .conflictingFraming }
    var chunkedCount = 0
    for coding in codings {
      guard !coding.isEmpty, coding.allSatisfy(ByteSet.token.contains) else {
        throw .malformedTransferEncoding
      }
      if equal(coding, "chunked") { chunkedCount += 1 }
    }
    guard chunkedCount == 1, let last = codings.last, equal(last, "chunked") else {
      throw .malformedTransferEncoding
    }
    guard codings.count == 1 else { throw .unsupportedTransferEncoding }
  }

  private mutating func readContentLength(_ value: ArraySlice<UInt8>) throws(RequestFault) {
    guard contentLength == nil, !value.isEmpty, value.allSatisfy(\.isDigit) else {
      throw .malformedContentLength
    }
    var length = 0
    for byte in value {
      let (tens, overflows) = length.multipliedReportingOverflow(by: 10)
      let (sum, overflowsToo) = tens.addingReportingOverflow(Int(byte &- 0x30))
      if overflows || overflowsToo { throw .contentLengthTooLarge }
      length = sum
    }
    contentLength = length
  }

  /// The elements of a comma-separated list, without the blanks around them.
  private func elements(_ value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    value.split(separator: 0x2C, omittingEmptySubsequences: false).map { element in
      var element = element
      while let first = element.first, first == .space || first == .tab { element.removeFirst() }
      while let last = element.last, last == .space || last == .tab { element.removeLast() }
      return element
    }
  }

  /// Whether the bytes are those of `lowercase`, without regard to ASCII case.
  private func equal(_ bytes: ArraySlice<UInt8>, _ lowercase: StaticString) -> Bool {
    lowercase.withUTF8Buffer { expected in
      bytes.count == expected.count
        && zip(bytes, expected).allSatisfy { $0.lowercasedASCII == $1 }
    }
  }
}
