/// One block of an event stream.
struct ServerSentEvent: Equatable {
  /// The event's name; `message` if the block has none.
  var name: String
  var data: String
  /// The id to resume after this event; nil if the stream has sent none yet.
  var id: String?
}

/// Parses an event stream as its bytes arrive (HTML §9.2.6, "Interpreting an event stream").
struct EventStreamParser {
  /// The id to resume after: that of the last complete block. A block that was cut off is sent again.
  private(set) var lastID: String?
  /// The time that the server wants before a new connection, in milliseconds.
  private(set) var retry: Int?
  /// Whether a complete block has arrived.
  private(set) var hasBlock = false
  private var pendingID: String?
  private var line: [UInt8] = []
  private var isBehindReturn = false
  private var name = ""
  private var data: [String] = []

  init(lastID: String? = nil) {
    self.lastID = lastID
    pendingID = lastID
  }

  /// - Returns: The events that these bytes complete.
  mutating func feed(_ bytes: some Sequence<UInt8>) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    for byte in bytes {
      let wasBehindReturn = isBehindReturn
      isBehindReturn = byte == UInt8(ascii: "\r")
      switch byte {
      // The carriage return before has already ended the line.
      case UInt8(ascii: "\n") where wasBehindReturn: break
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        if let event = endLine() { events.append(event) }
      default: line.append(byte)
      }
    }
    return events
  }

  private mutating func endLine() -> ServerSentEvent? {
    defer { line.removeAll(keepingCapacity: true) }
    guard !line.isEmpty else { return endBlock() }
    let text = String(decoding: line, as: UTF8.self)
    guard let colon = text.firstIndex(of: ":") else {
      take(text, "")
      return nil
    }
    var value = text[text.index(after: colon)...]
    if value.hasPrefix(" ") { value.removeFirst() }
    take(String(text[..<colon]), String(value))
    return nil
  }

  private mutating func take(_ field: String, _ value: String) {
    switch field {
    case "event": name = value
    case "data": data.append(value)
    case "id" where !value.contains("\0"): pendingID = value
    case "retry": if let time = Int(value), time >= 0 { retry = time }
    // Comments, and fields of newer servers.
    default: break
    }
  }

  private mutating func endBlock() -> ServerSentEvent? {
    defer {
      name = ""
      data = []
    }
    hasBlock = true
    lastID = pendingID
    guard !data.isEmpty else { return nil }
    return ServerSentEvent(
      name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"), id: lastID)
  }
}
