import JSON
import Testing

/// What the reader takes, and as what.
@Suite struct AcceptedTextTests {
  @Test(
    arguments: [
      ("null", nil), ("true", true), ("false", false), (" \t\r\n null \t\r\n", nil),
      ("0", 0), ("-0", 0), ("7", 7), ("-123", -123),
      ("9223372036854775807", 9_223_372_036_854_775_807),
      ("\"\"", ""), ("\"a\"", "a"), ("[]", []), ("{}", [:]), (" [ ] ", []), (" { } ", [:]),
      ("[1,2,3]", [1, 2, 3]), ("[ 1 , 2 ]", [1, 2]), ("[[],[[]]]", [[], [[]]]),
      ("[null,true,\"x\",{}]", [nil, true, "x", [:]]),
      ("{\"a\":1}", ["a": 1]), ("{ \"a\" : 1 , \"b\" : [ ] }", ["a": 1, "b": []]),
      ("{\"\":0}", ["": 0]), ("{\"a\":{\"a\":{\"a\":1}}}", ["a": ["a": ["a": 1]]]),
      ("{\"from\":3,\"to\":0}", ["from": 3, "to": 0]),
    ] as [(String, JSONValue)])
  func `a valid text is read as its value`(text: String, expected: JSONValue) throws {
    #expect(try JSONReader.parse(Array(text.utf8)) == expected)
  }

  @Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
    (#""\u0041\u00e9\u20AC""#, "A\u{e9}\u{20ac}"),
    (#""\ud83d\ude00\uDBFF\uDFFF""#, "\u{1f600}\u{10ffff}"),
    (#""x\u0001y""#, "x\u{1}y"), (#""\\u0000""#, "\\u0000"), (#""\u005cn""#, "\\n"),
    (
      "\"\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}\"",
      "\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}"
    ),
    ("\"\u{2028}\u{2029}\u{feff}\"", "\u{2028}\u{2029}\u{feff}"),
    (#""é\né""#, "é\né"),
    ("\"e\u{301}\"", "e\u{301}"),
  ])
  func `a string is read code point by code point`(text: String, expected: String) throws {
    guard case .string(let read) = try JSONReader.parse(Array(text.utf8)) else {
      Issue.record("no string")
      return
    }
    #expect(Array(read.unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test(arguments: [
    "0", "-0", "0.0", "1.5", "-1.25", "1e0", "1E5", "1e+5", "1e-5", "1.0e00005", "0e999999",
    "1e308", "1e-400", "123456789012345678901234567890", "0.1000000000000000055511151231257827",
    String(repeating: "9", count: 308), "0." + String(repeating: "0", count: 990) + "1",
  ])
  func `a number keeps the text it was written in`(text: String) throws {
    guard case .number(let number) = try JSONReader.parse(Array(text.utf8)) else {
      Issue.record("no number")
      return
    }
    #expect(number.text == text)
    #expect(number.double.isFinite)
  }

  @Test func `members keep their order`() throws {
    let keys = (0..<100).map { "key \(($0 * 37) % 100)" }
    let text = "{" + keys.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
    guard case .object(let object) = try JSONReader.parse(Array(text.utf8)) else {
      Issue.record("no object")
      return
    }
    #expect(object.members.map(\.key) == keys)
  }

  @Test func `keys that differ in code points alone are two`() throws {
    let text = "{\"\u{e9}\":1,\"e\u{301}\":2}"
    guard case .object(let object) = try JSONReader.parse(Array(text.utf8)) else {
      Issue.record("no object")
      return
    }
    #expect(object["\u{e9}"] == 1)
    #expect(object["e\u{301}"] == 2)
  }

  @Test(arguments: [1, 63, 64])
  func `nesting is taken up to the limit`(depth: Int) throws {
    let arrays = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    _ = try JSONReader.parse(Array(arrays.utf8))
    let objects =
      String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
    _ = try JSONReader.parse(Array(objects.utf8))
  }

  @Test func `siblings do not count as depth`() throws {
    let text = "[" + Array(repeating: "[{}]", count: 1_000).joined(separator: ",") + "]"
    _ = try JSONReader.parse(Array(text.utf8), maximumDepth: 3)
  }
}
