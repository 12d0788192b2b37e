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
        output.append(ascii: "Content-Length: ")
        output.append(decimal: length)
        output.append(ascii: "\r\n")
      case .chunked: output.append(ascii: "Transfer-Encoding: chunked\r\n")
      case .close: break
      }
    }
    if closes {
      output.append(ascii: "Connection: close\r\n\r\n")
    } else if version == .http10 {
      output.append(ascii: "Connection: keep-alive\r\n\r\n")
    } else {
      output.append(ascii: "\r\n")
    }
  }

  /// Writes one chunk. Writes nothing for empty data, because an empty chunk ends the body.
  package static func writeChunk(_ data: [UInt8], to output: inout [UInt8]) {
    guard !data.isEmpty else { return }
    output.append(contentsOf: String(data.count, radix: 16).utf8)
    output.append(ascii: "\r\n")
    output.append(contentsOf: data)
    output.append(ascii: "\r\n")
  }

  package static func writeLastChunk(to output: inout [UInt8]) {
    output.append(ascii: "0\r\n\r\n")
  }

  package static func writeContinue(to output: inout [UInt8]) {
    output.append(ascii: "HTTP/1.1 100 Continue\r\n\r\n")
  }

  /// Whether a response with the status has a body, possibly empty (RFC 9110 §6.4.1).
  package static func hasBody(_ status: Int) -> Bool {
    status >= 200 && status != 204 && status != 304
  }

  private static func writeStatusLine(_ status: Int, to output: inout [UInt8]) {
    if status == 200 {
      output.append(ascii: "HTTP/1.1 200 OK\r\n")
      return
    }
    output.append(ascii: "HTTP/1.1 ")
    output.append(decimal: status)
    output.append(.space)
    output.append(contentsOf: reason(status).utf8)
    output.append(ascii: "\r\n")
  }

  /// The reason phrase of a status (RFC 9110 §15). Programs ignore it.
  private static func reason(_ status: Int) -> String {
    switch status {
    case 201: "Created"
    case 204: "No Content"
    case 206: "Partial Content"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 422: "Unprocessable Content"
    case 428: "Precondition Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: "Status"
    }
  }
}

extension [UInt8] {
  @inline(__always)
  package mutating func append(ascii text: StaticString) {
    text.withUTF8Buffer { append(contentsOf: $0) }
  }

  /// Appends a non-negative number with at least `digits` digits.
  package mutating func append(decimal number: Int, digits: Int = 1) {
    var divisor = 1
    for _ in 1..<digits { divisor *= 10 }
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(0x30 + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }
}
