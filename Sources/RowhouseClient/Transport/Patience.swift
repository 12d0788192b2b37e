/// How long what goes on until it is told to stop waits between its tries.
struct Patience: Sendable {
  private let policy: RetryPolicy
  private var failures = 0

  /// - Parameter policy: of calls; one that makes them once is none for what goes on, and has no say.
  init(_ policy: RetryPolicy) { self.policy = policy.attempts > 1 ? policy : .standard }

  /// The next wait is a first one again.
  mutating func renew() { failures = 0 }

  /// Waits, longer each time; shorter where the task is cancelled.
  ///
  /// - Parameter asked: what the server wants to be left alone for at least.
  mutating func pause(asked: Duration? = nil) async {
    failures += 1
    let usual = max(policy.delay(after: failures), Self.shortest)
    try? await Task.sleep(for: max(usual, min(asked ?? .zero, Self.longestAsked)))
  }

  private static let shortest = Duration.milliseconds(200)
  private static let longestAsked = Duration.seconds(300)
}
