import Glibc

/// Where the server gets its time from.
package protocol TimeSource: Sendable {
  /// Milliseconds from any origin, never running back.
  func milliseconds() -> Int64
  /// Whole seconds since 1970.
  func secondsSince1970() -> Int
}

/// The kernel's coarse clocks, which cost no system call.
package struct SystemTime: TimeSource {
  package init() {}

  package func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  package func secondsSince1970() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    return time.tv_sec
  }
}
