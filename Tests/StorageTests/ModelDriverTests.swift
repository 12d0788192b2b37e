import Inventory
@testable import Support
import Testing

@Suite struct `The comparison with arrays` {
  @Test(arguments: 0..<20)
  func `finds nothing between arrays and arrays`(seed: UInt64) throws {
    let check = HistoryCheck { clock in StoreUnderTest(ArrayStore(clock: { clock.now })) }
    #expect(try check.disagreement(seed: seed, steps: 200)?.description == nil)
  }

  @Test(arguments: 0..<5)
  func `finds a move that lands a row too far down, in a few steps`(seed: UInt64) throws {
    let check = HistoryCheck { clock in
      StoreUnderTest(
        AlteringStore(store: ArrayStore(clock: { clock.now })) { command in
          guard case .moveRow(let list, let from, let to, nil) = command, from < to else {
            return command
          }
          return .moveRow(in: list, from: from, to: to - 1, expecting: nil)
        })
    }
    let found = try #require(try check.disagreement(seed: seed, steps: 500))
    // Some rows made, and one of them moved below another.
    #expect(found.steps.count <= 20, "\(found)")
    #expect(found.description.contains("HistoryStep(.moveRow(in: "))
    #expect(try check.disagreement(in: found.steps) != nil)
  }

  @Test func `makes up imports that make and change rows`() throws {
    var merged = TransferCounts()
    var upserted = TransferCounts()
    for seed in 0..<60 {
      let store = ArrayStore()
      try RandomImports.fill(store, and: ArrayStore(), seed: UInt64(seed)) { command, result in
        guard let counts = try? result.get().counts else { return }
        if case .merge = command {
          merged.created += counts.created
          merged.updated += counts.updated
        } else {
          upserted.created += counts.created
          upserted.updated += counts.updated
        }
      }
    }
    #expect(merged.created > 20 && merged.updated > 0, "\(merged)")
    #expect(upserted.created > 20 && upserted.updated > 0, "\(upserted)")
  }

  @Test func `makes up writes that go too deep, of every kind that can`() throws {
    let kinds: Set = [
      "create list", "make contents", "move row", "move rows", "batch", "import", "restore row",
      "undo",
    ]
    var refused: [String: Int] = [:]
    // Some are rare, and a seed makes up not quite the same in each run: so it goes on until all have come.
    for seed in 0..<2_000 where Set(refused.keys) != kinds {
      let store = ArrayStore()
      var random = RandomHistory(seed: UInt64(seed))
      for _ in 0..<500 {
        let names = NodeNames(root: store.state.rootID)
        let step = random.step(in: store.state)
        let context = WriteContext(caller: step.caller(names), requestID: "test")
        let command = step.command.staged(in: [store], names, context)
        switch store.perform(command, context) {
        case .failure(.tooDeep): refused[command.action, default: 0] += 1
        case .failure(.lineConflicts(let conflicts)):
          let isTooDeep = conflicts.contains { $0.reason == .tooDeep }
          if isTooDeep { refused[command.action, default: 0] += 1 }
        default: break
        }
      }
    }
    #expect(Set(refused.keys) == kinds, "\(refused)")
  }

  @Test func `finds what only a later read can show`() throws {
    let check = HistoryCheck { clock in
      StoreUnderTest(
        AlteringStore(store: ArrayStore(clock: { clock.now })) { command in
          guard case .appendItems(let items, let list) = command else { return command }
          return .appendItems(
            items.map { NewItem(id: $0.id, details: $0.details, createdAt: Timestamp(seconds: 7)) },
            to: list)
        })
    }
    let item = NodeItem(name: "Fluffy Spork", createdAt: 5)
    #expect(
      try check.disagreement(in: [HistoryStep(.appendItems([1], to: 0, item))]) != nil)
    #expect(try check.disagreement(in: [HistoryStep(.createItem(1, in: 0, item, .last))]) == nil)
  }
}

/// A store that does something else than it was told.
private struct AlteringStore: StoreInFront {
  let store: ArrayStore
  let alter: @Sendable (Command) -> Command

  func submit(
    _ command: Command, _ context: WriteContext,
    completion: @escaping @Sendable (Result<Outcome, InventoryError>) -> Void
  ) {
    store.submit(alter(command), context, completion: completion)
  }
}
