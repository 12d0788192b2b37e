import HTTP
import Synchronization

/// The rules by which requests fail, with counts. Which requests a share hits depends only on the seed, and on how many
/// requests have matched the rule before.
final class FaultRules: Sendable {
  static let limit = 100

  struct Counted: Sendable {
    let rule: FaultRule
    /// The requests that the rule is about, hit or not.
    var matched = 0
    var hits = 0
  }

  struct State: Sendable {
    var seed: Int64 = 0
    var rules: [Counted] = []
  }

  private let state = Mutex(State())

  var present: State { state.withLock { $0 } }

  func set(_ rules: [FaultRule], seed: Int64) {
    let counted = rules.map { Counted(rule: $0) }
    state.withLock { $0 = State(seed: seed, rules: counted) }
  }

  func clear() { state.withLock { $0 = State() } }

  /// The rule that hits a request: the first one that decides to. All that match count the request.
  func hit(_ head: RequestHead, _ match: (route: Route, values: PathValues)?) -> FaultRule? {
    state.withLock { state in
      var hit: Int?
      for index in state.rules.indices where state.rules[index].rule.fits(head, match) {
        state.rules[index].matched += 1
        if hit == nil, state.decides(index) { hit = index }
      }
      guard let hit else { return nil }
      state.rules[hit].hits += 1
      return state.rules[hit].rule
    }
  }
}

extension FaultRules.State {
  /// Whether the rule hits its latest match.
  fileprivate func decides(_ index: Int) -> Bool {
    let (rule, number) = (rules[index].rule, rules[index].matched)
    if let nth = rule.nth, nth != number { return false }
    guard let share = rule.share else { return true }
    // Each rule has a sequence of its own, so that another rule before it does not change what it hits.
    let place = UInt64(bitPattern: seed) &+ UInt64(index) << 40 &+ UInt64(number)
    return SplitMix64.word(place) % 100 < UInt64(share)
  }
}
