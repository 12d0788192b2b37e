import Foundation
import Support

/// Many connections that each send a large body, a piece from each in turn, and all but its last byte.
final class BodyFlood {
  private struct Sender {
    let socket: Int32
    var left: Int
    var status: Int?
  }

  private var senders: [Sender] = []
  private let piece = [UInt8](repeating: UInt8(ascii: " "), count: 16 << 10)

  init(_ count: Int, bytes: Int, port: UInt16) throws {
    let head = Array(
      "POST /v1/lists HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: \(bytes)\r\n\r\n"
        .utf8)
    for _ in 0..<count {
      let socket = try Crowd.connect(port)
      senders.append(Sender(socket: socket, left: bytes - 1))
      guard Foundation.send(socket, head, head.count, Int32(MSG_NOSIGNAL)) == head.count else {
        throw SystemFault("send")
      }
      _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    }
  }

  deinit {
    for sender in senders { close(sender.socket) }
  }

  /// Those that were answered with a status; 0 stands for a connection that was closed.
  func answers(_ status: Int) -> Int { senders.count { $0.status == status } }
  /// Those that have sent all but the last byte, and wait.
  var holding: Int { senders.count { $0.status == nil && $0.left == 0 } }

  /// Sends until each has been answered or has a byte left; false where that took too long.
  func send(seconds: Double) -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      let waiting = senders.indices.filter { senders[$0].status == nil && senders[$0].left > 0 }
      if waiting.isEmpty { return true }
      var polled = waiting.map { number in
        pollfd(fd: senders[number].socket, events: Int16(POLLIN | POLLOUT), revents: 0)
      }
      guard poll(&polled, nfds_t(polled.count), 1_000) >= 0 else { return false }
      for (place, number) in waiting.enumerated() {
        let events = Int32(polled[place].revents)
        if events & (POLLIN | POLLHUP | POLLERR) != 0 {
          read(number)
        } else if events & POLLOUT != 0 {
          let count = Foundation.send(
            senders[number].socket, piece, min(piece.count, senders[number].left),
            Int32(MSG_NOSIGNAL))
          if count > 0 { senders[number].left -= count } else if errno != EAGAIN { read(number) }
        }
      }
    }
    return false
  }

  /// Connections that were refused meanwhile get their answer.
  func listen() {
    for number in senders.indices where senders[number].status == nil { read(number) }
  }

  private func read(_ number: Int) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = recv(senders[number].socket, &buffer, buffer.count, 0)
    if count < 0, errno == EAGAIN { return }
    let words = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    senders[number].status = words.count > 1 ? Int(words[1]) ?? 0 : 0
  }
}
