import RowhouseClient

extension RetryPolicy {
  /// Several tries, and little time between them.
  static let quick = RetryPolicy(
    attempts: 6, firstDelay: .milliseconds(10), longestDelay: .milliseconds(50))
}
