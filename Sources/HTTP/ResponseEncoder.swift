/// Writes response heads and bodies into a connection's output (RFC 9112 §4, §6).
package enum ResponseEncoder {
  /// How the end of a body is marked.
  package enum Framing {
    case length(Int)
    case chunked
    /// Closing the connection ends the body, for HTTP/1.0 clients.
    case close
  }

  /// Writes a response whose body is bytes. `date` is the whole Date line.
  package static func write(
    _ response: Response, to output: inout [UInt8], date: [UInt8], version: Version,
    isHead: Bool, closes: Bool
  ) {
    writeHead(
      response, to: &output, date: date, version: version, framing: .length(response.bytes.count),
      closes: closes)
    if !isHead, hasBody(response.status) { output.append(contentsOf: response.bytes) }
  }

  /// Writes the status line, the fields and the empty line after them.
  package static func writeHead(
    _ response: Response, to output: inout [UInt8], date: [UInt8], version: Version,
    framing: Framing, closes: Bool
  ) {
    writeStatusLine(response.status, to: &output)
    if response.fields.hasServerFields {
      for line in response.fields.lines where !response.fields.isServerField(line) {
        // `append` wrote CRLF after each line.
        output.append(
          contentsOf: response.fields.bytes[line.name.lowerBound..<(line.value.upperBound + 2)])
      }
    } else {
      output.append(contentsOf: response.fields.bytes)
    }
    output.append(contentsOf: date)
    if hasBody(response.status) {
      switch framing {
      case .length(let length):
        append("Content-Length: ", to: &output)
        appendDecimal(length, to: &output)
        append("\r\n", to: &output)
      case .chunked: append("Transfer-Encoding: chunked\r\n", to: &output)
      case .close: break
      }
    }
    if closes {
      append("Connection: close\r\n\r\n", to: &output)
    } else if version == .http10 {
      append("Connection: keep-alive\r\n\r\n", to: &output)
    } else {
      append("\r\n", to: &output)
    }
  }

  /// Writes one chunk. Writes nothing for empty data, because an empty chunk ends the body.
  package static func writeChunk(_ data: [UInt8], to output: inout [UInt8]) {
    guard !data.isEmpty else { return }
    output.append(contentsOf: String(data.count, radix: 16).utf8)
    append("\r\n", to: &output)
    output.append(contentsOf: data)
    append("\r\n", to: &output)
  }

  package static func writeLastChunk(to output: inout [UInt8]) {
    append("0\r\n\r\n", to: &output)
  }

  package static func writeContinue(to output: inout [UInt8]) {
    append("HTTP/1.1 100 Continue\r\n\r\n", to: &output)
  }

  /// Whether a response with the status has a body, possibly empty (RFC 9110 §6.4.1).
  package static func hasBody(_ status: Int) -> Bool {
    status >= 200 && status != 204 && status != 304
  }

  private static func writeStatusLine(_ status: Int, to output: inout [UInt8]) {
    if status == 200 {
      append("HTTP/1.1 200 OK\r\n", to: &output)
      return
    }
    append("HTTP/1.1 ", to: &output)
    appendDecimal(status, to: &output)
    output.append(.space)
    output.append(contentsOf: StatusReason.phrase(status).utf8)
    append("\r\n", to: &output)
  }

  @inline(__always)
  private static func append(_ text: StaticString, to output: inout [UInt8]) {
    text.withUTF8Buffer { output.append(contentsOf: $0) }
  }

  private static func appendDecimal(_ number: Int, to output: inout [UInt8]) {
    var divisor = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      output.append(0x30 + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }
}
