import CLinux
import Glibc

/// An epoll instance with a key for each descriptor.
final class Poller: Sendable {
  static let input = EPOLLIN.rawValue
  static let output = EPOLLOUT.rawValue
  static let hangUp = EPOLLHUP.rawValue | EPOLLERR.rawValue
  static let exclusive = EPOLLEXCLUSIVE.rawValue
  static let edge = EPOLLET.rawValue

  private let descriptor: Descriptor

  init() throws(ServerError) {
    let raw = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard raw >= 0 else { throw .failed(call: "epoll_create1", errno: errno, address: nil) }
    descriptor = Descriptor(raw)
  }

  func add(_ raw: Int32, _ interest: UInt32, key: UInt64) -> Bool {
    control(EPOLL_CTL_ADD, raw, interest, key)
  }

  func modify(_ raw: Int32, _ interest: UInt32, key: UInt64) {
    _ = control(EPOLL_CTL_MOD, raw, interest, key)
  }

  func remove(_ raw: Int32) {
    _ = control(EPOLL_CTL_DEL, raw, 0, 0)
  }

  /// Waits for at most `timeout` milliseconds, without limit if negative. Returns the number of events.
  func wait(_ events: UnsafeMutableBufferPointer<epoll_event>, timeout: Int32) -> Int {
    // An interrupted wait has no events. The caller then looks at the clock again.
    max(0, Int(epoll_wait(descriptor.raw, events.baseAddress, Int32(events.count), timeout)))
  }

  private func control(
    _ operation: Int32, _ raw: Int32, _ interest: UInt32, _ key: UInt64
  ) -> Bool {
    var event = epoll_event(events: interest, data: epoll_data_t(u64: key))
    return epoll_ctl(descriptor.raw, operation, raw, &event) == 0
  }
}
