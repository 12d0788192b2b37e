/// Limits of a request's head and of a chunked body's framing.
package struct HeadLimits: Sendable {
  /// Bytes of the request line with its CRLF. Beyond it the server answers 414.
  package var requestLine = 8 << 10
  /// Bytes of the header section, or of the trailer section, with the last CRLF. Beyond it the server answers 431 for a
  /// head, 400 for a trailer.
  package var headerSection = 32 << 10
  /// Lines of the header section. Beyond it the server answers 431.
  package var fieldCount = 100

  package init() {}
}

/// Parses a stream of requests (RFC 9112) from pieces of any size. It does no I/O and scans each byte once.
///
/// After a fault the stream is unusable: every later call returns `more` and consumes nothing.
package struct RequestParser: ~Copyable {
  package enum Event: Sendable {
    /// All input is consumed and more is needed.
    case more
    /// A complete head. A request with a body continues with `body` events and an `end`.
    case head(RequestHead)
    /// A piece of body, as a range of the input.
    case body(Range<Int>)
    /// The body is complete.
    case end
    case fault(RequestFault)
  }

  private enum State {
    case ready, leadingLineFeed
    case method, target, version, requestLineFeed
    case lineStart, name, valueStart, value, lineFeed, lastLineFeed
    case fixedBody, chunkedBody
    case failed

    var isInRequestLine: Bool {
      switch self {
      case .method, .target, .version, .requestLineFeed: true
      default: false
      }
    }
  }

  private static let longestMethod = 64
  private static let emptyLines = 4

  private let limits: HeadLimits
  package let peer: Peer?
  private var state = State.ready
  private var major: UInt8 = 0
  private var minor: UInt8 = 0
  private var emptyLinesSeen = 0
  /// The head's bytes from earlier pieces, beginning with the method.
  private var bytes: [UInt8] = []
  private var lines: [Fields.Line] = []
  private var methodEnd = 0
  private var targetEnd = 0
  /// The size that the head may have at the end of the current part: the request line, or the header section.
  private var limit = 0
  private var bodyLeft = 0
  private var chunks = ChunkedBody(trailerLimit: 0)

  /// `peer` is stored in every head.
  package init(limits: HeadLimits = HeadLimits(), peer: Peer? = nil) {
    self.limits = limits
    self.peer = peer
  }

  /// The method of the current or last request, if it was read. A fault keeps it.
  package private(set) var method: Method?

  /// The head of a request that is refused for its target alone, so that the response can be in the client's language
  /// and media type. Its path may not decode.
  package private(set) var refusedHead: RequestHead?

  /// Whether the last request is complete and no other has begun.
  package var isBetweenRequests: Bool { state == .ready || state == .leadingLineFeed }

  /// The missing bytes of a body with Content-Length. Nil for a chunked body.
  package var bodyRemaining: Int? {
    switch state {
    case .fixedBody: bodyLeft
    case .chunkedBody: nil
    default: 0
    }
  }

  /// The missing bytes of the current chunk; 0 outside a chunked body.
  package var chunkRemaining: Int { state == .chunkedBody ? chunks.chunkRemaining : 0 }

  /// Parses the next event from `input` at `offset`, and advances `offset` past the consumed bytes.
  package mutating func next(_ input: Span<UInt8>, from offset: inout Int) -> Event {
    do throws(RequestFault) { return try event(input, &offset) } catch {
      // The method may be complete although the head is not. It is read so that the access log can name it.
      if method == nil, methodEnd > 0 {
        keep(input, offset..<max(offset, offset + methodEnd - bytes.count))
        method = readMethod()
      }
      state = .failed
      bytes = []
      lines = []
      return .fault(error)
    }
  }

  private mutating func event(
    _ input: Span<UInt8>, _ offset: inout Int
  ) throws(RequestFault) -> Event {
    switch state {
    case .fixedBody:
      guard bodyLeft > 0 else {
        state = .ready
        return .end
      }
      let start = offset
      let taken = min(input.count - start, bodyLeft)
      guard taken > 0 else { return .more }
      bodyLeft -= taken
      offset += taken
      return .body(start..<offset)
    case .chunkedBody:
      switch try chunks.next(input, from: &offset) {
      case .more: return .more
      case .data(let range): return .body(range)
      case .end:
        state = .ready
        return .end
      }
    case .failed:
      return .more
    case .ready, .leadingLineFeed:
      guard try skipEmptyLines(input, &offset) else { return .more }
      limit = limits.requestLine
      state = .method
      method = nil
      methodEnd = 0
    default: break
    }
    guard let head = try readHead(input, &offset) else { return .more }
    return .head(head)
  }

  /// Skips the CRLFs that some clients send after a body (RFC 9112 §2.2). False if the input has nothing else.
  private mutating func skipEmptyLines(
    _ input: Span<UInt8>, _ offset: inout Int
  ) throws(RequestFault) -> Bool {
    while offset < input.count {
      let byte = input[offset]
      if state == .leadingLineFeed {
        guard byte == .lineFeed else { throw .malformedRequestLine }
        state = .ready
      } else if byte == .carriageReturn {
        emptyLinesSeen += 1
        guard emptyLinesSeen <= Self.emptyLines else { throw .tooManyEmptyLines }
        state = .leadingLineFeed
      } else {
        emptyLinesSeen = 0
        return true
      }
      offset += 1
    }
    return false
  }

  /// Continues where the last piece ended. Nil if the head is incomplete.
  private mutating func readHead(
    _ input: Span<UInt8>, _ offset: inout Int
  ) throws(RequestFault) -> RequestHead? {
    // The byte at `index` of the input has the offset `base + index` in the head.
    let base = bytes.count - offset
    var index = offset
    var end = min(input.count, limit - base)
    while true {
      guard index < end else {
        guard index == input.count else {
          throw state.isInRequestLine ? .requestLineTooLong : .headerTooLarge
        }
        keep(input, offset..<index)
        offset = index
        return nil
      }
      switch state {
      case .method:
        while index < end, ByteSet.token.contains(input[index]) { index += 1 }
        if base + index > Self.longestMethod { throw .methodTooLong }
        guard index < end else { continue }
        guard input[index] == .space, base + index > 0 else { throw .malformedRequestLine }
        methodEnd = base + index
        state = .target
      case .target:
        while index < end, input[index] > .space, input[index] < 0x7F { index += 1 }
        guard index < end else { continue }
        guard input[index] == .space, base + index > methodEnd + 1 else {
          throw input[index] >= 0x7F ? .malformedTarget : .malformedRequestLine
        }
        targetEnd = base + index
        state = .version
      case .version:
        try readVersion(input[index], at: base + index - targetEnd - 1)
      case .requestLineFeed:
        guard input[index] == .lineFeed else { throw .malformedRequestLine }
        limit = base + index + 1 + limits.headerSection
        end = min(input.count, limit - base)
        state = .lineStart
      case .lineStart:
        if input[index] == .carriageReturn {
          state = .lastLineFeed
        } else {
          try startLine(input[index], at: base + index)
          // The byte is the first of the name: read it again in the new state.
          continue
        }
      case .name:
        while index < end, ByteSet.token.contains(input[index]) { index += 1 }
        guard index < end else { continue }
        let last = lines.count - 1
        guard input[index] == 0x3A, base + index > lines[last].nameStart else {
          throw .malformedField
        }
        lines[last].nameEnd = UInt32(base + index)
        state = .valueStart
      case .valueStart:
        while index < end, input[index] == .space || input[index] == .tab { index += 1 }
        guard index < end else { continue }
        lines[lines.count - 1].valueStart = UInt32(base + index)
        state = .value
        // The byte begins the value or ends the line: read it again in the new state.
        continue
      case .value:
        while index < end, input[index].isFieldValueByte { index += 1 }
        guard index < end else { continue }
        guard input[index] == .carriageReturn else { throw .malformedField }
        lines[lines.count - 1].valueEnd = UInt32(base + index)
        state = .lineFeed
      case .lineFeed:
        guard input[index] == .lineFeed else { throw .malformedField }
        state = .lineStart
      case .lastLineFeed:
        guard input[index] == .lineFeed else { throw .malformedField }
        keep(input, offset..<(index + 1))
        offset = index + 1
        return try finishHead()
      case .ready, .leadingLineFeed, .fixedBody, .chunkedBody, .failed:
        return nil
      }
      index += 1
    }
  }

  private mutating func keep(_ input: Span<UInt8>, _ range: Range<Int>) {
    input.withUnsafeBufferPointer {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range]))
    }
  }

  /// Reads one byte of `HTTP/1.1` CR. `position` counts from the start of the version.
  private mutating func readVersion(_ byte: UInt8, at position: Int) throws(RequestFault) {
    let expected: UInt8
    switch position {
    case 0: expected = 0x48
    case 1, 2: expected = 0x54
    case 3: expected = 0x50
    case 4: expected = 0x2F
    case 5:
      major = byte
      expected = byte.isDigit ? byte : 0
    case 6: expected = 0x2E
    case 7:
      minor = byte
      expected = byte.isDigit ? byte : 0
    default:
      guard byte == .carriageReturn else { throw .malformedRequestLine }
      // A later minor version is read as HTTP/1.1 (RFC 9110 §2.5).
      guard major == 0x31 else { throw .unsupportedVersion }
      state = .requestLineFeed
      return
    }
    guard byte == expected else { throw .malformedRequestLine }
  }

  private mutating func startLine(_ byte: UInt8, at position: Int) throws(RequestFault) {
    if byte == .space || byte == .tab { throw .foldedField }
    guard lines.count < limits.fieldCount else { throw .tooManyFields }
    if lines.isEmpty { lines.reserveCapacity(12) }
    let start = UInt32(position)
    lines.append(.init(nameStart: start, nameEnd: start, valueStart: start, valueEnd: start))
    state = .name
  }

  private func readMethod() -> Method {
    bytes.withUnsafeBufferPointer { Method(UnsafeBufferPointer(rebasing: $0[0..<methodEnd])) }
  }

  /// Interprets a head with valid syntax, and prepares for its body.
  private mutating func finishHead() throws(RequestFault) -> RequestHead {
    let method = readMethod()
    self.method = method
    if method == .connect { throw .unsupportedMethod }
    for index in lines.indices {
      var end = Int(lines[index].valueEnd)
      while end > lines[index].valueStart, bytes[end - 1] == .space || bytes[end - 1] == .tab {
        end -= 1
      }
      lines[index].valueEnd = UInt32(end)
    }
    var fields = Fields(bytes: bytes, lines: lines)
    bytes = []
    lines = []
    let version: Version = minor == 0x30 ? .http10 : .http11
    let target = try target(method, version, fields)
    var framing = Framing()
    for index in fields.lines.indices { try framing.read(fields, index) }
    try framing.check(version)
    if let authority = target.authority { fields.setHost(authority, line: framing.host) }
    let head = RequestHead(
      method: method, version: version, fields: fields, framing: framing,
      keepsConnection: !framing.closes && (version == .http11 || framing.keepsAlive),
      target: target, peer: peer)
    if head.isChunked {
      chunks = ChunkedBody(trailerLimit: limits.headerSection)
      state = .chunkedBody
    } else if head.hasBody {
      bodyLeft = head.contentLength ?? 0
      state = .fixedBody
    } else {
      state = .ready
    }
    return head
  }
}

extension RequestParser {
  /// The target of a head with these fields. Keeps the head if the target is refused.
  private mutating func target(
    _ method: Method, _ version: Version, _ fields: Fields
  ) throws(RequestFault) -> Target {
    let range = (methodEnd + 1)..<targetEnd
    do throws(RequestFault) { return try Target(fields.bytes, range, method: method) } catch {
      refusedHead = RequestHead(
        method: method, version: version, fields: fields, framing: Framing(),
        keepsConnection: false, target: Target(refused: range, in: fields.bytes),
        peer: peer)
      throw error
    }
  }
}

extension Fields {
  /// Replaces the Host field with the authority of an absolute target (RFC 9112 §3.2.2).
  fileprivate mutating func setHost(_ authority: Range<Int>, line: Int?) {
    if let line {
      lines[line].valueStart = UInt32(authority.lowerBound)
      lines[line].valueEnd = UInt32(authority.upperBound)
    } else {
      let start = UInt32(bytes.count)
      bytes.append(contentsOf: "Host".utf8)
      lines.append(
        Line(
          nameStart: start, nameEnd: start + 4,
          valueStart: UInt32(authority.lowerBound), valueEnd: UInt32(authority.upperBound)))
    }
  }
}
