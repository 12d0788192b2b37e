/// The parts of a request target, as ranges of the head's bytes (RFC 9112 §3.2).
struct Target {
  var path: Range<Int>
  var query: Range<Int>?
  /// The host and port of an absolute target, which replace the Host field.
  var authority: Range<Int>?
  var isAboutServer = false

  /// A target that was refused: what is before a question mark, as a path.
  init(refused range: Range<Int>, in bytes: [UInt8]) {
    path = range.lowerBound..<(bytes[range].firstIndex(of: 0x3F) ?? range.upperBound)
  }

  /// Parses the target of any method except CONNECT: origin form, absolute form, or asterisk for OPTIONS.
  init(_ bytes: [UInt8], _ range: Range<Int>, method: Method) throws(RequestFault) {
    let first = bytes[range.lowerBound]
    if first == 0x2F {
      path = range
    } else if first == 0x2A, range.count == 1, method == .options {
      path = range.lowerBound..<range.lowerBound
      isAboutServer = true
      return
    } else {
      let authority = try Target.authority(bytes, range)
      self.authority = authority
      path = authority.upperBound..<range.upperBound
    }
    for index in path where !ByteSet.path.contains(bytes[index]) {
      guard bytes[index] == 0x3F else { throw .malformedTarget }
      query = (index + 1)..<path.upperBound
      path = path.lowerBound..<index
      break
    }
    if let query {
      for index in query where !ByteSet.query.contains(bytes[index]) { throw .malformedTarget }
    }
    // An absolute target without a path is the proxy form of `OPTIONS *` (RFC 9112 §3.2.4).
    if path.isEmpty, query == nil, method == .options { isAboutServer = true }
    try Target.check(bytes, path)
  }

  /// The authority of an absolute target, which starts with "http://" or "https://".
  private static func authority(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(RequestFault) -> Range<Int> {
    var index = range.lowerBound
    for expected in "http".utf8 {
      guard index < range.upperBound, bytes[index].lowercasedASCII == expected else {
        throw .malformedTarget
      }
      index += 1
    }
    if index < range.upperBound, bytes[index].lowercasedASCII == 0x73 { index += 1 }
    for expected in "://".utf8 {
      guard index < range.upperBound, bytes[index] == expected else { throw .malformedTarget }
      index += 1
    }
    let start = index
    while index < range.upperBound, bytes[index] != 0x2F, bytes[index] != 0x3F { index += 1 }
    guard Host.isValid(bytes, start..<index) else { throw .malformedTarget }
    return start..<index
  }

  /// Refuses paths that two programs could read differently.
  private static func check(_ bytes: [UInt8], _ path: Range<Int>) throws(RequestFault) {
    var start = path.lowerBound
    var mayBeAmbiguous = false
    for index in path {
      let byte = bytes[index]
      if byte == 0x25 || byte == 0x2E { mayBeAmbiguous = true }
      if byte == 0x2F || index == path.upperBound - 1 {
        let end = byte == 0x2F ? index : index + 1
        if mayBeAmbiguous {
          guard let segment = PercentEncoding.decode(bytes[start..<end]),
            segment != ".", segment != "..", !segment.utf8.contains(0x2F)
          else { throw .ambiguousPath }
        }
        mayBeAmbiguous = false
        start = index + 1
      }
    }
  }
}
