/// A strict reader of RFC 8259 JSON in UTF-8.
///
/// It also refuses input that programs read differently: duplicate keys, lone surrogates, U+0000, a byte order mark,
/// and numbers that are infinite as a Double, have more than 1,000 characters, or an exponent of more than six
/// digits.
package struct JSONReader {
  /// The largest length of a number, in characters.
  package static let maximumNumberLength = 1_000
  /// The largest nesting depth. The reader recurses; 512 levels take under 128 KiB of stack in a release build.
  package static let deepest = 512

  private let text: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var depth = 0
  private let maximumDepth: Int

  /// Parses a whole text. Throws `tooDeep` past `maximumDepth` levels, which is at most `deepest`.
  package static func parse(
    _ bytes: [UInt8], maximumDepth: Int = 64
  ) throws(JSONSyntaxError) -> JSONValue {
    try bytes.withUnsafeBufferPointer { (text) throws(JSONSyntaxError) in
      try parse(text, maximumDepth: maximumDepth)
    }
  }

  /// Parses bytes that the caller owns. The result does not refer to them.
  package static func parse(
    _ text: UnsafeBufferPointer<UInt8>, maximumDepth: Int = 64
  ) throws(JSONSyntaxError) -> JSONValue {
    var reader = JSONReader(text: text, maximumDepth: min(maximumDepth, deepest))
    do throws(Failure) {
      return try reader.document()
    } catch {
      throw JSONSyntaxError(reason: error.reason, offset: error.offset, in: text)
    }
  }

  private init(text: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
    self.text = text
    self.maximumDepth = maximumDepth
  }

  private mutating func document() throws(Failure) -> JSONValue {
    if text.starts(with: [0xef, 0xbb, 0xbf]) { throw failure(.byteOrderMark) }
    skipWhiteSpace()
    let result = try value()
    skipWhiteSpace()
    guard position == text.count else { throw failure(.trailingBytes) }
    return result
  }

  private mutating func value() throws(Failure) -> JSONValue {
    guard let first = peek else { throw failure(.unexpectedEnd) }
    switch first {
    case UInt8(ascii: "{"): return .object(try object())
    case UInt8(ascii: "["): return .array(try array())
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let range = try NumberScanner.scan(text, from: position)
      position = range.upperBound
      let written = UnsafeBufferPointer(rebasing: text[range])
      return .number(JSONNumber(checked: String(decoding: written, as: UTF8.self)))
    default: throw failure(.expectedValue)
    }
  }

  private mutating func literal(
    _ word: StaticString, _ value: JSONValue
  ) throws(Failure) -> JSONValue {
    for index in 0..<word.utf8CodeUnitCount {
      guard position + index < text.count else { throw failure(.unexpectedEnd, at: text.count) }
      guard text[position + index] == word.utf8Start[index] else { throw failure(.expectedValue) }
    }
    position += word.utf8CodeUnitCount
    return value
  }

  private mutating func array() throws(Failure) -> [JSONValue] {
    var elements: [JSONValue] = []
    guard try hasFirst(before: UInt8(ascii: "]")) else { return elements }
    repeat {
      do throws(Failure) {
        elements.append(try value())
      } catch {
        throw error.within(String(elements.count))
      }
    } while try hasNext(before: UInt8(ascii: "]"), or: .expectedCommaOrBracket)
    return elements
  }

  private mutating func object() throws(Failure) -> JSONObject {
    var object = JSONObject()
    guard try hasFirst(before: UInt8(ascii: "}")) else { return object }
    repeat {
      let start = position
      let key = try self.key()
      // Keys are compared unescaped, so that a second spelling of a key is found.
      if object.contains(key) {
        throw failure(.duplicateKey(key, pointer: JSONPointer()), at: start).within(key)
      }
      do throws(Failure) {
        object.append(newKey: key, try value())
      } catch {
        throw error.within(key)
      }
    } while try hasNext(before: UInt8(ascii: "}"), or: .expectedCommaOrBrace)
    return object
  }

  /// Reads the opening bracket. Returns false, and reads the closing one, if nothing is between them.
  private mutating func hasFirst(before end: UInt8) throws(Failure) -> Bool {
    guard depth < maximumDepth else { throw failure(.tooDeep(limit: maximumDepth)) }
    depth += 1
    position += 1
    skipWhiteSpace()
    guard peek == end else { return true }
    close()
    return false
  }

  /// Reads a comma and returns true, or the closing bracket and returns false. Throws `expected` for anything else.
  private mutating func hasNext(
    before end: UInt8, or expected: JSONSyntaxError.Reason
  ) throws(Failure) -> Bool {
    skipWhiteSpace()
    switch peek {
    case UInt8(ascii: ","):
      position += 1
      skipWhiteSpace()
      return true
    case end:
      close()
      return false
    case nil: throw failure(.unexpectedEnd)
    default: throw failure(expected)
    }
  }

  /// Reads a member's name, the colon and the white space after it.
  private mutating func key() throws(Failure) -> String {
    switch peek {
    case UInt8(ascii: "\""): break
    case nil: throw failure(.unexpectedEnd)
    default: throw failure(.expectedKey)
    }
    let key = try string()
    skipWhiteSpace()
    switch peek {
    case UInt8(ascii: ":"): position += 1
    case nil: throw failure(.unexpectedEnd)
    default: throw failure(.expectedColon)
    }
    skipWhiteSpace()
    return key
  }

  private mutating func string() throws(Failure) -> String {
    let (string, end) = try StringScanner.scan(text, from: position)
    position = end
    return string
  }

  private var peek: UInt8? { position < text.count ? text[position] : nil }

  private mutating func skipWhiteSpace() {
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        position += 1
      default: return
      }
    }
  }

  private mutating func close() {
    depth -= 1
    position += 1
  }

  private func failure(_ reason: JSONSyntaxError.Reason, at offset: Int? = nil) -> Failure {
    Failure(reason: reason, offset: offset ?? position)
  }
}

/// A syntax error inside the reader. If a key is duplicate, each enclosing array or object adds its index or key to the
/// front of the pointer.
struct Failure: Error {
  var reason: JSONSyntaxError.Reason
  var offset: Int

  func within(_ token: String) -> Failure {
    guard case .duplicateKey(let key, let pointer) = reason else { return self }
    let outer = JSONPointer(tokens: [token] + pointer.tokens)
    return Failure(reason: .duplicateKey(key, pointer: outer), offset: offset)
  }
}
