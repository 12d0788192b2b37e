/// Reads tables in RFC 4180 format and UTF-8. Also accepts a byte order mark, any line ends, and
/// semicolons or tabs as separators, as spreadsheets write them.
struct CSVReader {
  struct Record: Sendable, Equatable {
    /// The record's first line, from 1. A quoted cell may contain line ends.
    var line: Int
    var cells: [String]
  }

  struct SyntaxError: Error, Equatable {
    enum Reason: Sendable, Equatable {
      /// A quoted cell has no closing quote.
      case openQuote
      /// A quoted cell is followed by something other than a separator.
      case textBehindQuote
      /// An unquoted cell contains a quote.
      case quoteInText
      case notUTF8
      /// A record has more than `mostCells` cells.
      case tooManyCells
    }
    var line: Int
    var reason: Reason
  }

  /// The most cells in a record.
  static let mostCells = 500

  private let bytes: [UInt8]
  /// The separator of cells. Spreadsheets write semicolons in countries with decimal commas.
  enum Separator: UInt8, Sendable {
    case comma = 0x2C
    case semicolon = 0x3B
    case tab = 0x09
  }

  let separator: Separator
  private var position: Int
  private var line = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    separator = Self.separator(of: bytes)
  }

  /// The next record, skipping empty lines. Nil at the end.
  mutating func next() throws(SyntaxError) -> Record? {
    while position < bytes.count {
      if bytes[position] == Self.lineFeed || bytes[position] == Self.carriageReturn {
        endLine()
        continue
      }
      let start = line
      return Record(line: start, cells: try record())
    }
    return nil
  }

  /// The most frequent separator in the first line; a comma if there is none.
  private static func separator(of bytes: [UInt8]) -> Separator {
    var counts: [Separator: Int] = [:]
    var isQuoted = false
    for byte in bytes {
      switch byte {
      case quote: isQuoted.toggle()
      case lineFeed where !isQuoted, carriageReturn where !isQuoted: return most(counts)
      default:
        if !isQuoted, let separator = Separator(rawValue: byte) {
          counts[separator, default: 0] += 1
        }
      }
    }
    return most(counts)
  }

  private static func most(_ counts: [Separator: Int]) -> Separator {
    [.semicolon, .tab].first { counts[$0, default: 0] > counts[.comma, default: 0] } ?? .comma
  }

  private mutating func record() throws(SyntaxError) -> [String] {
    var cells: [String] = []
    let start = line
    while true {
      guard cells.count < Self.mostCells else {
        throw SyntaxError(line: start, reason: .tooManyCells)
      }
      cells.append(try cell())
      guard position < bytes.count, bytes[position] == separator.rawValue else { break }
      position += 1
      // A separator at the end of the text is followed by an empty cell.
      if position == bytes.count, cells.count < Self.mostCells {
        cells.append("")
        return cells
      }
    }
    endLine()
    return cells
  }

  /// Skips one line end: CR, LF or CR LF.
  private mutating func endLine() {
    guard position < bytes.count else { return }
    let isPair =
      bytes[position] == Self.carriageReturn && position + 1 < bytes.count
      && bytes[position + 1] == Self.lineFeed
    position += isPair ? 2 : 1
    line += 1
  }

  private mutating func cell() throws(SyntaxError) -> String {
    if position < bytes.count, bytes[position] == Self.quote { return try quotedCell() }
    let start = position
    while position < bytes.count, !isEnd(bytes[position]) {
      guard bytes[position] != Self.quote else { throw fault(.quoteInText) }
      position += 1
    }
    return try text(bytes[start..<position])
  }

  private mutating func quotedCell() throws(SyntaxError) -> String {
    let start = line
    var content: [UInt8] = []
    position += 1
    while true {
      guard position < bytes.count else { throw SyntaxError(line: start, reason: .openQuote) }
      let byte = bytes[position]
      position += 1
      if byte == Self.quote {
        guard position < bytes.count, bytes[position] == Self.quote else { break }
        position += 1
      } else if byte == Self.lineFeed
        || byte == Self.carriageReturn
          && (position == bytes.count || bytes[position] != Self.lineFeed)
      {
        line += 1
      }
      content.append(byte)
    }
    guard position == bytes.count || isEnd(bytes[position]) else { throw fault(.textBehindQuote) }
    return try text(content[...])
  }

  private func isEnd(_ byte: UInt8) -> Bool {
    byte == separator.rawValue || byte == Self.lineFeed || byte == Self.carriageReturn
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(SyntaxError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw fault(.notUTF8)
    }
    return text
  }

  private func fault(_ reason: SyntaxError.Reason) -> SyntaxError {
    SyntaxError(line: line, reason: reason)
  }

  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
}

extension CSVReader.SyntaxError.Reason {
  /// The error text for people.
  var sentence: String {
    switch self {
    case .openQuote: "The quote that begins here has no closing quote."
    case .textBehindQuote: "After a quoted cell, a separator or the end of the line must follow."
    case .quoteInText: "Quote a cell that contains a quote, and double the quote."
    case .notUTF8: "The text is not UTF-8, or contains NUL."
    case .tooManyCells: "A line has at most \(CSVReader.mostCells) cells."
    }
  }
}
