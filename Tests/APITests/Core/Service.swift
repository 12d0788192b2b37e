import API
import Dispatch
import FoundationEssentials
import HTTP
import Inventory
import JSON
import Support
import Synchronization
import Testing

/// The API over a store of plain arrays, asked without a socket.
final class Service {
  let store: ArrayStore
  let handler: APIHandler
  /// Whether the answers are those that its own store leads to, and not made up.
  private let isOwnStore: Bool
  private var now: Int64 = 1_000

  init(
    store: ArrayStore = ArrayStore(), asking other: (any Store)? = nil, role: Role = .admin,
    root: ListID? = nil, requiresPreconditions: Bool = false, eventStreams: Int = 1_000,
    configure: (inout Configuration) -> Void = { _ in }
  ) throws {
    self.store = store
    isOwnStore = other == nil
    let caller = Caller(root: root, role: role, name: "test")
    var configuration = Configuration(
      version: "1.2.3", build: "abc", about: .init(licence: "MIT"),
      requiresPreconditions: requiresPreconditions, defaultCaller: caller)
    configuration.eventStreams = EventStreamLimit(eventStreams)
    configure(&configuration)
    handler = try APIHandler(store: other ?? store, configuration: configuration)
  }

  /// What the loop does before it waits; so many milliseconds of its clock later.
  func endWakeUp(after milliseconds: Int64 = 1_000) {
    now += milliseconds
    _ = handler.wakeUpEnded(now: now)
  }

  /// The same store, asked by somebody else.
  func asked(by role: Role, root: ListID? = nil) throws -> Service {
    try Service(store: store, role: role, root: root)
  }

  /// Sends a request as the server would: first the head, then all of it.
  @discardableResult
  func send(
    _ method: HTTP.Method, _ target: String, fields: Fields = Fields(), bytes: [UInt8] = []
  ) throws -> Answer {
    var (answer, source) = try exchange(method, target, fields: fields, bytes: bytes)
    if let source, !source.isEndless {
      answer.length = source.length
      if method != .head { answer.body = try source.whole() }
    }
    source?.ended(.complete)
    if isOwnStore, !(source?.isEndless ?? false) {
      let head = try RequestHead(method: method, target: target, fields: fields)
      Contract.hold(answer, to: head, body: bytes)
    }
    return answer
  }

  /// Asks for a stream.
  func follow(_ target: String, _ fields: Fields = Fields()) throws -> FollowedStream {
    let (answer, source) = try exchange(.get, target, fields: fields)
    return FollowedStream(answer, try #require(source), in: self)
  }

  /// The same with a body in pieces left as it is.
  func exchange(
    _ method: HTTP.Method, _ target: String, fields: Fields = Fields(), bytes: [UInt8] = [],
    peer: Peer? = nil
  ) throws -> (Answer, (any BodySource)?) {
    var fields = fields
    if !bytes.isEmpty { fields.append("Content-Length", String(bytes.count)) }
    let head = try RequestHead(method: method, target: target, fields: fields, peer: peer)
    switch handler.begin(head) {
    case .respond(let response): return (Answer(response), nil)
    case .stream(let receiver): return try stream(bytes, to: receiver)
    case .buffer(let limit, let answer):
      guard bytes.count <= limit else {
        return (
          Answer(handler.refusal(.bodyTooLarge, to: head)), nil
        )
      }
      let sink = Inbox()
      let responder = Responder(ticket: Ticket(connection: 0, request: 0), sink: sink)
      return try finish(answer(bytes, responder), responder, sink)
    }
  }

  /// Sends a body in pieces, as the server does.
  private func stream(
    _ bytes: [UInt8], to receiver: any BodyReceiver
  ) throws -> (Answer, (any BodySource)?) {
    guard bytes.count <= receiver.limit else {
      receiver.brokenOff()
      let refusal = handler.refusal(.bodyTooLarge, to: nil)
      return (Answer(refusal), nil)
    }
    let sink = Inbox()
    let ticket = Ticket(connection: 0, request: 0)
    receiver.started(StreamSignal(ticket: ticket, sink: sink))
    for start in stride(from: 0, to: bytes.count, by: 1_000) {
      let piece = Array(bytes[start..<min(start + 1_000, bytes.count)])
      if case .respond(let response) = receiver.receive(piece.span) {
        return (Answer(response), nil)
      }
    }
    let responder = Responder(ticket: ticket, sink: sink)
    return try finish(receiver.finish(responder), responder, sink)
  }

  private func finish(
    _ reply: Reply, _ responder: Responder, _ sink: Inbox
  ) throws -> (Answer, (any BodySource)?) {
    let response: Response
    switch reply {
    case .now(let given):
      responder.retire()
      response = given
    case .later: response = try sink.wait()
    }
    return (Answer(response), response.stream)
  }

  /// Asks for a file and reads it to its end.
  func download(_ target: String) throws -> Answer {
    var (answer, source) = try exchange(.get, target)
    guard let source else { return answer }
    while true {
      switch source.pull(into: &answer.body, limit: 64 << 10) {
      case .more: continue
      case .end:
        #expect(source.length == answer.body.count)
        source.ended(.complete)
        return answer
      case .wait, .fail: throw Unanswered()
      }
    }
  }

  @discardableResult
  func send(
    _ method: HTTP.Method, _ target: String, _ body: JSONValue, _ fields: Fields = Fields()
  ) throws -> Answer {
    var fields = fields
    if fields["content-type"] == nil { fields.append("Content-Type", "application/json") }
    var writer = JSONWriter()
    writer.value(body)
    return try send(method, target, fields: fields, bytes: writer.finish())
  }

  @discardableResult
  func send(
    _ method: HTTP.Method, _ target: String, text: String, type: String = "application/json"
  ) throws -> Answer {
    try send(method, target, fields: ["Content-Type": type], bytes: Array(text.utf8))
  }

  func get(_ target: String, _ fields: Fields = Fields()) throws -> Answer {
    try send(.get, target, fields: fields)
  }

  struct Unanswered: Error {}
}

/// Keeps the answer that a responder sends.
final class Inbox: ReplySink {
  private let calls = Atomic<Int>(0)
  private let delivered = Mutex<Response?>(nil)
  private let arrival = DispatchSemaphore(value: 0)
  var answer: Response? { delivered.withLock { $0 } }

  /// The answer, which may come from another thread; for one to wait for.
  func wait() throws -> Response {
    guard arrival.wait(timeout: .now() + 600) == .success, let answer else {
      throw Service.Unanswered()
    }
    return answer
  }

  /// How often a stream was told to go on.
  var resumptions: Int { calls.load(ordering: .relaxed) }

  func deliver(_ response: Response, for ticket: Ticket) {
    delivered.withLock { $0 = response }
    arrival.signal()
  }
  func resume(_ ticket: Ticket) { calls.add(1, ordering: .relaxed) }
  func abandon(_ ticket: Ticket) {}
}

/// An answer with its body read as JSON.
struct Answer {
  let status: Int
  let fields: Fields
  /// Whose token the log names.
  let token: (high: UInt64, low: UInt64)?
  var body: [UInt8]
  /// What a body in pieces says that it will be, in bytes.
  var length: Int?

  init(_ response: Response) {
    status = response.status
    fields = response.fields
    token = response.token
    body = response.bytes
  }

  var json: JSONValue? { try? JSONReader.parse(body, maximumDepth: JSONReader.deepest) }

  /// The value at a JSON Pointer; nil if there is none.
  subscript(pointer: String) -> JSONValue? {
    json.flatMap { JSONPointer(text: pointer)?.evaluate($0) }
  }

  func text(_ pointer: String) -> String? {
    guard case .string(let text) = self[pointer] else { return nil }
    return text
  }

  func number(_ pointer: String) -> Int? {
    guard case .number(let number) = self[pointer] else { return nil }
    return Int(number.text)
  }

  /// The value of a member of every element of an array.
  func all(_ array: String, _ member: String) -> [JSONValue?] {
    guard case .array(let elements) = self[array] else { return [] }
    return elements.map { JSONPointer(tokens: [member]).evaluate($0) }
  }

  func texts(_ array: String, _ member: String) -> [String] {
    all(array, member).compactMap { value in
      if case .string(let text) = value { text } else { nil }
    }
  }

  func keys(_ pointer: String = "") -> [String] {
    guard case .object(let object) = self[pointer] else { return [] }
    return object.members.map(\.key)
  }

  /// The pointers or parameters that a problem names.
  var faults: [String] {
    texts("/errors", "pointer") + texts("/errors", "parameter")
  }

  var code: String? { text("/code") }

  /// The target of the `Link` field's link of that relation (RFC 8288).
  func link(_ relation: String) -> String? {
    for link in (fields["link"] ?? "").split(separator: ", ")
    where link.hasSuffix(">; rel=\"\(relation)\"") {
      return String(link.dropFirst().prefix { $0 != ">" })
    }
    return nil
  }
}

extension Service {
  /// A list with things named so, at the end of the root list.
  func makeList(
    _ title: String = "Shelf", in parent: String = "root", things: [String] = [],
    _ extra: [String: JSONValue] = [:]
  ) throws -> MadeList {
    var body = JSONObject([("title", .string(title)), ("parentId", .string(parent))])
    for (key, value) in extra { body.set(key, to: value) }
    let list = try send(.post, "/v1/lists", .object(body))
    try #require(list.status == 201)
    let id = try #require(list.text("/id"))
    var rows: [String] = []
    for name in things { rows.append(try makeThing(name, in: id)) }
    return MadeList(id: id, rows: rows)
  }

  struct MadeList {
    let id: String
    let rows: [String]
    var path: String { "/v1/lists/\(id)" }
  }

  @discardableResult
  func makeThing(_ name: String, in list: String) throws -> String {
    let item = try send(.post, "/v1/lists/\(list)/items", ["name": .string(name)])
    try #require(item.status == 201)
    return try #require(item.text("/id"))
  }

  /// The titles of a list's rows in order, without the sentinel.
  func titles(of list: MadeList) throws -> [String] {
    try get(list.path + "/rows?sentinel=false&limit=1000").texts("/rows", "title")
  }

  /// An owner's token, and how a request shows it.
  func makeToken() throws -> (id: TokenID, fields: Fields) {
    let (credential, text) = Credential.random()
    let made = Support.Awaited<Result<Administration.Outcome, InventoryError>>()
    store.administer(
      .createToken(NewToken(credential: credential, name: "Sam", role: .owner)), as: .local
    ) { made.fulfill($0) }
    _ = try made.value.get()
    return (credential.token, ["Authorization": "Bearer \(text)"])
  }

  func permit(_ permissions: JSONValue, in list: MadeList) throws {
    let answer = try send(.patch, list.path, ["permissions": permissions])
    try #require(answer.status == 200)
  }
}

extension JSONValue {
  /// A number as it is written.
  static func decimal(_ text: String) -> JSONValue {
    JSONNumber(text: text).map(JSONValue.number) ?? .null
  }
}
