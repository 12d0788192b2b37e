import Inventory
import Testing

@Suite struct `Folding texts` {
  @Test(arguments: [
    ("", ""), ("Box 10", "box 10"), ("ÉCLAIR", "eclair"), ("e\u{301}clair", "eclair"),
    ("Ångström", "angstrom"), ("A\u{30A}ngstro\u{308}m", "angstrom"), ("Việt Nam", "viet nam"),
    ("İstanbul", "istanbul"), ("Ναύς", "ναυσ"), ("Ἀθῆναι", "αθηναι"), ("Ёлка", "елка"),
    ("straße", "straße"), ("漢字", "漢字"), ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"), ("a_b-c", "a_b-c"),
  ])
  func `leaves out letter case and diacritics`(text: String, folded: String) {
    #expect(String(decoding: TextFolding.fold(text), as: UTF8.self) == folded)
  }

  @Test(arguments: [
    ("Crème brûlée", "BRU", true), ("Crème brûlée", "e b", true), ("Crème brûlée", "", true),
    ("Crème brûlée", "brulee ", false), ("", "a", false), ("", "", true), ("aab", "ab", true),
    ("ab", "abc", false),
  ])
  func `finds a piece`(text: String, piece: String, isThere: Bool) {
    #expect(TextFolding.contains(text, TextFolding.fold(piece)) == isThere)
  }
}
