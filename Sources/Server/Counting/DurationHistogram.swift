/// A histogram of durations.
package struct DurationHistogram: Sendable, Equatable {
  /// The upper bounds of the buckets in microseconds. One more bucket counts longer durations.
  package static let bounds: [Int64] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 2_500_000, 10_000_000,
  ]

  package private(set) var buckets: [Int] = Array(repeating: 0, count: bounds.count + 1)
  package private(set) var count = 0
  /// The sum in microseconds.
  package private(set) var sum: Int64 = 0

  package init() {}

  mutating func add(_ microseconds: Int64) {
    var bucket = 0
    while bucket < Self.bounds.count, microseconds > Self.bounds[bucket] { bucket += 1 }
    buckets[bucket] += 1
    count += 1
    sum += microseconds
  }

  package mutating func add(_ other: DurationHistogram) {
    for bucket in buckets.indices { buckets[bucket] += other.buckets[bucket] }
    count += other.count
    sum += other.sum
  }
}
