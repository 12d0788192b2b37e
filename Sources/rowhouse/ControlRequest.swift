import API
import Dispatch
import FoundationEssentials
import Glibc
import HTTP
import Inventory
import Storage
import Synchronization

/// An administrator's request, sent to the server that runs on the database. If no server runs, this process opens the
/// database and answers the request itself.
struct ControlRequest {
  let method: HTTP.Method
  let target: String
  var body: [UInt8] = []
  /// The id of the inventory; nil: the default one.
  var inventory: String?

  /// Sends the request and returns the body of a successful answer.
  ///
  /// - Parameter options: the names of the command's options for error messages. The key is the JSON Pointer of the
  ///   body's member that the option sets.
  /// - Throws: the error of an answer whose status is not 2xx; `unavailable` if the server cannot be reached.
  func send(
    database path: String, members options: [String: String] = [:]
  ) throws(Failure) -> [UInt8] {
    let answer = try answer(database: path)
    guard answer.isGood else {
      let problem = ProblemText(answer.bytes)
      if let fault = problem?.errors?.first, let option = options[fault.pointer ?? ""] {
        throw Failure(.usage, "\(option): \(fault.detail)")
      }
      throw Failure(
        ExitCode(status: answer.status, code: problem?.code),
        problem?.detail ?? "The server answers \(answer.status).")
    }
    return answer.bytes
  }

  /// True if a running server answers 200. False if no server runs, and for a PostgreSQL database, which has no
  /// socket.
  ///
  /// - Throws: `unavailable` if the server answers with another status, or cannot be reached.
  func isAnsweredWell(database path: String) throws(Failure) -> Bool {
    guard let bytes = try exchange(path) else {
      return false
    }
    let answer = Self.read(bytes)
    guard answer?.status == 200 else {
      throw Failure(
        .unavailable,
        answer.flatMap { ProblemText($0.bytes)?.detail } ?? "The server is not ready.")
    }
    return true
  }

  private func answer(database path: String) throws(Failure) -> Response {
    if let bytes = try exchange(path) {
      guard let answer = Self.read(bytes) else {
        throw Failure(
          .unavailable, "The process that listens on \(path).socket does not speak HTTP.")
      }
      return answer
    }
    return try answerHere(path)
  }

  private func exchange(_ path: String) throws(Failure) -> [UInt8]? {
    try ControlSocket.exchange(
      database: Self.real(path), request, isWrite: method != .get)
  }

  private static func real(_ path: String) -> String {
    guard let text = realpath(path, nil) else { return path }
    defer { free(text) }
    return String(cString: text)
  }

  private var fields: Fields {
    var fields: Fields = ["Content-Type": "application/json", "Connection": "close"]
    if let inventory { fields.append("Rowhouse-Inventory", inventory) }
    return fields
  }

  private var request: [UInt8] {
    var text = "\(method.name) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    for (name, value) in fields.all { text += "\(name): \(value)\r\n" }
    if !body.isEmpty { text += "Content-Length: \(body.count)\r\n" }
    return Array((text + "\r\n").utf8) + body
  }

  private static func read(_ bytes: [UInt8]) -> Response? {
    let text = String(decoding: bytes.prefix(12), as: UTF8.self)
    guard text.hasPrefix("HTTP/1.1 "), let status = Int(text.suffix(3)),
      let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
    else { return nil }
    return Response(status: status, body: Array(bytes[end.upperBound...]))
  }

  private func answerHere(_ path: String) throws(Failure) -> Response {
    let store = try DatabaseStore.open(forCommand: path, isReading: method == .get)
    var isDone = false
    // A refusal and an interruption leave no new database.
    defer { if isDone { store.close() } else { store.discard() } }
    var configuration = API.Configuration(
      version: Version.number,
      defaultCaller: Caller(role: .admin, name: "command line", grant: .unconditional))
    configuration.isOpen = true
    let head: RequestHead
    let handler: APIHandler
    do throws(RequestFault) {
      var fields = fields
      if !body.isEmpty { fields.append("Content-Length", String(body.count)) }
      head = try RequestHead(method: method, target: target, fields: fields)
    } catch { throw Failure(.usage, error.detail) }
    do throws(InventoryError) {
      handler = try APIHandler(store: store, configuration: configuration)
    } catch { throw Failure(ExitCode(error), "The database cannot be read: \(error)") }
    let inbox = Inbox()
    let responder = Responder(ticket: Ticket(connection: 0, request: 0), sink: inbox)
    let reply: Reply =
      switch handler.begin(head) {
      case .respond(let response): .now(response)
      case .buffer(_, let answer): answer(body, responder)
      case .stream: throw Failure(.software, "The command sent a request with a streamed body.")
      }
    let answer: Response
    switch reply {
    case .now(let response):
      responder.retire()
      answer = response
    case .later: answer = inbox.wait()
    }
    try Interruption.check()
    isDone = answer.isGood
    return answer
  }

  /// Waits for one late answer.
  private final class Inbox: ReplySink {
    private let isGiven = DispatchSemaphore(value: 0)
    private let answer = Mutex(Response(status: 500))

    func wait() -> Response {
      isGiven.wait()
      return answer.withLock { $0 }
    }

    func deliver(_ response: Response, for ticket: Ticket) {
      answer.withLock { $0 = response }
      isGiven.signal()
    }

    func resume(_ ticket: Ticket) {}
    func abandon(_ ticket: Ticket) { isGiven.signal() }
  }
}

extension Response {
  fileprivate var isGood: Bool { (200...299).contains(status) }
}

/// The parts of a problem that are shown to people.
private struct ProblemText: Decodable {
  struct Fault: Decodable {
    let pointer: String?
    let detail: String
  }

  let detail: String
  let code: String?
  let errors: [Fault]?

  init?(_ body: [UInt8]) {
    guard let problem = try? JSONDecoder().decode(Self.self, from: Data(body)) else { return nil }
    self = problem
  }
}
