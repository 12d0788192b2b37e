import Dispatch
import Foundation
import HTTP
import Inventory
import Storage
import Support
import Testing

@testable import API

/// A copy of an `AccessWorld` that requests are sent to, on SQLite as in earnest.
final class AccessDoor {
  let service: Service
  private let world: AccessWorld
  private let folder: TemporaryFolder
  private let store: DatabaseStore

  init(_ world: AccessWorld) throws {
    self.world = world
    folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: world.folder.database, toPath: folder.database)
    let store = try DatabaseStore(DatabaseStore.Configuration(path: folder.database))
    self.store = store
    service = try Service(asking: store) { $0.demandsTokens = true }
  }

  deinit { store.close() }

  /// The request as text: what of it could be repeated in an answer.
  struct Sent {
    let target: String
    let body: [UInt8]
  }

  func request(_ line: AccessLine, _ names: AccessWorld.Names) -> Sent {
    let body: [UInt8] =
      switch line.body {
      case nil: []
      case AccessLine.photo?: SampleImage.png()
      case AccessLine.rendition?: SampleImage.webp(128, 96)
      case AccessLine.export?: Array(world.export.utf8)
      case AccessLine.outsideExport?: Array(world.outsideExport.utf8)
      case let text?: Array(filled(text, names).utf8)
      }
    return Sent(target: filled(line.target, names), body: body)
  }

  private func filled(_ text: String, _ names: AccessWorld.Names) -> String {
    names.reduce(text) { $0.replacing($1.key, with: $1.value) }
  }

  /// Sends a line's request as one of the callers.
  func ask(
    _ line: AccessLine, as caller: AccessCaller, _ names: AccessWorld.Names, _ more: Fields = [:]
  ) throws -> (sent: Sent, answer: Answer) {
    var names = names
    names["NAVIGATOR"] = names["NAVIGATOR"] ?? world.navigators[caller] ?? UUID().uuidString
    let sent = request(line, names)
    // Answers repeat it, and are compared.
    var fields = more
    fields.append("X-Request-Id", "asked")
    if let token = world.tokens[caller] { fields.append("Authorization", "Bearer \(token)") }
    if line.body != nil, ![AccessLine.photo, AccessLine.rendition].contains(line.body) {
      fields.append("Content-Type", line.type ?? "application/json")
    }
    var (answer, source) = try service.exchange(
      line.method, sent.target, fields: fields, bytes: sent.body)
    if let source {
      answer.body = try BodyReading(source).bytes { self.service.endWakeUp() }
    }
    return (sent, answer)
  }
}

/// Reads a body in pieces as far as it goes; what comes later is waited for, but not in a stream without an end.
private final class BodyReading: ReplySink {
  private let source: any BodySource
  private let resumed = DispatchSemaphore(value: 0)

  init(_ source: any BodySource) { self.source = source }

  func bytes(wakeUp: () -> Void) throws -> [UInt8] {
    let signal = StreamSignal(ticket: Ticket(connection: 0, request: 0), sink: self)
    source.started(signal)
    var bytes: [UInt8] = []
    var rounds = 0
    while true {
      signal.lower()
      switch source.pull(into: &bytes, limit: 60_000) {
      case .more: continue
      case .end, .fail:
        source.ended(.complete)
        return bytes
      case .wait:
        guard source.isEndless else {
          try #require(resumed.wait(timeout: .now() + 600) == .success)
          continue
        }
        rounds += 1
        guard rounds < 3 else {
          source.ended(.clientGone)
          return bytes
        }
        wakeUp()
      }
    }
  }

  func deliver(_ response: Response, for ticket: Ticket) {}
  func resume(_ ticket: Ticket) { resumed.signal() }
  func abandon(_ ticket: Ticket) {}
}
