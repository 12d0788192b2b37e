import Foundation

/// How often, and how long apart, a call is tried that got no answer or was told to come again.
public struct RetryPolicy: Sendable {
  /// How often in all; 1: never again.
  public var attempts: Int
  /// Before the second try; each further wait is twice as long.
  public var firstDelay: Duration
  public var longestDelay: Duration

  public init(attempts: Int, firstDelay: Duration, longestDelay: Duration) {
    self.attempts = attempts
    self.firstDelay = firstDelay
    self.longestDelay = longestDelay
  }

  public static let standard = RetryPolicy(
    attempts: 4, firstDelay: .milliseconds(200), longestDelay: .seconds(10))
  public static let never = RetryPolicy(
    attempts: 1, firstDelay: .zero, longestDelay: .zero)

  /// - Parameters:
  ///   - attempt: how many tries there have been.
  ///   - asked: how many seconds the server said to wait (`Retry-After`).
  func delay(after attempt: Int, asked: Int? = nil) -> Duration {
    if let asked { return min(.seconds(asked), longestDelay) }
    let usual = min(firstDelay * (1 << min(attempt - 1, 16)), longestDelay)
    // Clients that were cut off together are not to come back together.
    return usual * Double.random(in: 0.5...1)
  }
}
