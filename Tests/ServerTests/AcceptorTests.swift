import Glibc
import Testing

@testable import Server

/// What a loop does where the kernel refuses it something.
@Suite struct AcceptorTests {
  private final class Calls {
    var left = 0
  }

  private let poller: Poller
  private let listener: Listener
  private let limits = Limits()

  init() throws {
    poller = try Poller()
    listener = try Listener(.v4("127.0.0.1", port: 0), unixMode: 0o600)
  }

  @Test func `a listener that cannot be watched is tried again after a pause`() {
    // The kernel refuses to watch a descriptor twice.
    #expect(poller.add(listener.raw, Poller.input, key: 1))
    var acceptor = acceptor { _, _, _ in -1 }
    acceptor.reconsider(limits: limits, now: 1000)
    #expect(acceptor.retryTime == 1000 + limits.descriptorPause)
    poller.remove(listener.raw)
    acceptor.reconsider(limits: limits, now: 1000 + limits.descriptorPause)
    #expect(acceptor.retryTime == nil)
    #expect(!poller.add(listener.raw, Poller.input, key: 1))
  }

  @Test func `who waits for room is woken when the last place is given back unused`() {
    let gate = ConnectionGate(limit: 1)
    let calls = Calls()
    var acceptor = acceptor(gate, calls) { _, _, _ in
      // Meanwhile another loop has found the server full.
      gate.startWaiting()
      errno = EMFILE
      return -1
    }
    acceptor.reconsider(limits: limits, now: 1000)
    #expect(acceptor.accept(from: 0, limits: limits, now: 1000) == nil)
    #expect(calls.left == 1)
    #expect(gate.open == 0)
  }

  @Test func `no idle connection is closed for a client that was accepted elsewhere`()
    throws
  {
    let inherited = ListenAddress.inherited(descriptor: fcntl(listener.raw, F_DUPFD_CLOEXEC, 3))
    // One connection is the site's own.
    let site = try Site(addresses: [inherited]) { $0.connections = 2 }
    let idle = try site.client()
    idle.get("/now")
    #expect(try idle.answer()?.text == "now")
    let waiting = try site.client()
    try site.settle()
    let accepted = Descriptor(accept(listener.raw, nil, nil))
    #expect(accepted.raw >= 0)
    try site.advance(2_000)
    try site.advance(2_000)
    idle.get("/now")
    #expect(try idle.answer()?.text == "now")
    withExtendedLifetime(waiting) {}
  }

  private func acceptor(
    _ gate: ConnectionGate = ConnectionGate(limit: 1), _ calls: Calls = Calls(),
    _ call: @escaping AcceptCall
  ) -> Acceptor {
    Acceptor(
      listeners: [listener], reserved: nil, gate: gate, poller: poller, acceptCall: call,
      leave: { if gate.leave() { calls.left += 1 } })
  }
}
