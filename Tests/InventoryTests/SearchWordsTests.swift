import Inventory
import Testing

@Suite struct `Words to search for` {
  @Test(arguments: [
    ("red box", ["red", "box"]), ("  red\t\nbox\u{3000}2 ", ["red", "box", "2"]),
    ("AB-12 & co.", ["AB-12", "co."]), ("\"red\" OR *", ["\"red\"", "OR"]), ("x²", ["x²"]),
    ("漢字", ["漢字"]), ("½", ["½"]),
  ])
  func `are the texts between white space that have a letter or a digit`(
    text: String, words: [String]
  ) {
    #expect(SearchWords(text)?.words == words)
  }

  @Test(arguments: ["", " ", "\"", "* ( ) : ^ -", "…", "👍", "\u{301}"])
  func `are not there where nothing has one`(text: String) {
    #expect(SearchWords(text) == nil)
  }
}
