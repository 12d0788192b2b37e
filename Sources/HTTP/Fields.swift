/// Header fields in order. Names compare without regard to ASCII case.
///
/// All lines share one byte array: reading a request creates no strings, and writing a response copies its fields at
/// once.
package struct Fields: Sendable {
  /// One line as offsets into `bytes`.
  struct Line: Sendable {
    var nameStart: UInt32
    var nameEnd: UInt32
    var valueStart: UInt32
    var valueEnd: UInt32

    var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
    var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
  }

  var bytes: [UInt8] = []
  var lines: [Line] = []
  /// Whether `append` added a field that only the server may write.
  private(set) var hasServerFields = false

  package init() {}

  init(bytes: [UInt8], lines: [Line]) {
    self.bytes = bytes
    self.lines = lines
  }

  package var count: Int { lines.count }

  /// The first value of the name, with invalid UTF-8 repaired.
  package subscript(name: String) -> String? {
    guard let line = firstLine(named: name) else { return nil }
    return text(line.value)
  }

  /// Calls the closure with the bytes of the name's first value. Nil if there is none.
  package func withValue<Value>(
    _ name: String, _ body: (UnsafeBufferPointer<UInt8>) -> Value
  ) -> Value? {
    guard let line = firstLine(named: name) else { return nil }
    return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[line.value])) }
  }

  /// The values of all lines with the name, in order.
  package func values(_ name: String) -> [String] {
    lines.filter { matches($0, name) }.map { text($0.value) }
  }

  /// The values of all lines with the name, joined by commas (RFC 9110 §5.3). Nil if there are none.
  package func list(_ name: String) -> String? {
    guard firstLine(named: name) != nil else { return nil }
    return values(name).joined(separator: ", ")
  }

  /// All names, as written, and values, in order.
  package var all: [(name: String, value: String)] {
    lines.map { (text($0.name), text($0.value)) }
  }

  /// Adds a line. Control characters in the value become spaces, except tabs. Does nothing if the name is not a `token`
  /// (RFC 9110 §5.6.2).
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

  private func firstLine(named name: String) -> Line? {
    for line in lines where matches(line, name) { return line }
    return nil
  }

  /// Whether the field describes the framing or the connection, which only the server knows.
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

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}

extension Fields: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    self.init()
    for (name, value) in elements { append(name, value) }
  }
}
