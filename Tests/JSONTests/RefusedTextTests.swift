import JSON
import Testing

/// What the reader refuses, why, and where.
@Suite struct RefusedTextTests {
  typealias Refusal = (text: String, reason: JSONSyntaxError.Reason, offset: Int)

  private func refusal(_ bytes: [UInt8], maximumDepth: Int = 64) -> JSONSyntaxError? {
    do throws(JSONSyntaxError) {
      _ = try JSONReader.parse(bytes, maximumDepth: maximumDepth)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    arguments: [
      ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("[", .unexpectedEnd, 1),
      ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3), ("{", .unexpectedEnd, 1),
      ("{\"a\"", .unexpectedEnd, 4), ("{\"a\":", .unexpectedEnd, 5),
      ("{\"a\":1", .unexpectedEnd, 6), ("{\"a\":1,", .unexpectedEnd, 7),
      ("tru", .unexpectedEnd, 3), ("nul", .unexpectedEnd, 3), ("\"a", .unexpectedEnd, 2),
      ("\"a\\", .unexpectedEnd, 3), ("\"a\\\"", .unexpectedEnd, 4), ("-", .unexpectedEnd, 1),
      ("1.", .unexpectedEnd, 2), ("1e", .unexpectedEnd, 2), ("1e+", .unexpectedEnd, 3),
    ] as [Refusal])
  func `a text that ends too early is refused at its end`(_ refused: Refusal) throws {
    let error = try #require(refusal(Array(refused.text.utf8)))
    #expect(error.reason == refused.reason)
    #expect(error.offset == refused.offset)
  }

  @Test(
    arguments: [
      ("x", .expectedValue, 0), ("]", .expectedValue, 0), (",", .expectedValue, 0),
      ("True", .expectedValue, 0), ("trux", .expectedValue, 0), ("NaN", .expectedValue, 0),
      ("Infinity", .expectedValue, 0), ("undefined", .expectedValue, 0), ("'a'", .expectedValue, 0),
      ("+1", .expectedValue, 0), (".5", .expectedValue, 0), ("[1,]", .expectedValue, 3),
      ("[,1]", .expectedValue, 1), ("[1,,2]", .expectedValue, 3), ("/* */ 1", .expectedValue, 0),
      ("\u{a0}1", .expectedValue, 0), ("\u{c}1", .expectedValue, 0),
      ("{\"a\":}", .expectedValue, 5), ("{\"a\"::1}", .expectedValue, 5),
      ("{a:1}", .expectedKey, 1), ("{1:1}", .expectedKey, 1), ("{,}", .expectedKey, 1),
      ("{\"a\":1,}", .expectedKey, 7), ("{'a':1}", .expectedKey, 1), ("{null:1}", .expectedKey, 1),
      ("{\"a\" 1}", .expectedColon, 5), ("{\"a\",1}", .expectedColon, 4),
      ("{\"a\"=1}", .expectedColon, 4), ("{\"a\"}", .expectedColon, 4),
      ("[1 2]", .expectedCommaOrBracket, 3), ("[1}", .expectedCommaOrBracket, 2),
      ("[1:2]", .expectedCommaOrBracket, 2), ("[\"a\" \"b\"]", .expectedCommaOrBracket, 5),
      ("{\"a\":1 \"b\":2}", .expectedCommaOrBrace, 7), ("{\"a\":1]", .expectedCommaOrBrace, 6),
      ("1 2", .trailingBytes, 2), ("{}}", .trailingBytes, 2), ("[]]", .trailingBytes, 2),
      ("truex", .trailingBytes, 4), ("null,", .trailingBytes, 4), ("1 // one", .trailingBytes, 2),
      ("{}\u{0}", .trailingBytes, 2), ("1a", .trailingBytes, 1), ("0x10", .trailingBytes, 1),
      ("\u{feff}{}", .byteOrderMark, 0),
    ] as [Refusal])
  func `a text out of the grammar is refused where it leaves it`(_ refused: Refusal) throws {
    let error = try #require(refusal(Array(refused.text.utf8)))
    #expect(error.reason == refused.reason)
    #expect(error.offset == refused.offset)
  }

  @Test(
    arguments: [
      ("01", .invalidNumber, 0), ("-01", .invalidNumber, 1), ("00", .invalidNumber, 0),
      ("1.x", .invalidNumber, 2), ("[1.]", .invalidNumber, 3), ("1.e5", .invalidNumber, 2),
      ("[-]", .invalidNumber, 2), ("--1", .invalidNumber, 1), ("-x", .invalidNumber, 1),
      ("[1e]", .invalidNumber, 3), ("1ee5", .invalidNumber, 2), ("1e5.5", .trailingBytes, 3),
      ("1_000", .trailingBytes, 1), ("1.2.3", .trailingBytes, 3), ("-Infinity", .invalidNumber, 1),
      ("1e400", .numberOutOfRange, 0), ("[-1e400]", .numberOutOfRange, 1),
      ("1e9999999", .numberOutOfRange, 0), ("1e-9999999", .numberOutOfRange, 0),
      ("1e99999999999999999999999", .numberOutOfRange, 0),
      ("1" + String(repeating: "0", count: 309), .numberOutOfRange, 0),
      ("0." + String(repeating: "0", count: 999), .numberTooLong(limit: 1_000), 0),
      (String(repeating: "1", count: 100_000), .numberTooLong(limit: 1_000), 0),
    ] as [Refusal])
  func `a number that is none, or too much of one, is refused`(_ refused: Refusal) throws {
    let error = try #require(refusal(Array(refused.text.utf8)))
    #expect(error.reason == refused.reason)
    #expect(error.offset == refused.offset)
  }

  @Test(
    arguments: [
      (#""\ud800""#, .loneSurrogate, 1), (#""\udc00""#, .loneSurrogate, 1),
      (#""a\ud800b""#, .loneSurrogate, 2), (#""\ud800\n""#, .loneSurrogate, 1),
      (#""\ud800\ud800""#, .loneSurrogate, 1), (#""\ud800\u0041""#, .loneSurrogate, 1),
      (#""\ude00\ud83d""#, .loneSurrogate, 1), (#"{"\udfff":1}"#, .loneSurrogate, 2),
      (#""\u0000""#, .nul, 1), (#""a\u0000""#, .nul, 2), (#"{"\u0000":1}"#, .nul, 2),
      ("\"\u{0}\"", .nul, 1), ("\"\u{1}\"", .controlCharacter(1), 1),
      ("\"a\nb\"", .controlCharacter(10), 2), ("\"\t\"", .controlCharacter(9), 1),
      ("\"\u{1f}\"", .controlCharacter(31), 1),
      (#""\x41""#, .invalidEscape, 1), (#""\a""#, .invalidEscape, 1), (#""\'""#, .invalidEscape, 1),
      (#""\u12""#, .invalidEscape, 1), (#""\u12g4""#, .invalidEscape, 1),
      (#""\U0041""#, .invalidEscape, 1),
      (#""\u+123""#, .invalidEscape, 1), (#""\ud800\u12""#, .invalidEscape, 7),
      ("\"\\\n\"", .invalidEscape, 1), ("\"\\é\"", .invalidEscape, 1),
    ] as [Refusal])
  func `a string with what no text may hold is refused`(_ refused: Refusal) throws {
    let error = try #require(refusal(Array(refused.text.utf8)))
    #expect(error.reason == refused.reason)
    #expect(error.offset == refused.offset)
  }

  @Test(
    arguments: [
      [0x80], [0xbf], [0xc0, 0x80], [0xc1, 0xbf], [0xc3], [0xe0, 0x80, 0x80], [0xe2, 0x82],
      [0xed, 0xa0, 0x80], [0xf0, 0x80, 0x80, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xf5], [0xff],
      [0xfe],
    ] as [[UInt8]])
  func `bytes that are no UTF-8 are refused where they begin`(wrong: [UInt8]) throws {
    let quote = UInt8(ascii: "\"")
    let prefix = Array("é\\n".utf8)
    let error = try #require(refusal([quote] + prefix + wrong + [quote]))
    #expect(error.reason == .invalidUTF8)
    #expect(error.offset == 1 + prefix.count)
    let key = try #require(refusal(Array("{\"".utf8) + wrong + Array("\":1}".utf8)))
    #expect(key.reason == .invalidUTF8)
    #expect(refusal(wrong)?.reason == .expectedValue)
  }

  @Test(arguments: [
    (#"{"a":1,"a":1}"#, "a", "/a", 7),
    (#"{"a":1,"b":2,"\u0061":3}"#, "a", "/a", 13),
    (#"{"é":1,"\u00e9":1}"#, "é", "/é", 8),
    (#"{"rows":[0,{"a/b":{"~":1,"~":2}}]}"#, "~", "/rows/1/a~1b/~0", 25),
    (#"{"":1,"":2}"#, "", "/", 6),
  ])
  func `a duplicate key is refused with its pointer`(
    text: String, key: String, pointer: String, offset: Int
  ) throws {
    let error = try #require(refusal(Array(text.utf8)))
    let expected = try #require(JSONPointer(text: pointer))
    #expect(error.reason == .duplicateKey(key, pointer: expected))
    #expect(error.offset == offset)
  }

  @Test(arguments: [2, 15, 16, 17, 18, 100, 20_000])
  func `a duplicate key is found in an object of any size`(count: Int) throws {
    for repeated in [0, count / 2, count - 1] {
      let keys = (0..<count).map(String.init) + ["\(repeated)"]
      let text = "{" + keys.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
      let error = try #require(refusal(Array(text.utf8)))
      #expect(
        error.reason
          == .duplicateKey("\(repeated)", pointer: JSONPointer(tokens: ["\(repeated)"])))
    }
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":"], [65, 10_000, 1_000_000])
  func `nesting too deep is refused, however deep it is`(opening: String, depth: Int) throws {
    let text = String(repeating: opening, count: depth)
    #expect(refusal(Array(text.utf8))?.reason == .tooDeep(limit: 64))
    #expect(refusal(Array(text.utf8), maximumDepth: 2)?.reason == .tooDeep(limit: 2))
    if depth > JSONReader.deepest {
      #expect(
        refusal(Array(text.utf8), maximumDepth: .max)?.reason
          == .tooDeep(limit: JSONReader.deepest))
    }
  }

  @Test(arguments: [
    ("x", 1, 1), ("[1,\n 2,\n  x]", 3, 3), ("[\"é😀\", x]", 1, 8), ("[\r\n\tx", 2, 2),
    ("{\"a\":1,\n\"a\":2}", 2, 1), ("[1,\n", 2, 1),
  ])
  func `an error has its line and column`(text: String, line: Int, column: Int) throws {
    let error = try #require(refusal(Array(text.utf8)))
    #expect(error.line == line)
    #expect(error.column == column)
  }

  @Test(arguments: [1, 2, 3, UInt64.random(in: 0 ... .max)])
  func `no bytes at all crash the reader`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let alphabet = Array("{}[]\",:\\u0d8e-+.tfn \n\u{e9}".utf8) + [0, 0x80, 0xff]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0..<24, using: &random)
      let bytes = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      if let error = refusal(bytes) { #expect((0...bytes.count).contains(error.offset)) }
    }
  }
}
