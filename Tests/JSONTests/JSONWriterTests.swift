import JSON
import Testing

/// The bytes that the writer makes.
@Suite struct JSONWriterTests {
  private func written(_ body: (inout JSONWriter) -> Void) -> String {
    // So small that it grows in the middle of things.
    var writer = JSONWriter(capacity: 1)
    body(&writer)
    let copy = writer.bytes
    #expect(writer.count == copy.count)
    #expect(writer.withBytes { Array($0) } == copy)
    #expect(writer.finish() == copy)
    return String(decoding: copy, as: UTF8.self)
  }

  @Test(
    arguments: [
      ([], ""), (Array("plain \"text\"".utf8), "plain \"text\""),
      (Array("Küche 🍴".utf8), "Küche 🍴"),
      ([0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0xFF], "abcdefgh\u{FFFD}"),
      ([0xC3, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68], "\u{FFFD}abcdefgh"),
    ] as [([UInt8], String)])
  func `unchecked text is written as UTF-8`(bytes: [UInt8], text: String) throws {
    let unchecked = written { writer in
      bytes.withUnsafeBufferPointer { writer.string(unchecked: $0) }
    }
    #expect(unchecked == written { $0.string(text) })
  }

  @Test func `commas are only between values`() {
    let text = written { writer in
      writer.beginObject()
      writer.key("empty")
      writer.beginArray()
      writer.endArray()
      writer.key("object")
      writer.beginObject()
      writer.endObject()
      writer.key("list")
      writer.beginArray()
      writer.int(1)
      writer.null()
      writer.bool(true)
      writer.bool(false)
      writer.string("x")
      writer.decimal(5 as Int64, places: 1)
      writer.uuid(0, 0)
      writer.raw(Array("{}".utf8))
      writer.beginArray()
      writer.endArray()
      writer.beginObject()
      writer.key("\("made at run time")\n")
      writer.value(["a": [1, nil]])
      writer.endObject()
      writer.endArray()
      writer.endObject()
    }
    let expected =
      #"{"empty":[],"object":{},"list":[1,null,true,false,"x",0.5,"#
      + #""00000000-0000-0000-0000-000000000000",{},[],"#
      + #"{"made at run time\n":{"a":[1,null]}}]}"#
    #expect(text == expected)
  }

  @Test(arguments: [
    ("", #""""#), ("plain", #""plain""#), ("a\"b", #""a\"b""#), ("\\", #""\\""#),
    ("\u{8}\u{9}\u{a}\u{c}\u{d}", #""\b\t\n\f\r""#), ("\u{0}\u{1}\u{1f}", #""\u0000\u0001\u001f""#),
    ("/\u{7f}", "\"/\u{7f}\""), ("\u{2028}\u{2029}", "\"\u{2028}\u{2029}\""),
    ("é€😀", "\"é€😀\""), ("12345678", #""12345678""#), ("1234567\"", #""1234567\"""#),
    ("\"2345678", #""\"2345678""#), ("1234567890123\n56", #""1234567890123\n56""#),
    ("!#$%&'()[]^", #""!#$%&'()[]^""#),
  ])
  func `a string escapes what it must`(text: String, expected: String) {
    #expect(written { $0.string(text) } == expected)
  }

  @Test(arguments: 0...127)
  func `each character is escaped or not at every place of a word`(code: Int) throws {
    let character = String(try #require(Unicode.Scalar(UInt32(code))))
    for place in 0..<17 {
      let text = String(repeating: "é", count: place / 2) + character + "0123456789"
      let json = written { $0.string(text) }
      let isEscaped = code < 0x20 || character == "\"" || character == "\\"
      #expect(json.contains("\\") == isEscaped)
      if code != 0 { #expect(try JSONReader.parse(Array(json.utf8)) == .string(text)) }
    }
  }

  @Test(arguments: [255, 256, 257, 511, 512, 513, 100_000])
  func `a long string is whole`(count: Int) throws {
    let text = String(repeating: "\"é\u{1}x", count: count / 5) + "\n"
    let json = written { $0.string(text) }
    #expect(try JSONReader.parse(Array(json.utf8)) == .string(text))
  }

  @Test(
    arguments: [
      (1250, 2, "12.5"), (100, 2, "1"), (1205, 2, "12.05"), (0, 2, "0"), (5, 2, "0.05"),
      (50, 2, "0.5"), (-5, 2, "-0.05"), (-1250, 2, "-12.5"), (-100, 2, "-1"), (1234, 0, "1234"),
      (1, 18, "0.000000000000000001"), (10, 18, "0.00000000000000001"),
      (1, 30, "0." + zeros(29) + "1"),
      (.max, 0, "9223372036854775807"), (.min, 0, "-9223372036854775808"),
      (.min, 2, "-92233720368547758.08"), (.max, 19, "0.9223372036854775807"),
      (99_999_999_999_999, 2, "999999999999.99"), (1000, 3, "1"), (1000, 2, "10"), (0, 0, "0"),
    ] as [(Int64, Int, String)])
  func `a decimal is exact and shortest`(units: Int64, places: Int, expected: String) {
    #expect(written { $0.decimal(units, places: places) } == expected)
    #expect(written { $0.decimal(Int128(units), places: places) } == expected)
    #expect(
      JSONNumber(text: expected)?.scaled(places: places) == (places > 18 ? nil : units)
        || places > 18)
  }

  private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

  @Test(arguments: [
    (Int128.max, 0, "170141183460469231731687303715884105727"),
    (Int128.min, 2, "-1701411834604692317316873037158841057.28"),
    (Int128(UInt64.max) + 1, 2, "184467440737095516.16"),
    (Int128(1) << 100, 0, "1267650600228229401496703205376"),
  ])
  func `a decimal of 128 bits is exact too`(units: Int128, places: Int, expected: String) {
    #expect(written { $0.decimal(units, places: places) } == expected)
  }

  @Test func `a UUID is lower case with hyphens`() {
    let expected = "\"0190abcd-ef01-7234-89ab-cdef98765432\""
    #expect(written { $0.uuid(0x0190_abcd_ef01_7234, 0x89ab_cdef_9876_5432) } == expected)
    let bytes: JSONWriter.UUIDBytes = (
      0x01, 0x90, 0xab, 0xcd, 0xef, 0x01, 0x72, 0x34, 0x89, 0xab, 0xcd, 0xef, 0x98, 0x76, 0x54, 0x32
    )
    #expect(written { $0.uuid(bytes) } == expected)
  }

  @Test func `optional values are null where there are none`() {
    let text = written { writer in
      writer.beginArray()
      writer.string(nil)
      writer.int(nil as Int?)
      writer.string("a" as String?)
      writer.int(1 as Int?)
      writer.endArray()
    }
    #expect(text == #"[null,null,"a",1]"#)
  }

  @Test func `a literal key is taken as it is, and any other is escaped`() {
    let text = written { writer in
      writer.beginObject()
      writer.key("\u{7f}é\t")
      writer.null()
      let key = "\t"
      writer.key(key)
      writer.null()
      writer.endObject()
    }
    #expect(text == "{\"\u{7f}é\t\":null,\"\\t\":null}")
  }

  @Test func `a writer can be used again`() {
    var writer = JSONWriter()
    writer.int(1)
    writer.removeAll()
    writer.int(2)
    #expect(writer.finish() == Array("2".utf8))
  }
}
