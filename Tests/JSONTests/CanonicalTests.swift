import JSON
import Testing

@Suite("Bytes that stand for a value")
struct CanonicalTests {
  private static func bytes(_ text: String) throws -> [UInt8] {
    try JSONReader.parse(Array(text.utf8)).canonicalBytes
  }

  @Test(arguments: [
    (#"{"a":1,"b":[true,null]}"#, #" { "b" : [ true , null ] , "a" : 1.0 } "#),
    ("100", "1e2"), ("0", "-0.0"), ("0.5", "5E-1"), (#""a/é""#, #""\u0061\/\u00e9""#),
    ("123456789012345678901234567890", "1.2345678901234567890123456789e29"),
  ])
  func `are the same however it is spelt`(left: String, right: String) throws {
    #expect(try Self.bytes(left) == Self.bytes(right))
  }

  @Test func `are different for different values`() throws {
    let texts = [
      "null", "true", "false", "0", "1", "-1", "10", "0.1", "0.10000000000000000001", "\"\"",
      "\"1\"", "\"é\"", "\"e\u{301}\"", "[]", "[[]]", "[[],[]]", "[1,2]", "[12]", "[2,1]", "{}",
      #"{"a":1}"#, #"{"a":"1"}"#, #"{"a":null}"#, #"["a",1]"#, #"{"a":{"b":1}}"#,
      #"{"a":{},"b":1}"#, #"["ab"]"#, #"["a","b"]"#, #"["a\"1:b"]"#,
    ]
    let all = try texts.map(Self.bytes)
    #expect(Set(all).count == texts.count)
  }
}
