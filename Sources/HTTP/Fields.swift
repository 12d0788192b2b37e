/// Header fields in order; names compare without regard to ASCII case.
///
/// All lines share one array of bytes, so that reading a request makes no string for each field, and writing an
/// answer copies its fields in one piece.
package struct Fields: Sendable {
  /// One line as positions in `bytes`.
  struct Line: Sendable {
    var nameStart: UInt32
    var nameEnd: UInt32
    var valueStart: UInt32
    var valueEnd: UInt32

    var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
    var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
  }

  var bytes: [UInt8]
  var lines: [Line]
  /// Whether a line was appended whose field is the server's own to write.
  private(set) var hasServerFields = false

  package init() {
    bytes = []
    lines = []
  }

  init(bytes: [UInt8], lines: [Line]) {
    self.bytes = bytes
    self.lines = lines
  }

  package var count: Int { lines.count }

  /// How many lines are of that name.
  package func count(of name: String) -> Int { lines.count { matches($0, name) } }

  /// The first value of that name; bytes that are not UTF-8 are repaired.
  package subscript(name: String) -> String? {
    guard let line = firstLine(named: name) else { return nil }
    return text(line.value)
  }

  /// Calls the body with the bytes of the first value of that name; nil if there is none.
  package func withValue<Value>(
    _ name: String, _ body: (UnsafeBufferPointer<UInt8>) -> Value
  ) -> Value? {
    guard let line = firstLine(named: name) else { return nil }
    return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[line.value])) }
  }

  /// The values of every line of that name, in order.
  package func values(_ name: String) -> [String] {
    var values: [String] = []
    for line in lines where matches(line, name) { values.append(text(line.value)) }
    return values
  }

  /// The values of every line of that name as one list (RFC 9110 §5.3); nil if there is none.
  package func list(_ name: String) -> String? {
    guard let first = self[name] else { return nil }
    guard count(of: name) > 1 else { return first }
    return values(name).joined(separator: ", ")
  }

  /// Names as they were written and values, in order.
  package var all: [(name: String, value: String)] {
    lines.map { (text($0.name), text($0.value)) }
  }

  /// Adds a line; CR, LF and NUL in the value become spaces, and a name that is no token adds nothing.
  package mutating func append(_ name: String, _ value: String) {
    let start = bytes.count
    bytes.append(contentsOf: name.utf8)
    let nameEnd = bytes.count
    guard nameEnd > start, bytes[start..<nameEnd].allSatisfy(ByteSet.token.contains) else {
      bytes.removeSubrange(start...)
      return
    }
    bytes.append(0x3A)
    bytes.append(.space)
    let valueStart = bytes.count
    bytes.append(contentsOf: value.utf8)
    let valueEnd = bytes.count
    for index in valueStart..<valueEnd where !bytes[index].isFieldValueByte {
      bytes[index] = .space
    }
    bytes.append(.carriageReturn)
    bytes.append(.lineFeed)
    let line = Line(
      nameStart: UInt32(start), nameEnd: UInt32(nameEnd),
      valueStart: UInt32(valueStart), valueEnd: UInt32(valueEnd))
    lines.append(line)
    if isServerField(line) { hasServerFields = true }
  }

  func firstLine(named name: String) -> Line? {
    for line in lines where matches(line, name) { return line }
    return nil
  }

  /// Whether the line's field describes the framing or the connection, which only the server knows.
  func isServerField(_ line: Line) -> Bool {
    switch line.nameEnd - line.nameStart {
    case 4: matches(line, "date")
    case 10: matches(line, "connection") || matches(line, "keep-alive")
    case 14: matches(line, "content-length")
    case 17: matches(line, "transfer-encoding")
    default: false
    }
  }

  func matches(_ line: Line, _ name: String) -> Bool {
    let start = Int(line.nameStart)
    let length = Int(line.nameEnd) - start
    guard name.utf8.count == length else { return false }
    var position = start
    for byte in name.utf8 {
      if byte.lowercasedASCII != bytes[position].lowercasedASCII { return false }
      position += 1
    }
    return true
  }

  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}

extension Fields: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    self.init()
    for (name, value) in elements { append(name, value) }
  }
}
