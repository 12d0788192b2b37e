import CLinux
import Glibc
import Server
import Synchronization

/// The system call for accepting, which fails as often as a test wants it to.
final class FailingAccepts: Sendable {
  private let error: Int32
  private let left = Atomic<Int>(0)

  init(_ error: Int32) { self.error = error }

  func fail(times: Int) { left.store(times, ordering: .sequentiallyConsistent) }

  var call: AcceptCall {
    { [self] listener, address, length in
      if left.load(ordering: .sequentiallyConsistent) > 0 {
        left.subtract(1, ordering: .sequentiallyConsistent)
        errno = error
        return -1
      }
      return rowhouse_accept(listener, address, length)
    }
  }
}
