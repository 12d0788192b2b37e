import Foundation

/// The number of attempts of a call, and the delays between them. Used if no answer came, or if the
/// server said to try again.
public struct RetryPolicy: Sendable {
  /// The number of attempts; 1: no retries.
  public var attempts: Int
  /// The delay before the second attempt. Each further delay is twice as long.
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
  ///   - attempt: The number of attempts so far.
  ///   - asked: The seconds that the server said to wait (`Retry-After`).
  func delay(after attempt: Int, asked: Int? = nil) -> Duration {
    if let asked { return min(.seconds(asked), longestDelay) }
    let usual = min(firstDelay * (1 << min(attempt - 1, 16)), longestDelay)
    // Clients that lost their connections together must not return together.
    return usual * Double.random(in: 0.5...1)
  }
}
