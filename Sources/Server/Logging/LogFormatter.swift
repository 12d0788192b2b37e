import Glibc
import HTTP

/// Formats the lines of one log. Keeps the text of the last second, which most lines share.
struct LogFormatter {
  private let format: LogFormat
  private var second: Int64 = -1
  private var secondText: [UInt8] = []

  init(_ format: LogFormat) { self.format = format }

  mutating func append(_ record: AccessRecord, to line: inout [UInt8]) {
    begin(.info, "request", record.time, &line)
    switch format {
    case .text:
      append(" ", to: &line)
      appendWord(peer: record.peer, to: &line)
      append(" ", to: &line)
      appendWord(record.method?.name, to: &line)
      append(" ", to: &line)
      appendWord(route: record.route, to: &line)
      append(" ", to: &line)
      if let status = record.status { append(status, to: &line) } else { append("-", to: &line) }
      append(" ", to: &line)
      append(record.bytes, to: &line)
      append(" ", to: &line)
      append(Int(record.microseconds), to: &line)
      append(" ", to: &line)
      appendWord(record.requestID, to: &line)
      append(" ", to: &line)
      appendWord(token: record.token, to: &line)
      append(" ", to: &line)
      appendWord(record.traceParent, to: &line)
    case .json:
      append(#","peer":"#, to: &line)
      appendWord(peer: record.peer, to: &line)
      append(#","method":"#, to: &line)
      appendWord(record.method?.name, to: &line)
      append(#","route":"#, to: &line)
      appendWord(route: record.route, to: &line)
      append(#","status":"#, to: &line)
      if let status = record.status { append(status, to: &line) } else { append("null", to: &line) }
      append(#","bytes":"#, to: &line)
      append(record.bytes, to: &line)
      append(#","microseconds":"#, to: &line)
      append(Int(record.microseconds), to: &line)
      append(#","requestId":"#, to: &line)
      appendWord(record.requestID, to: &line)
      append(#","token":"#, to: &line)
      appendWord(token: record.token, to: &line)
      append(#","traceparent":"#, to: &line)
      appendWord(record.traceParent, to: &line)
    }
    end(&line)
  }

  mutating func append(_ message: LogMessage, to line: inout [UInt8]) {
    begin(message.level, "server", message.time, &line)
    append(format == .json ? #","message":""# : " ", to: &line)
    for scalar in message.text.unicodeScalars {
      if Self.isReadable(scalar) {
        line.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
      } else {
        for unit in String(scalar).utf16 { appendEscaped(unit, to: &line) }
      }
    }
    append(format == .json ? "\"" : "", to: &line)
    end(&line)
  }

  /// Appends a line that counts dropped lines.
  mutating func append(dropped count: Int, time: Int64, to line: inout [UInt8]) {
    begin(.warning, "dropped", time, &line)
    append(format == .json ? #","count":"# : " ", to: &line)
    append(count, to: &line)
    end(&line)
  }

  private mutating func begin(
    _ level: LogLevel, _ event: StaticString, _ time: Int64, _ line: inout [UInt8]
  ) {
    append(format == .json ? #"{"time":""# : "", to: &line)
    appendTime(time, to: &line)
    append(format == .json ? #"","level":""# : " ", to: &line)
    append(level.name, to: &line)
    append(format == .json ? #"","event":""# : " ", to: &line)
    append(event, to: &line)
    append(format == .json ? "\"" : "", to: &line)
  }

  private func end(_ line: inout [UInt8]) {
    append(format == .json ? "}\n" : "\n", to: &line)
  }

  private func appendWord(peer: Peer?, to line: inout [UInt8]) {
    guard let peer, peer.family == .v4 else {
      appendWord(peer?.description, to: &line)
      return
    }
    quote(&line)
    for shift: UInt64 in [56, 48, 40, 32] {
      append(Int((peer.high >> shift) & 0xFF), to: &line)
      line.append(shift == 32 ? UInt8(ascii: ":") : UInt8(ascii: "."))
    }
    append(Int(peer.port), to: &line)
    quote(&line)
  }

  /// Appends a token's id in the usual form: 36 characters with hyphens.
  private func appendWord(token: (high: UInt64, low: UInt64)?, to line: inout [UInt8]) {
    guard let token else {
      appendWord(nil, to: &line)
      return
    }
    quote(&line)
    for (position, half) in [token.high, token.low].enumerated() {
      for digit in 0..<16 {
        let place = position * 16 + digit
        if [8, 12, 16, 20].contains(place) { line.append(UInt8(ascii: "-")) }
        line.append(Self.hexDigit(UInt16(truncatingIfNeeded: half >> UInt64(60 - 4 * digit) & 0xF)))
      }
    }
    quote(&line)
  }

  /// Needs no escaping, because a route is a constant of the program.
  private func appendWord(route: StaticString?, to line: inout [UInt8]) {
    guard let route else {
      appendWord(nil, to: &line)
      return
    }
    quote(&line)
    append(route, to: &line)
    quote(&line)
  }

  private func appendWord(_ text: String?, to line: inout [UInt8]) {
    guard let text else {
      append(format == .json ? "null" : "-", to: &line)
      return
    }
    quote(&line)
    let start = line.count
    line.append(contentsOf: text.utf8)
    if !line[start...].allSatisfy(Self.isPlain) {
      line.removeSubrange(start...)
      for unit in text.utf16 {
        if let byte = UInt8(exactly: unit), Self.isPlain(byte) {
          line.append(byte)
        } else {
          appendEscaped(unit, to: &line)
        }
      }
    }
    quote(&line)
  }

  private func quote(_ line: inout [UInt8]) {
    if format == .json { line.append(UInt8(ascii: "\"")) }
  }

  /// Whether the byte is safe in both formats, in a terminal, and for tools that split at blanks.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// Whether the character is safe in a message: it ends no line, string or escape, and does not control a terminal.
  private static func isReadable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    default: scalar != "\"" && scalar != "\\"
    }
  }

  private func appendEscaped(_ unit: UInt16, to line: inout [UInt8]) {
    append("\\u", to: &line)
    for shift in [12, 8, 4, 0] { line.append(Self.hexDigit(unit >> shift & 0xF)) }
  }

  private static func hexDigit(_ value: UInt16) -> UInt8 {
    UInt8(value) + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
  }

  /// `2026-01-31T23:59:59.999Z`
  private mutating func appendTime(_ milliseconds: Int64, to line: inout [UInt8]) {
    if milliseconds / 1000 != second {
      second = milliseconds / 1000
      secondText = Self.text(second)
    }
    line.append(contentsOf: secondText)
    line.append(UInt8(ascii: "."))
    append(Int(milliseconds % 1000), digits: 3, to: &line)
    line.append(UInt8(ascii: "Z"))
  }

  private static func text(_ second: Int64) -> [UInt8] {
    var (time, parts) = (time_t(second), tm())
    gmtime_r(&time, &parts)
    let year = Int(parts.tm_year) + 1900
    var text: [UInt8] = []
    for (number, digits, before) in [
      (year, 4, ""), (Int(parts.tm_mon) + 1, 2, "-"), (Int(parts.tm_mday), 2, "-"),
      (Int(parts.tm_hour), 2, "T"), (Int(parts.tm_min), 2, ":"), (Int(parts.tm_sec), 2, ":"),
    ] {
      text.append(contentsOf: before.utf8)
      LogFormatter.append(number, digits: digits, to: &text)
    }
    return text
  }

  private func append(_ text: StaticString, to line: inout [UInt8]) {
    text.withUTF8Buffer { line.append(contentsOf: $0) }
  }

  private func append(_ number: Int, digits: Int = 1, to line: inout [UInt8]) {
    Self.append(number, digits: digits, to: &line)
  }

  /// Appends a non-negative number with at least `digits` digits.
  private static func append(_ number: Int, digits: Int, to line: inout [UInt8]) {
    var divisor = 1
    for _ in 1..<digits { divisor *= 10 }
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      line.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }
}
