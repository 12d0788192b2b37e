import Inventory
import Testing

@Suite struct `One-line texts` {
  @Test(arguments: [
    ("", ""), ("  ", ""), ("a", "a"), ("  a b  ", "a b"), ("\t\na\r\n", "a"),
    ("\u{00A0}a\u{3000}", "a"), ("\u{2028}a\u{0085}", "a"), ("a\u{200B}", "a\u{200B}"),
    (" \u{0301}a", "\u{0301}a"),
  ])
  func `are trimmed of white space at their ends`(text: String, trimmed: String) {
    #expect(Array(TextRules.trimmed(text).unicodeScalars) == Array(trimmed.unicodeScalars))
  }

  @Test(arguments: [
    "a", String(repeating: "a", count: 500), String(repeating: "é", count: 500),
    String(repeating: "😀", count: 500), "👩‍👩‍👧‍👦", "a\u{00A0}b",
  ])
  func `of 1 to 500 scalars are allowed`(text: String) {
    #expect(TextRules.fault(in: text, length: 1...500) == nil)
  }

  @Test(arguments: [
    "", String(repeating: "a", count: 501), String(repeating: "😀", count: 501),
    // 72 family emoji are 72 characters and 504 scalars.
    String(repeating: "👩‍👩‍👧‍👦", count: 72), "a\tb", "a\nb", "\u{0}", "a\u{7F}", "a\u{1F}",
  ])
  func `of other lengths or with control characters are not`(text: String) {
    #expect(TextRules.fault(in: text, length: 1...500) != nil)
  }

  @Test func `may be empty where the length may be 0`() {
    #expect(TextRules.fault(in: "", length: 0...200) == nil)
  }
}
