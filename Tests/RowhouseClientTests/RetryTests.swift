import Foundation
import RowhouseTesting
import Testing

@testable import RowhouseClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Which calls are made again, and when.
@Suite struct RetryTests {
  let server: RowhouseTestServer
  let network: FlakyNetwork
  let rowhouse: Rowhouse

  init() throws {
    server = try makeServer()
    network = try FlakyNetwork(to: server.url)
    rowhouse = Rowhouse(at: network.url, retries: .quick)
  }

  private func isUnreachable(_ error: RowhouseError?) -> Bool {
    if case .unreachable = error { true } else { false }
  }

  @Test func `Tokens are made and revoked by one try`() async throws {
    let admin = try #require(
      try await server.rowhouse.createToken(for: "Admin", role: .admin).token)
    let beside = Rowhouse(at: server.url, token: admin)
    let caller = Rowhouse(at: network.url, token: admin, retries: rowhouse.retries)
    network.dropAnswers(1)
    let lost = await #expect(throws: RowhouseError.self) {
      try await caller.createToken(for: "Kim", role: .editor)
    }
    #expect(isUnreachable(lost))
    let tokens = try await beside.tokens()
    #expect(tokens.map(\.name).sorted() == ["Admin", "Kim"])
    let kim = try #require(tokens.first { $0.name == "Kim" })
    network.dropAnswers(1)
    let unheard = await #expect(throws: RowhouseError.self) {
      try await caller.revokeToken(kim.id)
    }
    #expect(isUnreachable(unheard))
    #expect(try await beside.tokens().map(\.name) == ["Admin"])
  }

  @Test func `A server that is busy is asked again, with the same key`() async throws {
    let busy = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n"
    network.answer(with: [
      [busy], [busy], ["HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"],
    ])
    #expect(try await rowhouse.createItem(ItemDraft(name: "Saw")).index == 0)
    let keys = network.answered.map { head in
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("idempotency-key:") }
    }
    #expect(keys.count == 3)
    #expect(Set(keys).count == 1)
    #expect(keys.first != .some(nil))
    #expect(try await server.rowhouse.rows().count == 1)
  }

  @Test func `Waits double up to the longest, and keep to what the server asks`() {
    let policy = RetryPolicy(attempts: 9, firstDelay: .seconds(1), longestDelay: .seconds(5))
    for (attempt, most) in [(1, 1), (2, 2), (3, 4), (4, 5), (80, 5)] {
      let delay = policy.delay(after: attempt)
      #expect(delay <= .seconds(most))
      #expect(delay >= .milliseconds(500 * most))
    }
    #expect(policy.delay(after: 1, asked: 3) == .seconds(3))
    #expect(policy.delay(after: 1, asked: 60) == .seconds(5))
  }

  @Test func `A call ends with the task that makes it`() async throws {
    network.answer(with: Array(repeating: [], count: 1_000))
    var policy = rowhouse.retries
    policy.attempts = .max
    let endless = Rowhouse(at: network.url, retries: policy)
    let call = Task { try await endless.me() }
    call.cancel()
    let error = await #expect(throws: RowhouseError.self) { try await call.value }
    guard case .cancelled = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `Calls that are cancelled just as their answers come end`() async throws {
    let caller = server.rowhouse
    for step in 0..<200 {
      let call = Task { try await caller.me() }
      // Answers come after about a millisecond.
      try await Task.sleep(for: .microseconds(step * 20))
      call.cancel()
      _ = try? await call.value
    }
    _ = try await caller.me()
  }

  @Test func `An error that is none of URLSession's is no cancellation`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [FailingProtocol.self]
    let broken = Rowhouse(at: server.url, retries: .never, configuration: configuration)
    let error = await #expect(throws: RowhouseError.self) { try await broken.me() }
    #expect(isUnreachable(error))
  }

  @Test(arguments: ["a b", "100%", "a/../b", "ü", "?x=#"])
  func `What is no id is not found`(text: String) async throws {
    let error = await #expect(throws: RowhouseError.self) {
      try await rowhouse.item(Item.ID(rawValue: text))
    }
    #expect([400, 404].contains(error?.problem?.status))
    let revoked = await #expect(throws: RowhouseError.self) { try await rowhouse.revokeToken(text) }
    #expect([400, 404].contains(revoked?.problem?.status))
  }
}

/// Fails each request as what lies below URLSession may.
private final class FailingProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    client?.urlProtocol(self, didFailWithError: NSError(domain: NSPOSIXErrorDomain, code: 5))
  }

  override func stopLoading() {}
}
