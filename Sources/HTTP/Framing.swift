/// The body's framing and the connection's options from the header fields (RFC 9112 §6, §9).
struct Framing {
  private(set) var contentLength: Int?
  private(set) var expectsContinue = false
  private(set) var closes = false
  private(set) var keepsAlive = false
  private(set) var host: Int?
  /// A field that may appear only once but appeared again.
  private(set) var repeated: StaticString?
  private(set) var isChunked = false
  /// A bit for each single field that has appeared.
  private var seen: UInt16 = 0
  private var codings: [ArraySlice<UInt8>] = []

  /// Reads one line. A switch on the name's length skips unrelated fields quickly.
  mutating func read(_ fields: Fields, _ index: Int) throws(RequestFault) {
    let line = fields.lines[index]
    if let single = SingleField(of: line, in: fields) {
      let bit: UInt16 = 1 << single.rawValue
      if seen & bit != 0 { repeated = single.name }
      seen |= bit
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
      isChunked = true
      codings += elements(fields.bytes[line.value])
    default: break
    }
  }

  /// Checks the rules that need all fields.
  func check(_ version: Version) throws(RequestFault) {
    if host == nil, version == .http11 { throw .missingHost }
    guard isChunked else { return }
    // Both fields, or chunked in HTTP/1.0, are used for request smuggling.
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
      if overflows || overflowsToo { throw .bodyTooLarge }
      length = sum
    }
    contentLength = length
  }

  /// The elements of a comma-separated list, trimmed of spaces and tabs.
  private func elements(_ value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    value.split(separator: 0x2C, omittingEmptySubsequences: false).map { element in
      var element = element
      while let first = element.first, first == .space || first == .tab { element.removeFirst() }
      while let last = element.last, last == .space || last == .tab { element.removeLast() }
      return element
    }
  }

  /// Whether the bytes equal `lowercase`, without regard to ASCII case.
  private func equal(_ bytes: ArraySlice<UInt8>, _ lowercase: StaticString) -> Bool {
    lowercase.withUTF8Buffer { expected in
      bytes.count == expected.count
        && zip(bytes, expected).allSatisfy { $0.lowercasedASCII == $1 }
    }
  }
}
