/// Reads one chunked body (RFC 9112 §7.1) in pieces. Extensions and trailers are checked, limited and dropped.
struct ChunkedBody {
  enum Event {
    case more
    /// A range of data in the input.
    case data(Range<Int>)
    case end
  }

  private enum State {
    case size, sizeBlank, extensions, sizeLineFeed
    case data, dataReturn, dataLineFeed
    case trailerStart, trailerName, trailerValue, trailerLineFeed, lastLineFeed
  }

  /// The largest size in bytes of all chunk extensions of one body.
  private static let extensionLimit = 16 << 10
  /// The most digits of a chunk size, with leading zeros.
  private static let sizeDigits = 16

  private let trailerLimit: Int
  private var state = State.size
  private var digits = 0
  private var left = 0
  private var extensionBytes = 0
  private var trailerBytes = 0

  /// The bytes missing from the current chunk; 0 between chunks.
  var chunkRemaining: Int { state == .data ? left : 0 }

  init(trailerLimit: Int) { self.trailerLimit = trailerLimit }

  mutating func next(
    _ input: Span<UInt8>, from offset: inout Int
  ) throws(RequestFault) -> Event {
    while offset < input.count {
      if state == .data {
        let start = offset
        let taken = min(left, input.count - start)
        left -= taken
        offset += taken
        if left == 0 { state = .dataReturn }
        return .data(start..<offset)
      }
      let byte = input[offset]
      offset += 1
      if try takes(byte) { return .end }
    }
    return .more
  }

  /// Reads a framing byte. True if it ends the body.
  private mutating func takes(_ byte: UInt8) throws(RequestFault) -> Bool {
    switch state {
    case .size: try readSize(byte)
    case .sizeBlank:
      try countExtension()
      if byte == 0x3B {
        state = .extensions
      } else if byte != .space, byte != .tab {
        throw .malformedChunk
      }
    case .extensions:
      try countExtension()
      if byte == .carriageReturn {
        state = .sizeLineFeed
      } else if !byte.isFieldValueByte {
        throw .malformedChunk
      }
    case .sizeLineFeed:
      guard byte == .lineFeed else { throw .malformedChunk }
      state = left == 0 ? .trailerStart : .data
      digits = 0
    case .dataReturn:
      guard byte == .carriageReturn else { throw .malformedChunk }
      state = .dataLineFeed
    case .dataLineFeed:
      guard byte == .lineFeed else { throw .malformedChunk }
      state = .size
    case .trailerStart, .trailerName, .trailerValue, .trailerLineFeed:
      try readTrailer(byte)
    case .lastLineFeed:
      guard byte == .lineFeed else { throw .malformedTrailer }
      return true
    case .data: break
    }
    return false
  }

  private mutating func readSize(_ byte: UInt8) throws(RequestFault) {
    if let digit = byte.hexValue {
      digits += 1
      // Checked before the shift, which could overflow.
      guard digits <= Self.sizeDigits, left <= Int.max >> 4 else { throw .malformedChunk }
      left = left << 4 | Int(digit)
      return
    }
    guard digits > 0 else { throw .malformedChunk }
    switch byte {
    case .carriageReturn: state = .sizeLineFeed
    case 0x3B: state = .extensions
    case .space, .tab: state = .sizeBlank
    default: throw .malformedChunk
    }
  }

  private mutating func countExtension() throws(RequestFault) {
    extensionBytes += 1
    guard extensionBytes <= Self.extensionLimit else { throw .malformedChunk }
  }

  private mutating func readTrailer(_ byte: UInt8) throws(RequestFault) {
    trailerBytes += 1
    guard trailerBytes <= trailerLimit else { throw .malformedTrailer }
    switch state {
    case .trailerStart where byte == .carriageReturn:
      state = .lastLineFeed
    case .trailerStart, .trailerName:
      if byte == 0x3A, state == .trailerName {
        state = .trailerValue
      } else if ByteSet.token.contains(byte) {
        state = .trailerName
      } else {
        throw .malformedTrailer
      }
    case .trailerValue:
      if byte == .carriageReturn {
        state = .trailerLineFeed
      } else if !byte.isFieldValueByte {
        throw .malformedTrailer
      }
    default:
      guard byte == .lineFeed else { throw .malformedTrailer }
      state = .trailerStart
    }
  }
}
