/// Keys by their deadline, in buckets of 256 ms. A key whose deadline is beyond the wheel's span of about two minutes
/// comes up early.
struct TimerWheel {
  private static let bucketCount: Int64 = 512
  private static let shift: Int64 = 8

  private var buckets: [[UInt64]] = Array(repeating: [], count: Int(bucketCount))
  private var tick: Int64
  private var count = 0
  /// All buckets before this tick are empty.
  private var earliest = Int64.max

  init(now: Int64) { tick = now >> Self.shift }

  /// Inserts a key. Returns the time from which the key is due.
  ///
  /// - Parameter time: in milliseconds. The key is due at most half a second later. If `time` is past, that counts
  ///   from now. The key is due early if `time` is beyond the wheel's span.
  mutating func insert(_ key: UInt64, at time: Int64) -> Int64 {
    let due = min(max((time >> Self.shift) + 1, tick + 1), tick + Self.bucketCount - 1)
    buckets[Int(due & (Self.bucketCount - 1))].append(key)
    count += 1
    earliest = min(earliest, due)
    return due << Self.shift
  }

  /// Milliseconds until keys may be due; nil if there are none.
  func wait(from now: Int64) -> Int64? {
    count == 0 ? nil : max(0, (earliest << Self.shift) - now)
  }

  /// Advances to `now`, and appends the due keys to `keys`.
  mutating func advance(to now: Int64, into keys: inout [UInt64]) {
    let last = now >> Self.shift
    guard count > 0, earliest <= last else {
      tick = max(tick, last)
      return
    }
    // After a full turn, every bucket is due.
    var next = max(tick + 1, last - Self.bucketCount + 1)
    if next < earliest, earliest <= last { next = earliest }
    while next <= last {
      let bucket = Int(next & (Self.bucketCount - 1))
      count -= buckets[bucket].count
      keys += buckets[bucket]
      buckets[bucket].removeAll(keepingCapacity: buckets[bucket].capacity <= 64)
      next += 1
    }
    tick = max(tick, last)
    earliest = .max
    guard count > 0 else { return }
    for ahead in 1..<Self.bucketCount
    where !buckets[Int((tick + ahead) & (Self.bucketCount - 1))].isEmpty {
      earliest = tick + ahead
      return
    }
  }
}
