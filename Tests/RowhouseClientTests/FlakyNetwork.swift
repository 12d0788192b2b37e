import Foundation
import Testing
import Synchronization

/// A way to a server on loopback that loses answers and cuts connections when it is told to.
final class FlakyNetwork: Sendable {
  private struct State {
    var connections: Set<Int32> = []
    var answersToDrop = 0
  }

  private let listener: Int32
  private let server: UInt16
  private let state = Mutex(State())
  let url: URL

  init(to url: URL) throws {
    server = UInt16(try #require(url.port))
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    var address = Self.loopback(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) + listen(listener, 64)
          + getsockname(listener, address, &length)
      }
    }
    guard code == 0 else { throw POSIXError(.EADDRINUSE) }
    self.url = try #require(URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"))
    let network = Unowned(self)
    Thread.detachNewThread {
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        guard let network = network.value else {
          close(client)
          return
        }
        network.carry(client)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    cut()
  }

  /// Cuts every connection that is open.
  func cut() {
    state.withLock { state in
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }
  }

  /// Lets the next requests reach the server, and none of their answers the client.
  func dropAnswers(_ count: Int) {
    state.withLock { $0.answersToDrop = count }
  }

  private func carry(_ client: Int32) {
    let upstream = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.loopback(port: server)
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(upstream, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      close(client)
      close(upstream)
      return
    }
    state.withLock { _ = $0.connections.insert(client) }
    let network = Unowned(self)
    Thread.detachNewThread {
      Self.pump(client, upstream) { network.value?.losesAnswer() ?? true }
      network.value?.state.withLock { _ = $0.connections.remove(client) }
      close(client)
      close(upstream)
    }
  }

  private func losesAnswer() -> Bool {
    state.withLock { state in
      guard state.answersToDrop > 0 else { return false }
      state.answersToDrop -= 1
      return true
    }
  }

  private static func pump(_ client: Int32, _ upstream: Int32, losesAnswer: () -> Bool) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      var ends = [
        pollfd(fd: client, events: Int16(POLLIN), revents: 0),
        pollfd(fd: upstream, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&ends, 2, -1) > 0 else { return }
      for (end, other) in [(ends[0], upstream), (ends[1], client)] where end.revents != 0 {
        let count = read(end.fd, &buffer, buffer.count)
        guard count > 0 else { return }
        if end.fd == upstream, losesAnswer() { return }
        var sent = 0
        while sent < count {
          let written = buffer[sent..<count].withUnsafeBytes {
            send(other, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
          }
          guard written > 0 else { return }
          sent += written
        }
      }
    }
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}

/// Holds a network without keeping it.
private struct Unowned: Sendable {
  private let reference: @Sendable () -> FlakyNetwork?

  init(_ network: FlakyNetwork) {
    reference = { [weak network] in network }
  }

  var value: FlakyNetwork? { reference() }
}
