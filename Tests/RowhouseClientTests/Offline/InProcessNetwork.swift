import Dispatch
import Foundation
import InProcessServer
import RowhouseClient
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A network of one client to a server in this process. On demand it loses answers and cuts connections.
final class InProcessNetwork: Sendable {
  fileprivate struct State {
    var answersToDrop = 0
    var isDown = false
    var calls: [ObjectIdentifier: InProcessCall] = [:]
  }

  private static let all = Mutex<[String: InProcessNetwork]>([:])
  let server: InProcessServer
  private let host: String
  private let url: URL
  private let state = Mutex(State())

  init(to server: InProcessServer) throws {
    self.server = server
    let host = "\(UUID()).test".lowercased()
    self.host = host
    url = try #require(URL(string: "http://\(host)"))
    Self.all.withLock { $0[host] = self }
  }

  /// The requests to its host no longer arrive.
  func close() { Self.all.withLock { $0[host] = nil } }

  static func network(of request: URLRequest) -> InProcessNetwork? {
    request.url?.host().flatMap { host in all.withLock { $0[host] } }
  }

  func client(retries: RetryPolicy) -> Rowhouse {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [InProcessProtocol.self]
    return Rowhouse(at: url, retries: retries, configuration: configuration)
  }

  func cut() {
    let calls = state.withLock { state in
      defer { state.calls = [:] }
      return Array(state.calls.values)
    }
    for call in calls { call.lose() }
  }

  /// Lets the next requests reach the server, and none of their answers the client.
  func dropAnswers(_ count: Int) { state.withLock { $0.answersToDrop = count } }

  func goDown() {
    state.withLock { $0.isDown = true }
    cut()
  }

  func comeBack() { state.withLock { $0.isDown = false } }

  fileprivate func admit(_ call: InProcessCall) -> Bool {
    state.withLock { state in
      if !state.isDown { state.calls[ObjectIdentifier(call)] = call }
      return !state.isDown
    }
  }

  fileprivate func remove(_ call: InProcessCall) -> Bool {
    state.withLock { $0.calls.removeValue(forKey: ObjectIdentifier(call)) != nil }
  }

  /// Whether a call may go on.
  fileprivate func passes(_ piece: InProcessServer.Piece, of call: InProcessCall) -> Bool {
    state.withLock { state in
      guard state.calls[ObjectIdentifier(call)] != nil else { return false }
      if case .head = piece, state.answersToDrop > 0 {
        state.answersToDrop -= 1
        return false
      }
      return true
    }
  }
}

/// The calls through an ``InProcessNetwork``.
final class InProcessProtocol: URLProtocol {
  private lazy var call = InProcessCall(of: self)

  override static func canInit(with request: URLRequest) -> Bool {
    InProcessNetwork.network(of: request) != nil
  }

  override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() { call.start(request) }

  override func stopLoading() { call.stop() }
}

/// A request and what arrives of its answer. `URLProtocol` is not `Sendable`, but this uses it under a lock only, and does
/// not set its weak reference again.
///
/// FoundationNetworking expects the calls of `URLProtocolClient` on the session's queue, which only `startLoading` runs
/// on. From another thread they race with the session's other tasks. So `startLoading` waits for the whole answer, but
/// not for an event stream's, whose session has no other task.
private final class InProcessCall: @unchecked Sendable {
  private typealias Telling = @Sendable (any URLProtocolClient, InProcessProtocol) -> Void
  private weak var loader: InProcessProtocol?
  private let network: InProcessNetwork?
  private let exchange = Mutex<InProcessServer.Exchange?>(nil)
  private let isStream: Bool
  /// What the client will be told, and whether that is all.
  private let answer = Mutex<(tellings: [Telling], isOver: Bool)>(([], false))
  private let end = DispatchSemaphore(value: 0)

  init(of loader: InProcessProtocol) {
    self.loader = loader
    network = InProcessNetwork.network(of: loader.request)
    isStream = loader.request.value(forHTTPHeaderField: "Accept") == "text/event-stream"
  }

  func start(_ request: URLRequest) {
    send(request)
    guard !isStream else { return }
    end.wait()
    guard let loader, let client = loader.client else { return }
    for tell in answer.withLock(\.tellings) { tell(client, loader) }
  }

  private func send(_ request: URLRequest) {
    guard let network, let url = request.url, network.admit(self) else {
      return fail(.cannotConnectToHost)
    }
    let target = url.path(percentEncoded: true) + (url.query().map { "?\($0)" } ?? "")
    let fields = (request.allHTTPHeaderFields ?? [:]).map { (name: $0.key, value: $0.value) }
    let made = network.server.send(
      request.httpMethod ?? "GET", target, fields: fields, body: Array(request.httpBody ?? Data())
    ) { [self] piece in
      if network.passes(piece, of: self) {
        take(piece, url, network)
      } else if network.remove(self) {
        lose()
      }
    }
    exchange.withLock { $0 = made }
  }

  private func take(_ piece: InProcessServer.Piece, _ url: URL, _ network: InProcessNetwork) {
    switch piece {
    case .head(let status, let fields):
      let response = HTTPURLResponse(
        url: url, statusCode: status, httpVersion: "HTTP/1.1",
        headerFields: Dictionary(fields.map { ($0.name, $0.value) }) { "\($0), \($1)" })
      if let response {
        tell { $0.urlProtocol($1, didReceive: response, cacheStoragePolicy: .notAllowed) }
      }
    case .bytes(let bytes): tell { $0.urlProtocol($1, didLoad: Data(bytes)) }
    case .end: if network.remove(self) { tell(isLast: true) { $0.urlProtocolDidFinishLoading($1) } }
    case .lost: if network.remove(self) { fail(.networkConnectionLost) }
    }
  }

  private func fail(_ code: URLError.Code) {
    tell(isLast: true) { $0.urlProtocol($1, didFailWithError: URLError(code)) }
  }

  /// Calls the client, unless it has been told the end: a cut comes from another thread than the answer.
  private func tell(isLast: Bool = false, _ body: @escaping Telling) {
    answer.withLock { answer in
      guard !answer.isOver else { return }
      answer.isOver = isLast
      answer.tellings.append(body)
      guard isStream else {
        if isLast { end.signal() }
        return
      }
      answer.tellings = []
      // A cancelled task ends by itself, some time later. FoundationNetworking stops the process if it ends twice.
      guard let loader, let client = loader.client, loader.task?.state != .canceling else { return }
      body(client, loader)
    }
  }

  /// Loses the rest of the answer.
  func lose() {
    fail(.networkConnectionLost)
    cancel()
  }

  func stop() {
    // FoundationNetworking forgets the task after this, and stops the process if it is told more of it.
    answer.withLock { $0.isOver = true }
    if network?.remove(self) == true { cancel() }
  }

  private func cancel() {
    if let exchange = exchange.withLock(\.self) { network?.server.cancel(exchange) }
  }
}
