import Inventory
import Support
import Testing

@Suite struct `Natural order` {
  @Test(arguments: [
    ("Box 2", "Box 10"), ("Box 9", "Box 10"), ("Box 2", "Box 2a"), ("Box", "Box 1"), ("", "a"),
    ("", "0"), ("2", "10"), ("2", "Box"), ("box 2", "Box 10"), ("Box 1", "box 2"), ("a", "B"),
    ("B", "c"), ("ä", "Ö"), ("1.9", "1.10"), ("2.5.1", "2.5.10"), ("a1b2", "a1b10"),
    ("a 01 b", "a 2 b"), ("\u{E9}tude 2", "Etude 10"), ("Eclair", "\u{C9}tude"),
    ("\u{C9}tude", "Fig"),
    ("e\u{301}t 2", "\u{E9}t 10"), ("Zebra", "\u{6F22}\u{5B57}"), ("ёлка 2", "елка 10"),
    ("ab", "ab 1"), ("ab1", "abc"),
    ("Box " + String(repeating: "9", count: 300), "Box 1" + String(repeating: "0", count: 300)),
    ("Box 09", "Box 10"), ("99999999999999999999999998", "99999999999999999999999999"),
    ("99999999999999999999999999", "100000000000000000000000000"),
    ("Box ٢", "Box ١٠"), ("Box ２", "Box １０"), ("Box ٢", "Box 10"), ("Box 2", "Box １０"),
    ("Box 0", "Box 1"), ("Box 0", "Box 00001"),
    ("Straße", "Strauss"), ("Strand", "STRAẞE"), ("Straße 2", "Strasse 10"), ("ﬁsh", "fjord"),
    ("Œuvre", "Of"), ("Łódź", "Madrid"), ("Lima", "łódź"), ("Đakovo", "Essen"),
  ])
  func `puts the one before the other`(first: String, second: String) {
    #expect(NaturalText(first).compare(NaturalText(second)) < 0)
    #expect(NaturalText(second).compare(NaturalText(first)) > 0)
  }

  @Test(arguments: ["", "Box 2", "007", "x²", "Ⅷ", "½", "三", "👩‍👩‍👧‍👦 1", "1️⃣", "é"])
  func `puts a text at its own place`(text: String) {
    #expect(NaturalText(text).compare(NaturalText(text)) == 0)
  }

  @Test(arguments: [("Box 2", "box 2"), ("Box 2", "Box 02"), ("a0b", "a00b")])
  func `decides what reads the same by its spelling, one way only`(left: String, right: String) {
    let sign = NaturalText(left).compare(NaturalText(right))
    #expect(sign != 0)
    #expect(sign.signum() == -NaturalText(right).compare(NaturalText(left)).signum())
  }

  @Test(arguments: 0..<20)
  func `is one order: any shuffle sorts to the same`(seed: UInt64) {
    let texts = [
      "", "0", "00", "1", "01", "1a", "a", "A", "a1", "a01", "a10", "A2", "b", "x²", "½", "三 2",
      "Box ٢", "Box 2", "box 2", "Box 10", "a 1 b 2", "a 1 b 10",
    ]
    var random = SplitMix64(seed: seed)
    let sorted = texts.shuffled(using: &random).sorted {
      NaturalText($0).compare(NaturalText($1)) < 0
    }
    let again = texts.sorted { NaturalText($0).compare(NaturalText($1)) < 0 }
    #expect(sorted == again)
    for (position, text) in sorted.enumerated() {
      for later in sorted[(position + 1)...] {
        #expect(NaturalText(text).compare(NaturalText(later)) < 0, "\(text), \(later)")
      }
    }
  }
}
