import CLinux
import Glibc

/// The destination of a log.
package enum LogDestination: Sendable, Hashable {
  /// A file to append to. It is created if missing (mode 0640), and can be reopened.
  case file(path: String)
  /// A descriptor that is already open and stays open, such as stderr.
  case descriptor(Int32)
}

/// An open log. If its reader is stuck, a write waits only as long as its caller wants.
struct LogFile: ~Copyable {
  private let destination: LogDestination
  private var raw: Int32 = -1
  private var opened: Descriptor?
  /// Bytes per write call. A pipe with any room accepts this many without blocking (pipe(7)).
  private var pieceSize = Int(PIPE_BUF)
  private var endsInMidLine = false

  init(_ destination: LogDestination) throws(ServerError) {
    self.destination = destination
    try reopen()
  }

  /// Opens the path again, which may be another file by now. If this fails, the old one stays in use.
  mutating func reopen() throws(ServerError) {
    switch destination {
    case .descriptor(let raw): self.raw = raw
    case .file(let path):
      let new = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o640)
      guard new >= 0 else { throw .failed(call: "open", errno: errno, address: nil) }
      opened = Descriptor(new)
      raw = new
      endsInMidLine = false
    }
    var status = stat()
    let isRegular = fstat(raw, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    pieceSize = isRegular ? 1 << 20 : Int(PIPE_BUF)
  }

  /// Writes whole lines. Returns the number of lines that were not written because of an error, or because `goesOn`
  /// returned false. While the reader is stuck, `goesOn` is called every tenth of a second.
  mutating func write(_ lines: [UInt8], goesOn: () -> Bool) -> Int {
    if endsInMidLine { _ = put([UInt8(ascii: "\n")], goesOn) }
    let written = put(lines, goesOn)
    endsInMidLine = written > 0 ? lines[written - 1] != UInt8(ascii: "\n") : endsInMidLine
    return lines[written...].count { $0 == UInt8(ascii: "\n") }
  }

  /// Returns the number of bytes written.
  private func put(_ bytes: [UInt8], _ goesOn: () -> Bool) -> Int {
    var written = 0
    while written < bytes.count {
      var waited = pollfd(fd: raw, events: Int16(POLLOUT), revents: 0)
      let ready = poll(&waited, 1, 100)
      if ready <= 0 {
        guard ready == 0 || errno == EINTR, goesOn() else { break }
        continue
      }
      let count = bytes.withUnsafeBytes {
        Glibc.write(
          raw, $0.baseAddress.map { $0 + written }, min(pieceSize, bytes.count - written))
      }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { break }
      written += count
    }
    return written
  }
}
