import JSON
import Support
import Testing

/// RFC 6901.
@Suite struct JSONPointerTests {
  static let document: JSONValue = [
    "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6,
    " ": 7, "m~n": 8, "~1": 9, "deep": [["x": [nil]]],
  ]

  @Test(
    arguments: [
      ("", document), ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/foo/1", "baz"), ("/", 0),
      ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3), ("/g|h", 4), ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7),
      ("/m~0n", 8), ("/~01", 9), ("/deep/0/x/0", .null),
    ] as [(String, JSONValue)])
  func `a pointer finds its value`(text: String, expected: JSONValue) throws {
    let pointer = try #require(JSONPointer(text: text))
    #expect(pointer.evaluate(Self.document) == expected)
    #expect(pointer.text == text)
  }

  @Test(arguments: [
    "/missing", "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/+1", "/foo/", "/foo/1/x", "/a/b",
    "/foo/99999999999999999999", "//",
  ])
  func `a pointer to nothing finds nothing`(text: String) throws {
    let pointer = try #require(JSONPointer(text: text))
    #expect(pointer.evaluate(Self.document) == nil)
  }

  @Test(arguments: ["a", "a/b", "/~", "/~2", "/a~", "#/a"])
  func `an invalid pointer is refused`(text: String) {
    #expect(JSONPointer(text: text) == nil)
  }

  @Test func `the text has escapes`() {
    let pointer = JSONPointer(tokens: ["a/b", "3", "~1", ""])
    #expect(pointer.text == "/a~1b/3/~01/")
    #expect(JSONPointer(text: pointer.text) == pointer)
  }
}
