import HTTP
import JSON
import Testing

/// An event stream without a socket: the test is its server.
final class FollowedStream {
  let head: Answer
  private let service: Service
  let source: any BodySource
  private let resumes = Resumes()
  private let signal: StreamSignal
  private(set) var isAtEnd = false

  init(_ head: Answer, _ source: any BodySource, in service: Service) {
    self.head = head
    self.source = source
    self.service = service
    signal = StreamSignal(ticket: Ticket(connection: 0, request: 0), sink: resumes)
    source.started(signal)
  }

  deinit { source.ended(.clientGone) }

  /// What has come since the last look, once the loop has been through.
  func blocks() -> [EventBlock] { EventBlock.all(in: bytes()) }

  /// Those that are events, without positions.
  func events() -> [EventBlock] {
    blocks().filter { $0.event != nil && $0.event != "position" }
  }

  private func bytes() -> [UInt8] {
    var bytes: [UInt8] = []
    // A stream that waits is asked again only once it has said so.
    for _ in 0..<3 {
      pull(into: &bytes)
      service.endWakeUp()
    }
    pull(into: &bytes)
    return bytes
  }

  private func pull(into bytes: inout [UInt8]) {
    signal.lower()
    while !isAtEnd {
      switch source.pull(into: &bytes, limit: 100) {
      case .more: continue
      case .wait: return
      case .end, .fail: isAtEnd = true
      }
    }
  }

  /// Counts what asks for another pull.
  private final class Resumes: ReplySink {
    func deliver(_ response: Response, for ticket: Ticket) {}
    func resume(_ ticket: Ticket) {}
    func abandon(_ ticket: Ticket) {}
  }
}

/// One block of an event stream.
struct EventBlock {
  var event: String?
  var id: String?
  var data: JSONValue?
  var retry: String?
  var hasComment = false

  /// Splits as the HTML standard has it, for streams with line feeds alone.
  static func all(in bytes: [UInt8]) -> [EventBlock] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n\n").map { text in
      var block = EventBlock()
      for line in text.split(separator: "\n") {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = String(parts.count > 1 ? parts[1].drop { $0 == " " } : "")
        switch parts[0] {
        case "": block.hasComment = true
        case "event": block.event = value
        case "id": block.id = value
        case "retry": block.retry = value
        case "data": block.data = try? JSONReader.parse(Array(value.utf8))
        default: Issue.record("no such field: \(line)")
        }
      }
      return block
    }
  }

  subscript(pointer: String) -> JSONValue? {
    data.flatMap { JSONPointer(text: pointer)?.evaluate($0) }
  }

  var keys: [String] {
    guard case .object(let object)? = data else { return [] }
    return object.members.map(\.key)
  }

  func texts(_ pointer: String) -> [String] {
    guard case .array(let elements) = self[pointer] else { return [] }
    return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  func number(_ pointer: String) -> Int? {
    guard case .number(let number) = self[pointer] else { return nil }
    return Int(number.text)
  }
}
