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
