import JSON

/// Reads one event stream off a connection, as a browser's `EventSource` does.
final class EventReader {
  /// One block; `name` is nil for comments.
  struct Event: Sendable, Equatable {
    var name: String?
    var id: Int?
    var data: JSONValue?
    var isComment = false
    var retry: Int?

    func at(_ pointer: String) -> JSONValue? {
      data.flatMap { JSONPointer(text: pointer)?.evaluate($0) }
    }

    func number(_ pointer: String) -> Int? { at(pointer)?.number }
  }

  let head: Answer
  let client: Client
  private let isChunked: Bool
  /// As it came, and without the framing.
  private var raw: [UInt8] = []
  private var text: [UInt8] = []
  private(set) var hasEnded = false

  init(
    _ client: Client, _ path: String, after id: Int? = nil, version: String = "1.1"
  ) throws {
    self.client = client
    var lines = "GET \(path) HTTP/\(version)\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
    if let id { lines += "Last-Event-ID: \(id)\r\n" }
    try client.write(Array((lines + "\r\n").utf8))
    head = try client.readAnswer()
    isChunked = head["transfer-encoding"] == "chunked"
  }

  /// The next block; nil at the stream's end.
  ///
  /// - Throws: `closed` where the stream was broken off.
  func nextBlock() throws -> Event? {
    while true {
      if let end = text.firstRange(of: [10, 10]) {
        let block = String(decoding: text[..<end.lowerBound], as: UTF8.self)
        text.removeFirst(end.upperBound)
        return Self.event(block)
      }
      if hasEnded { return nil }
      guard let piece = try client.readSome() else {
        guard !isChunked else { throw Client.Fault.closed }
        hasEnded = true
        return nil
      }
      if isChunked {
        raw += piece
        try takeChunks()
      } else {
        text += piece
      }
    }
  }

  /// The next event that is no position; nil at the stream's end.
  func next() throws -> Event? {
    while let block = try nextBlock() {
      if block.name != nil, block.name != "position" { return block }
    }
    return nil
  }

  private func takeChunks() throws {
    while !hasEnded, let line = raw.firstRange(of: [13, 10]) {
      let size = String(decoding: raw[..<line.lowerBound], as: UTF8.self)
      guard let count = Int(size, radix: 16) else { throw Client.Fault.malformed(size) }
      guard raw.count >= line.upperBound + count + 2 else { return }
      text += raw[line.upperBound..<line.upperBound + count]
      raw.removeFirst(line.upperBound + count + 2)
      hasEnded = count == 0
    }
  }

  private static func event(_ block: String) -> Event {
    var event = Event()
    for line in block.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = String(parts.count > 1 ? parts[1].drop { $0 == " " } : "")
      switch parts[0] {
      case "": event.isComment = true
      case "event": event.name = value
      case "id": event.id = Int(value)
      case "retry": event.retry = Int(value)
      case "data": event.data = try? JSONReader.parse(Array(value.utf8))
      default: break
      }
    }
    return event
  }
}
