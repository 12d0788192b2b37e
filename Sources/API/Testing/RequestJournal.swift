import HTTP
import JSON
import Synchronization

/// The latest requests of a server in test mode, without tokens.
final class RequestJournal: Sendable {
  struct Entry: Sendable {
    let method: String
    /// The path with its query.
    let target: String
    /// The start of the body, at most `bodyLimit` bytes.
    var body: [UInt8] = []
    var bodySize = 0
    /// Nil while there is no answer. It is set even if the answer is lost on purpose.
    var status: Int?
    /// The effect of the rule that hit the request.
    let effect: FaultRule.EffectName?
    let delay: Int64
  }

  struct State: Sendable {
    /// Oldest first.
    var entries: [Entry] = []
    var bytes = 0
    /// The entries removed to make room.
    var dropped = 0
    /// The number of the first entry, counted since the start.
    fileprivate var first = 0

    fileprivate mutating func drop() {
      bytes -= entries[0].size
      entries.removeFirst()
      first += 1
      dropped += 1
    }
  }

  static let limit = 1_000
  static let bodyLimit = 8 << 10
  /// The most bytes that all entries have together.
  static let byteLimit = 2 << 20

  private let state = Mutex(State())

  var present: State { state.withLock { $0 } }

  func clear() {
    state.withLock { $0 = State(first: $0.first + $0.entries.count) }
  }

  /// Notes a request when its head is read. Returns its number for `change`.
  func begin(_ head: RequestHead, _ rule: FaultRule?) -> Int {
    let entry = Entry(
      method: head.method.name, target: Self.target(of: head), effect: rule?.effect?.name,
      delay: rule?.delay ?? 0)
    return state.withLock { state in
      state.entries.append(entry)
      state.bytes += entry.size
      while state.entries.count > Self.limit || state.bytes > Self.byteLimit { state.drop() }
      return state.first + state.entries.count - 1
    }
  }

  /// Changes a request's entry, unless it has been dropped.
  func change(_ number: Int, _ body: (inout Entry) -> Void) {
    state.withLock { state in
      let index = number - state.first
      guard state.entries.indices.contains(index) else { return }
      state.bytes -= state.entries[index].size
      body(&state.entries[index])
      state.bytes += state.entries[index].size
      while state.bytes > Self.byteLimit { state.drop() }
    }
  }

  /// The path and the query without tokens. A token may be percent-encoded.
  private static func target(of head: RequestHead) -> String {
    let bytes = head.rawPath + (head.rawQuery.map { [UInt8(ascii: "?")] + $0 } ?? [])
    let text = String(decoding: bytes, as: UTF8.self)
    let plain = PercentEncoding.decode(bytes) ?? text
    return plain.withoutTokens == plain ? text : plain.withoutTokens
  }
}

extension RequestJournal.Entry {
  fileprivate var size: Int { target.utf8.count + body.count + 128 }

  /// Takes the next bytes of the body.
  mutating func take(_ piece: Span<UInt8>) {
    bodySize += piece.count
    let room = RequestJournal.bodyLimit - body.count
    guard room > 0, piece.count > 0 else { return }
    piece.extracting(first: min(room, piece.count)).withUnsafeBufferPointer {
      body.append(contentsOf: $0)
    }
  }

  /// The start of the body as text; nil if there is no body, or it is no text.
  fileprivate var text: String? {
    guard !body.isEmpty else { return nil }
    // The limit may cut the last character.
    for missing in 0..<4 {
      if let text = String(validating: body.dropLast(missing), as: UTF8.self) {
        return text.withoutTokens
      }
      if bodySize == body.count { break }
    }
    return nil
  }
}

extension FaultRule.Effect {
  var name: FaultRule.EffectName {
    switch self {
    case .refuse: .refuse
    case .disconnect: .disconnect
    case .loseAnswer: .loseAnswer
    case .cutAnswer: .cutAnswer
    case .stallEvents: .stallEvents
    case .cutEvents: .cutEvents
    }
  }
}

extension JSONWriter {
  mutating func entryMembers(_ entry: RequestJournal.Entry) {
    member("method", entry.method)
    member("path", entry.target)
    member("status", entry.status)
    member("body", entry.text)
    member("bodySize", entry.bodySize)
    member("effect", entry.effect?.rawValue)
    member("delay", entry.delay)
  }
}
