import Glibc
import Server
import Synchronization

/// Keeps the records of a server's requests.
final class AccessRecords: AccessObserver {
  private let records = Mutex<[AccessRecord]>([])

  func take(_ records: inout [AccessRecord]) {
    self.records.withLock { [records] in $0 += records }
    records.removeAll()
  }

  /// All but those by which a test waits for the server.
  var all: [AccessRecord] {
    records.withLock { $0.filter { !($0.route == nil && $0.bytes == Self.settling) } }
  }

  /// Waits until so many are there, a minute at most.
  func wait(for count: Int) throws -> [AccessRecord] {
    for _ in 0..<60_000 {
      if all.count >= count { return all }
      usleep(1000)
    }
    throw Client.Timeout()
  }

  /// The bytes of an answer to `/settle`.
  private static let settling =
    "HTTP/1.1 200 OK\r\n".utf8.count
    + "Date: Tue, 08 Nov 1994 08:49:37 GMT\r\nContent-Length: 6\r\n\r\nsettle".utf8.count
}
