import Foundation
import Glibc
import Synchronization
import Testing

/// A proxy for a server on loopback. On demand it loses answers, cuts connections, and answers by itself.
final class FlakyNetwork: Sendable {
  private struct State {
    var connections: Set<Int32> = []
    var answersToDrop = 0
    var bodyUntilCut: Int?
    var bytesUntilCut: Int?
    var answers: [[String]] = []
    var answeredPath = ""
    var requests: [String] = []
    var isDown = false
  }

  private let listener: Int32
  private let server: UInt16
  private let state = Mutex(State())
  let url: URL

  init(to url: URL) throws {
    server = UInt16(try #require(url.port))
    let listener = Self.makeSocket()
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
      // Closed by whom it wakes up: another test's socket might have its number by then.
      defer { close(listener) }
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
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
    cut()
  }

  /// One that no program inherits which another test starts: it would be open for as long as that runs.
  private static func makeSocket() -> Int32 {
    socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
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

  /// Cuts every connection and lets none through until it comes back.
  func goDown() {
    state.withLock { $0.isDown = true }
    cut()
  }

  func comeBack() {
    state.withLock { $0.isDown = false }
  }

  /// Cuts the connection on which the server answers next, behind so many bytes of the body.
  ///
  /// Not amid the head: URLSession on Linux ends the process there.
  func cutBody(after bytes: Int) {
    state.withLock { $0.bodyUntilCut = bytes }
  }

  /// Has the next connections whose first request's path ends so answered without the server, one request
  /// on each; an answer in several pieces is sent so.
  ///
  /// Say the path where other requests may come as well: it is unknown which of them goes on a connection
  /// that is there already.
  func answer(with answers: [[String]], toPathsEndingIn path: String = "") {
    state.withLock {
      $0.answers = answers
      $0.answeredPath = path
    }
  }

  /// The heads of the requests that were answered without the server.
  var answered: [String] { state.withLock(\.requests) }

  /// How many connections there are that reach the server.
  var connectionCount: Int { state.withLock(\.connections.count) }

  /// The answer for a connection that begins with such bytes, if it gets one without the server.
  private func nextAnswer(to start: ArraySlice<UInt8>) -> [String]? {
    // A method, a target, and more.
    let words = start.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard words.count > 1 else { return nil }
    let path = words[1].prefix { $0 != UInt8(ascii: "?") }
    return state.withLock { state in
      guard !state.answers.isEmpty,
        String(decoding: path, as: UTF8.self).hasSuffix(state.answeredPath)
      else { return nil }
      return state.answers.removeFirst()
    }
  }

  private func answer(_ client: Int32, with pieces: [String]) {
    let network = Unowned(self)
    Thread.detachNewThread {
      defer { close(client) }
      var request: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while !String(decoding: request, as: UTF8.self).contains("\r\n\r\n") {
        let count = read(client, &buffer, buffer.count)
        guard count > 0 else { return }
        request += buffer[..<count]
      }
      network.value?.state.withLock {
        $0.requests.append(String(decoding: request, as: UTF8.self))
      }
      for (number, piece) in pieces.enumerated() {
        // So that they are read one by one.
        if number > 0 { usleep(100_000) }
        guard Self.send(ArraySlice(piece.utf8), to: client) else { return }
      }
      shutdown(client, Int32(SHUT_WR))
      // What is closed with bytes unread is reset, and the answer with it.
      while read(client, &buffer, buffer.count) > 0 {}
    }
  }

  private func carry(_ client: Int32) {
    if state.withLock(\.isDown) {
      close(client)
    } else if state.withLock(\.answers.isEmpty) {
      carryToServer(client)
    } else {
      let network = Unowned(self)
      Thread.detachNewThread {
        var start = [UInt8](repeating: 0, count: 65_536)
        // A client sends a head at once.
        let count = recv(client, &start, start.count, Int32(MSG_PEEK))
        guard count > 0, let network = network.value else {
          close(client)
          return
        }
        if let answer = network.nextAnswer(to: start[..<count]) {
          network.answer(client, with: answer)
        } else {
          network.carryToServer(client)
        }
      }
    }
  }

  private func carryToServer(_ client: Int32) {
    let upstream = Self.makeSocket()
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
    // It may have gone down meanwhile, and cut what there was by then.
    let isUp = state.withLock { state in
      if !state.isDown { state.connections.insert(client) }
      return !state.isDown
    }
    guard isUp else {
      close(client)
      close(upstream)
      return
    }
    let network = Unowned(self)
    Thread.detachNewThread {
      Self.pump(client, upstream) { network.value?.pass($0) ?? 0 }
      network.value?.state.withLock { _ = $0.connections.remove(client) }
      close(client)
      close(upstream)
    }
  }

  /// How many of so many bytes from the server go on to the client; if fewer, that was the last of them.
  private func pass(_ bytes: ArraySlice<UInt8>) -> Int {
    let count = bytes.count
    return state.withLock { state in
      if state.answersToDrop > 0 {
        state.answersToDrop -= 1
        return 0
      }
      // The server sends a head at once.
      if let rest = state.bodyUntilCut, let head = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        state.bodyUntilCut = nil
        state.bytesUntilCut = bytes.distance(from: bytes.startIndex, to: head.upperBound) + rest
      }
      guard let rest = state.bytesUntilCut else { return count }
      state.bytesUntilCut = count > rest ? nil : rest - count
      return min(count, rest)
    }
  }

  private static func pump(_ client: Int32, _ upstream: Int32, pass: (ArraySlice<UInt8>) -> Int) {
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
        let passing = end.fd == upstream ? pass(buffer[..<count]) : count
        guard send(buffer[..<passing], to: other), passing == count else { return }
      }
    }
  }

  private static func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard written > 0 else { return false }
      rest = rest.dropFirst(written)
    }
    return true
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
