/// The number of attempts of a call, and the delays between them. Used if no answer came, or if an
/// answer has `Retry-After` or the status 429, 502, 503 or 504.
public struct RetryPolicy: Sendable {
  /// The number of attempts; 1: no retries.
  public var attempts: Int
  /// The longest delay before the second attempt. It doubles with each further one, up to `longestDelay`. Each delay
  /// is random, between half of this maximum and all of it. If the server names a delay, that one is used, up to
  /// `longestDelay`.
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

/// The delays of an operation that is repeated until it is cancelled.
struct Backoff: Sendable {
  private let policy: RetryPolicy
  private var failures = 0

  /// - Parameter policy: The policy of calls. One without retries is replaced by the standard one.
  init(_ policy: RetryPolicy) { self.policy = policy.attempts > 1 ? policy : .standard }

  /// Makes the next delay the first one again.
  mutating func reset() { failures = 0 }

  /// Waits, longer each time. Returns early if the task is cancelled.
  ///
  /// - Parameter asked: The least delay that the server wants.
  mutating func pause(asked: Duration? = nil) async {
    failures += 1
    let usual = max(policy.delay(after: failures), Self.shortest)
    try? await Task.sleep(for: max(usual, min(asked ?? .zero, Self.longestAsked)))
  }

  private static let shortest = Duration.milliseconds(200)
  private static let longestAsked = Duration.seconds(300)
}
