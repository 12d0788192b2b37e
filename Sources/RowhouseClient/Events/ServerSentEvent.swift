/// One block of an event stream.
struct ServerSentEvent: Equatable {
  /// `message` where the block names none.
  var name: String
  var data: String
  /// The id to resume behind once it has been taken; nil where the stream has named none yet.
  var id: String?
}

/// Takes an event stream apart as its bytes come (HTML §9.2.6, "Interpreting an event stream").
struct EventStreamParser {
  /// The id to resume behind: that of the last whole block, since one that was cut off is sent again.
  private(set) var lastID: String?
  /// How long the server wants to be left alone before a new connection, in milliseconds.
  private(set) var retry: Int?
  /// Whether a block has come whole.
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

  /// - Returns: the events that these bytes complete.
  mutating func feed(_ bytes: some Sequence<UInt8>) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    for byte in bytes {
      let wasBehindReturn = isBehindReturn
      isBehindReturn = byte == UInt8(ascii: "\r")
      switch byte {
      // The second half of a line's end that the return has ended.
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
    // Comments, and what is yet to be invented.
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
