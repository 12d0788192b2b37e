import Glibc

/// The server's clocks.
package protocol TimeSource: Sendable {
  /// Milliseconds from any origin, monotonic.
  func milliseconds() -> Int64
  /// Microseconds from any origin, monotonic, for durations of requests.
  func microseconds() -> Int64
  /// Milliseconds since 1970.
  func millisecondsSince1970() -> Int64
  /// The time in the `Date` field of responses, in seconds since 1970; nil: the present time.
  var date: Int64? { get }
}

extension TimeSource {
  package var date: Int64? { nil }
}

/// The kernel's clocks, the coarse ones if possible. None of them needs a system call.
package struct SystemTime: TimeSource {
  package init() {}

  package func milliseconds() -> Int64 { read(CLOCK_MONOTONIC_COARSE, unit: 1_000_000) }
  package func microseconds() -> Int64 { read(CLOCK_MONOTONIC, unit: 1000) }
  package func millisecondsSince1970() -> Int64 { read(CLOCK_REALTIME_COARSE, unit: 1_000_000) }

  /// The clock's time, in units of `unit` nanoseconds.
  @inline(__always)
  private func read(_ clock: clockid_t, unit: Int64) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * (1_000_000_000 / unit) + Int64(time.tv_nsec) / unit
  }
}

/// The format of dates in HTTP (RFC 9110 §5.6.7), for `utcText`.
let httpDate = "%a, %d %b %Y %H:%M:%S GMT"

/// A time in UTC, in a format of strftime(3). Names of days and months are English, because the program never leaves
/// the C locale.
func utcText(_ secondsSince1970: Int64, _ format: String) -> [UInt8] {
  var (time, parts) = (time_t(secondsSince1970), tm())
  gmtime_r(&time, &parts)
  var text = [CChar](repeating: 0, count: 64)
  let count = strftime(&text, text.count, format, &parts)
  return text.prefix(count).map { UInt8(bitPattern: $0) }
}
