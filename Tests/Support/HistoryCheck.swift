import Inventory

/// Runs histories against a store and against plain arrays, and finds where they differ.
package struct HistoryCheck {
  package struct Disagreement: CustomStringConvertible {
    /// The steps up to the one that showed it, or that were left after shrinking.
    package var steps: [HistoryStep]
    package var reason: String

    /// With the history as it can be pasted into a test.
    package var description: String {
      let lines = steps.map { "  \($0),\n" }.joined()
      return "\(reason)\nlet history: [HistoryStep] = [\n\(lines)]"
    }
  }

  private let makeStore: (SetClock) throws -> StoreUnderTest
  /// After so many steps everything is compared, and not only the answers to the writes.
  private let interval: Int

  package init(
    comparingEvery interval: Int = 25, makeStore: @escaping (SetClock) throws -> StoreUnderTest
  ) {
    self.interval = interval
    self.makeStore = makeStore
  }

  /// Runs a random history. Returns the shortest found one in which the store differs from the arrays; nil if none does.
  package func disagreement(seed: UInt64, steps: Int) throws -> Disagreement? {
    var random = RandomHistory(seed: seed)
    var history: [HistoryStep] = []
    let reason = try run(seed: seed) { model in
      guard history.count < steps else { return nil }
      let step = random.step(in: model)
      history.append(step)
      return step
    }
    guard let reason else { return nil }
    return try shrunk(Disagreement(steps: history, reason: reason))
  }

  /// Replays a history, comparing everything after its last step.
  package func disagreement(in history: [HistoryStep]) throws -> Disagreement? {
    var rest = history[...]
    let reason = try run(seed: 0) { _ in rest.popFirst() }
    return reason.map { Disagreement(steps: history, reason: $0) }
  }

  /// Leaves out what can be left out: halves, quarters and so on down to single steps.
  private func shrunk(_ found: Disagreement) throws -> Disagreement {
    guard var best = try disagreement(in: found.steps) else { return found }
    var runs = 0
    var size = max(1, best.steps.count / 2)
    while runs < 600 {
      var start = 0
      var isShorter = false
      while start < best.steps.count, runs < 600 {
        var steps = best.steps
        steps.removeSubrange(start..<min(start + size, steps.count))
        runs += 1
        if let smaller = try disagreement(in: steps) {
          best = smaller
          isShorter = true
        } else {
          start += size
        }
      }
      if size == 1, !isShorter { break }
      size = max(1, size / 2)
    }
    return best
  }

  private func run(
    seed: UInt64, next: (ArrayState) -> HistoryStep?
  ) throws -> String? {
    let clock = SetClock()
    let tested = try makeStore(clock)
    defer { tested.close() }
    let session = try tested.store.makeSession()
    let (inventory, root) = try session.readNow(.bounded) { (snapshot) throws(InventoryError) in
      (try snapshot.home().inventory, try snapshot.list(.root))
    }
    session.rest()
    let model = ArrayStore(inventoryID: inventory, root: root, clock: { clock.now })
    for store: any Store in [model, tested.store] {
      let made = Awaited<Result<Administration.Outcome, InventoryError>>()
      let editors = NewToken(
        credential: HistoryStep.editorsCredential, name: "editors", role: .editor)
      store.administer(.createToken(editors), as: .local) { made.fulfill($0) }
      _ = try made.value.get()
    }
    let rounds = HistoryRound(model: model, session: session)

    var count = 0
    var hurried: [HistoryRound.Sent] = []
    func faultOfHurried() -> String? {
      defer { hurried = [] }
      for sent in hurried {
        if let fault = rounds.fault(in: sent, tested.store) {
          return "step \(sent.number): \(sent.step)\n  \(fault)"
        }
      }
      return nil
    }
    while let step = next(model.state) {
      count += 1
      let look = count % interval == 0
      // Callers take turns, and so do changes and photos' bytes. Only one caller's changes are done in the order in which
      // they are sent.
      if step.command.isPhoto || hurried.contains(where: { $0.step.token != step.token }),
        let fault = faultOfHurried()
      {
        return fault
      }
      // What waits is to be done at the time at which it was sent.
      if hurried.isEmpty {
        clock.set(Timestamp(seconds: clock.now.seconds + Int64(count % 3)))
      }
      if step.isHurried, !look, !step.command.mayTakeLong {
        hurried.append(rounds.send(step, number: count, to: tested.store))
        continue
      }
      let last =
        try hurried.isEmpty && count % 4 == 0
        ? rounds.watch(step, number: count, in: tested.store)
        : rounds.send(step, number: count, to: tested.store)
      hurried.append(last)
      if let fault = faultOfHurried() { return fault }
      if look {
        var questions = RandomQuestions(seed: seed ^ UInt64(count), sample: 12)
        let isSettled = count % (2 * interval) == 0
        if let fault = try rounds.fault(asking: &questions, tested, isSettled: isSettled) {
          return "after step \(count): \(fault)"
        }
      }
    }
    if let fault = faultOfHurried() { return fault }
    var questions = RandomQuestions(seed: seed, sample: 60)
    return try rounds.fault(asking: &questions, tested, isSettled: true).map {
      "after the last step: \($0)"
    }
  }
}
