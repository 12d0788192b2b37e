import Support
import Testing

@testable import API

@Suite("Tables as text")
struct CSVTests {
  private func records(_ text: String) throws -> [CSVReader.Record] {
    var reader = CSVReader(Array(text.utf8))
    var records: [CSVReader.Record] = []
    while let record = try reader.next() { records.append(record) }
    return records
  }

  private typealias Record = CSVReader.Record

  @Test(
    "are read as RFC 4180 has them",
    arguments: [
      ("", []), ("a", [(1, ["a"])]), ("a,b\r\nc,d\r\n", [(1, ["a", "b"]), (2, ["c", "d"])]),
      ("a,b\nc,d", [(1, ["a", "b"]), (2, ["c", "d"])]),
      ("a,b\rc,d", [(1, ["a", "b"]), (2, ["c", "d"])]),
      ("\u{FEFF}a,b", [(1, ["a", "b"])]), ("a,\n", [(1, ["a", ""])]), ("a,", [(1, ["a", ""])]),
      (",,", [(1, ["", "", ""])]), ("a\n\n\nb", [(1, ["a"]), (4, ["b"])]),
      (#""a,b",c"#, [(1, ["a,b", "c"])]), (#""a ""b"" c""#, [(1, [#"a "b" c"#])]),
      ("\"a\nb\",c\nd,e", [(1, ["a\nb", "c"]), (3, ["d", "e"])]),
      ("\"a\r\nb\",c\r\nd,e", [(1, ["a\r\nb", "c"]), (3, ["d", "e"])]),
      ("\"\",\"\"", [(1, ["", ""])]), (" a , b ", [(1, [" a ", " b "])]),
      ("a;b\nc;d,e", [(1, ["a", "b"]), (2, ["c", "d,e"])]),
      ("a\tb\nc,\td", [(1, ["a", "b"]), (2, ["c,", "d"])]),
      ("\"a;b\",c\nd,e", [(1, ["a;b", "c"]), (2, ["d", "e"])]),
      ("é,日本\n😀,x", [(1, ["é", "日本"]), (2, ["😀", "x"])]),
    ] as [(String, [(Int, [String])])])
  func reads(text: String, expected: [(Int, [String])]) throws {
    #expect(try records(text) == expected.map { Record(line: $0.0, cells: $0.1) })
  }

  @Test(
    "an invalid table is reported with its line",
    arguments: [
      ("a\n\"b", 2, .openQuote), ("a\n\"b\nc\nd", 2, .openQuote), ("\"a\"b", 1, .textBehindQuote),
      ("a,b\"c", 1, .quoteInText), ("x\ny\na\"", 3, .quoteInText), ("a\u{0}b", 1, .notUTF8),
    ] as [(String, Int, CSVReader.SyntaxError.Reason)])
  func refuses(text: String, line: Int, reason: CSVReader.SyntaxError.Reason) {
    #expect(throws: CSVReader.SyntaxError(line: line, reason: reason)) { try records(text) }
  }

  @Test(arguments: ["\n", ""])
  func `a line has its most cells`(end: String) throws {
    let most = CSVReader.mostCells
    let line = String(repeating: ",", count: most - 1)
    #expect(try records("a\n" + line + end).last?.cells.count == most)
    for tail in [",", ",x", ",x,y", ",\nb"] {
      #expect(throws: CSVReader.SyntaxError(line: 2, reason: .tooManyCells)) {
        try records("a\n" + line + tail)
      }
    }
  }

  @Test func `bytes that are not UTF-8 are refused`() {
    var reader = CSVReader([0x61, 0x2C, 0xFF])
    #expect(throws: CSVReader.SyntaxError(line: 1, reason: .notUTF8)) { try reader.next() }
  }

  @Test(arguments: [
    [["a", "b"], ["c", "d"]], [["a,b", "\"", "c\nd", "e\r\nf", " g ", ""]], [[""]], [["", ""]],
    [["é", "😀", "'x"]],
  ])
  func `what is written is read the same`(table: [[String]]) throws {
    var writer = CSVWriter()
    for cells in table { writer.record(cells) }
    #expect(try records(String(decoding: writer.bytes, as: UTF8.self)).map(\.cells) == table)
  }

  @Test func `a line is written with commas, quotes where they are needed and CR LF`() {
    var writer = CSVWriter()
    writer.record(["a", nil, "b,c", "d\"e"])
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "a,,\"b,c\",\"d\"\"e\"\r\n")
  }

  @Test(arguments: [
    ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("\tx", "'\tx"),
    ("'=x", "''=x"), ("''", "''"), ("'x", "'x"), ("x=1", "x=1"), ("", ""), ("5-1", "5-1"),
    ("\n=1", "'\n'=1"), ("\r=1", "'\r'=1"), ("＝1", "'＝1"), ("＋1", "'＋1"), ("－1", "'－1"),
    ("＠x", "'＠x"), ("a;=cmd|'/c calc'!A0", "a;'=cmd|'/c calc'!A0"), ("a;'=x", "a;''=x"),
    ("a;b", "a;b"), ("a;'b", "a;'b"), ("\t=x", "'\t'=x"), ("a\t@x;+1", "a\t'@x;'+1"),
    ("x;\"=1+1;y", "x;'\"=1+1;y"), ("a\n=2+2", "a\n'=2+2"), ("a\r\n=2+2", "a\r\n'=2+2"),
    ("a\n\nb\r\n\r\nc", "a\n\nb\r\n\r\nc"), ("\"=1", "'\"=1"), ("a;'\"'=1", "a;''\"'=1"),
  ])
  func `a text that begins like a formula is guarded, and comes back as it was`(
    text: String, cell: String
  ) {
    #expect(FormulaGuard.guarded(text) == cell)
    #expect(FormulaGuard.unguarded(cell) == text)
  }

  @Test func `no spreadsheet finds a formula in what is guarded, whatever separates its cells`()
    throws
  {
    var random = SplitMix64(seed: 13)
    let scalars = Array("=+-@＝＋－＠;;;\t,\n\r\"\"\"''\\ax1 ".unicodeScalars)
    func text() -> String {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        text.append(scalars.randomElement(using: &random) ?? "=")
      }
      return String(text)
    }
    for _ in 0..<3_000 {
      let table = (0..<2).map { _ in (0..<3).map { _ in text() } }
      var writer = CSVWriter()
      writer.record(["id", "name", "notes", "tags"])
      // As in each line of a table, an id comes first.
      for line in table { writer.record(["id"] + line.map(FormulaGuard.guarded)) }
      let written = String(decoding: writer.bytes, as: UTF8.self)
      for separator in [",", ";", "\t"] as [Unicode.Scalar] {
        for cell in PlainSpreadsheet.cells(of: written, separatedBy: separator) {
          let first = cell.first
          #expect(!(first.map("=+-@＝＋－＠".unicodeScalars.contains) ?? false), "\(written)")
        }
      }
      let read = try records(written).dropFirst().map {
        $0.cells.dropFirst().map { FormulaGuard.unguarded($0) }
      }
      #expect(read == table)
    }
  }

  @Test(arguments: [["x", "\"=5+5"], ["=1", "a\\;=2", "'"], ["\"", "=1;\"-2"]])
  func `tags that begin like formulas are guarded in their cell and come back`(tags: [String]) {
    let cell = FormulaGuard.guarded(TagText.text(tags))
    #expect(TagText.tags(FormulaGuard.unguarded(cell)) == tags)
    var writer = CSVWriter()
    writer.record(["id", cell])
    for separator in [",", ";", "\t"] as [Unicode.Scalar] {
      let cells = PlainSpreadsheet.cells(
        of: String(decoding: writer.bytes, as: UTF8.self), separatedBy: separator)
      #expect(cells.allSatisfy { !($0.first.map("=+-@".unicodeScalars.contains) ?? false) })
    }
  }

  @Test(arguments: [[], ["a"], ["a", "b;c", "d\\e"], ["\\;"], [";"]])
  func `tags go into one cell and come back`(tags: [String]) {
    #expect(TagText.tags(TagText.text(tags)) == tags)
  }

  @Test func `a backslash that escapes nothing is part of its tag`() {
    #expect(TagText.tags(#"a\;b\\c;C:\d;e\"#) == ["a;b\\c", "C:\\d", "e\\"])
  }

  @Test func `of a million tags in one cell no more are read than it takes to refuse them`() {
    let cell = String(repeating: "a;", count: 1_000_000)
    #expect(TagText.tags(cell).count == 51)
    #expect(TagText.plainTags(cell).count == 51)
  }
}
