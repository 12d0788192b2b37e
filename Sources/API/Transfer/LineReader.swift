import Glibc
import Inventory

/// Splits bytes that arrive in pieces into lines.
struct LineReader {
  /// The longest line in bytes, without its end.
  static let longestLine = 1 << 20

  private var rest: [UInt8] = []
  /// The number of the current line, from 1.
  private(set) var line = 1

  /// Whether the last line has no end yet.
  var isInLine: Bool { !rest.isEmpty }

  /// Calls the body with each complete line, without its end, and with its number.
  ///
  /// - Throws: a problem for a line that is too long, or an error of the body.
  mutating func take(
    _ piece: [UInt8], _ body: (UnsafeBufferPointer<UInt8>, Int) throws(Problem) -> Void
  ) throws(Problem) {
    var start = piece.startIndex
    while let end = Self.lineEnd(in: piece, from: start) {
      if rest.isEmpty {
        try give(piece[start..<end], body)
      } else {
        rest += piece[start..<end]
        let whole = rest[...]
        rest = []
        try give(whole, body)
      }
      start = end + 1
      line += 1
    }
    rest += piece[start...]
    try checkLength(rest.count)
  }

  private static func lineEnd(in piece: [UInt8], from start: Int) -> Int? {
    piece.withUnsafeBytes { bytes in
      guard let first = bytes.baseAddress, start < bytes.count,
        let end = memchr(first + start, 0x0A, bytes.count - start)
      else { return nil }
      return first.distance(to: UnsafeRawPointer(end))
    }
  }

  private func give(
    _ text: ArraySlice<UInt8>, _ body: (UnsafeBufferPointer<UInt8>, Int) throws(Problem) -> Void
  ) throws(Problem) {
    try checkLength(text.count)
    let line = line
    try text.withUnsafeBufferPointer { (text) throws(Problem) in
      try body(
        text.last == UInt8(ascii: "\r") ? UnsafeBufferPointer(rebasing: text.dropLast()) : text,
        line)
    }
  }

  private func checkLength(_ count: Int) throws(Problem) {
    guard count <= Self.longestLine + 1 else {
      throw .invalid(line: line, "A line may have at most \(Self.longestLine) bytes.")
    }
  }
}
