/// The first error in a JSON text.
package struct JSONSyntaxError: Error, Sendable, Equatable {
  package enum Reason: Sendable, Equatable {
    case unexpectedEnd
    case expectedValue
    case expectedKey
    case expectedColon
    case expectedCommaOrBracket
    case expectedCommaOrBrace
    /// Something other than white space follows the value.
    case trailingBytes
    case byteOrderMark
    case invalidNumber
    case numberTooLong(limit: Int)
    /// The number is infinite as a Double, or its exponent has more than six digits.
    case numberOutOfRange
    case controlCharacter(UInt8)
    /// U+0000, written directly or as an escape.
    case nul
    case invalidEscape
    case loneSurrogate
    case invalidUTF8
    /// `pointer` refers to the repeated member.
    case duplicateKey(String, pointer: JSONPointer)
    case tooDeep(limit: Int)
  }

  package let reason: Reason
  /// The error's place in bytes from the start of the text.
  package let offset: Int
  /// The line, from 1. LF ends a line.
  package let line: Int
  /// The column in code points, from 1.
  package let column: Int

  init(reason: Reason, offset: Int, in text: UnsafeBufferPointer<UInt8>) {
    self.reason = reason
    self.offset = offset
    var line = 1
    var column = 1
    for byte in text.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0b1100_0000 != 0b1000_0000 {
        column += 1
      }
    }
    self.line = line
    self.column = column
  }
}

extension JSONSyntaxError.Reason {
  /// The error text for the sender.
  package var sentence: String {
    switch self {
    case .unexpectedEnd: "The text ends in the middle of a value."
    case .expectedValue: "A value is expected here."
    case .expectedKey: "A member's name in double quotes is expected here."
    case .expectedColon: "A colon is expected here."
    case .expectedCommaOrBracket: "A comma or a closing bracket is expected here."
    case .expectedCommaOrBrace: "A comma or a closing brace is expected here."
    case .trailingBytes: "The text continues after the value."
    case .byteOrderMark: "The text begins with a byte order mark."
    case .invalidNumber: "This is not a JSON number."
    case .numberTooLong(let limit): "A number has more than \(limit) characters."
    case .numberOutOfRange: "A number is out of range."
    case .controlCharacter(let byte):
      "A string contains the control character \(Self.codePoint(byte)) without an escape."
    case .nul: "A string contains the character U+0000."
    case .invalidEscape: "A string contains an unknown escape."
    case .loneSurrogate: "A string contains half of a surrogate pair."
    case .invalidUTF8: "A string is not valid UTF-8."
    case .duplicateKey(let key, let pointer):
      "The member \"\(key)\" is given twice in its object (\(pointer.text))."
    case .tooDeep(let limit): "Arrays and objects are nested more than \(limit) deep."
    }
  }

  private static func codePoint(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

extension JSONSyntaxError: CustomStringConvertible {
  package var description: String { "line \(line), column \(column): \(reason.sentence)" }
}
