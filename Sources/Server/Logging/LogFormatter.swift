import HTTP

/// Formats the lines of one log. Keeps the text of the last second, which most lines share.
struct LogFormatter {
  private let format: LogFormat
  private var second: Int64 = -1
  private var secondText: [UInt8] = []

  init(_ format: LogFormat) { self.format = format }

  mutating func append(_ record: AccessRecord, to line: inout [UInt8]) {
    begin(.info, "request", record.time, &line)
    separate(#","peer":"#, &line)
    appendWord(peer: record.peer, to: &line)
    separate(#","method":"#, &line)
    appendWord(record.method?.name, to: &line)
    separate(#","route":"#, &line)
    appendWord(route: record.route, to: &line)
    separate(#","status":"#, &line)
    if let status = record.status {
      line.append(decimal: status)
    } else {
      appendWord(nil, to: &line)
    }
    separate(#","bytes":"#, &line)
    line.append(decimal: record.bytes)
    separate(#","microseconds":"#, &line)
    line.append(decimal: Int(record.microseconds))
    separate(#","requestId":"#, &line)
    appendWord(record.requestID, to: &line)
    separate(#","token":"#, &line)
    appendWord(token: record.token, to: &line)
    separate(#","traceparent":"#, &line)
    appendWord(record.traceParent, to: &line)
    end(&line)
  }

  mutating func append(_ message: LogMessage, to line: inout [UInt8]) {
    begin(message.level, "server", message.time, &line)
    separate(#","message":""#, &line)
    for scalar in message.text.unicodeScalars {
      if Self.isReadable(scalar) {
        line.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
      } else {
        for unit in String(scalar).utf16 { appendEscaped(unit, to: &line) }
      }
    }
    quote(&line)
    end(&line)
  }

  /// Appends a line that counts dropped lines.
  mutating func append(dropped count: Int, time: Int64, to line: inout [UInt8]) {
    begin(.warning, "dropped", time, &line)
    separate(#","count":"#, &line)
    line.append(decimal: count)
    end(&line)
  }

  private mutating func begin(
    _ level: LogLevel, _ event: StaticString, _ time: Int64, _ line: inout [UInt8]
  ) {
    line.append(ascii: format == .json ? #"{"time":""# : "")
    appendTime(time, to: &line)
    separate(#"","level":""#, &line)
    line.append(ascii: level.name)
    separate(#"","event":""#, &line)
    line.append(ascii: event)
    quote(&line)
  }

  /// Appends a blank, or in JSON the text between two values.
  private func separate(_ json: StaticString, _ line: inout [UInt8]) {
    line.append(ascii: format == .json ? json : " ")
  }

  private func end(_ line: inout [UInt8]) {
    line.append(ascii: format == .json ? "}\n" : "\n")
  }

  private func appendWord(peer: Peer?, to line: inout [UInt8]) {
    guard let peer, peer.family == .v4 else {
      appendWord(peer?.description, to: &line)
      return
    }
    quote(&line)
    for shift: UInt64 in [56, 48, 40, 32] {
      line.append(decimal: Int((peer.high >> shift) & 0xFF))
      line.append(shift == 32 ? UInt8(ascii: ":") : UInt8(ascii: "."))
    }
    line.append(decimal: Int(peer.port))
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
    line.append(ascii: route)
    quote(&line)
  }

  private func appendWord(_ text: String?, to line: inout [UInt8]) {
    guard let text else {
      line.append(ascii: format == .json ? "null" : "-")
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
    line.append(ascii: "\\u")
    for shift in [12, 8, 4, 0] { line.append(Self.hexDigit(unit >> shift & 0xF)) }
  }

  private static func hexDigit(_ value: UInt16) -> UInt8 {
    UInt8(value) + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
  }

  /// `2026-01-31T23:59:59.999Z`
  private mutating func appendTime(_ milliseconds: Int64, to line: inout [UInt8]) {
    if milliseconds / 1000 != second {
      second = milliseconds / 1000
      secondText = utcText(second, "%Y-%m-%dT%H:%M:%S")
    }
    line.append(contentsOf: secondText)
    line.append(UInt8(ascii: "."))
    line.append(decimal: Int(milliseconds % 1000), digits: 3)
    line.append(UInt8(ascii: "Z"))
  }
}

/// The format of log lines.
package enum LogFormat: String, Sendable, CaseIterable {
  /// `TIME LEVEL request PEER METHOD ROUTE STATUS BYTES MICROSECONDS REQUEST-ID TOKEN TRACEPARENT`, with "-" for
  /// unknown values, `TIME LEVEL server MESSAGE`, and `TIME LEVEL dropped COUNT`.
  case text
  /// An object with `time`, `level` and `event`. A "request" has `peer`, `method`, `route`, `status`, `bytes`,
  /// `microseconds`, `requestId`, `token` and `traceparent`, with null for unknown values. A "server" event has
  /// `message`, and a "dropped" event has `count`.
  case json
}

/// A log entry that is not a request.
struct LogMessage: Sendable {
  let level: LogLevel
  /// In milliseconds since 1970.
  let time: Int64
  let text: String
}

/// Severity. A log at one level includes all higher ones.
package enum LogLevel: Sendable, CaseIterable, Comparable {
  case debug, info, warning, error

  package var name: StaticString {
    switch self {
    case .debug: "debug"
    case .info: "info"
    case .warning: "warning"
    case .error: "error"
    }
  }

  package init?(name: String) {
    guard let level = Self.allCases.first(where: { "\($0.name)" == name }) else { return nil }
    self = level
  }
}
