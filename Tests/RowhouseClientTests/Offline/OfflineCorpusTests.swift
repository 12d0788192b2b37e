import Foundation
import Testing

@testable import RowhouseClient

/// What a client shows after each step is what the model on arrays expects. Both clients and the server take the same
/// vectors.
@Suite struct OfflineCorpusTests {
  @Test func `The view and its batches are those of the model`() throws {
    let lines = try Self.corpus().split(separator: "\n")
    #expect(lines.count >= 5)
    var uncertain = 0
    for line in lines {
      let vector = try JSONCoding.decoder.decode(OfflineVector.self, from: Data(line.utf8))
      if try !check(vector) { uncertain += 1 }
    }
    #expect(uncertain <= lines.count / 100)
  }

  /// The corpus that the run has made, or the sample.
  private static func corpus() throws -> String {
    let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Vectors/offline.ndjson")
    let made = ProcessInfo.processInfo.environment["ROWHOUSE_VECTORS"].map(
      URL.init(fileURLWithPath:))
    return try String(contentsOf: made ?? sample, encoding: .utf8)
  }

  /// Returns false if the rest of the vector was not checked, because the store would have read all lists anew.
  private func check(_ vector: OfflineVector) throws -> Bool {
    var base = OfflineTree(vector.base)
    var revision = vector.base.revision
    var queue = vector.queue.enumerated().map { index, command in
      QueuedCommand(
        id: index + 1, intent: command.intent, date: .distantPast, title: "", size: 0)
    }
    var view = base.view(with: queue)
    try expect(view, vector.view, vector.batches, after: base, "seed \(vector.seed), start")

    for (number, step) in vector.steps.enumerated() {
      let place = "seed \(vector.seed), step \(number)"
      if let event = step.event {
        var change = LiveChange(fromRevision: revision, revision: event.revision)
        change.deltas = event.deltas
        change.lists = event.deltas.map(\.listID) + event.gone.map { .init(rawValue: $0) }
        let applied = base.apply(change)
        if try #require(applied, "\(place)").isUncertain { return false }
        for item in event.items { base.items[RowKey(item.id)] = item }
        for id in event.gone { base.drop(RowKey(id)) }
        revision = event.revision
        // In the corpus, a list has the revision of the base.
        for key in base.nodes.keys { base.nodes[key]?.list.revision = revision }
      }
      for outcome in step.answer?.outcomes ?? [] {
        guard let index = queue.firstIndex(where: { $0.id == outcome.sequence }) else {
          Issue.record("\(place): \(outcome.sequence) is not in the queue")
          continue
        }
        if outcome.outcome == .refused {
          queue.remove(at: index)
        } else {
          queue[index].state = .done(revision: outcome.revision ?? step.answer?.revision ?? 0)
        }
      }
      queue.removeAll { $0.isSettled(at: revision) }
      #expect(revision == step.base.revision, "\(place)")
      expectSame(base.shown, OfflineTree(step.base).shown, "\(place), base")
      let before = view
      view = base.view(with: queue)
      try expect(view, step.view, step.batches, after: before, place)
    }
    #expect(queue.isEmpty, "seed \(vector.seed)")
    return true
  }

  private func expect(
    _ view: OfflineTree, _ expected: OfflineVector.View,
    _ batches: [String: OfflineVector.BatchCounts], after before: OfflineTree, _ place: String
  ) throws {
    expectSame(view.shown, expected, place)
    for key in before.nodes.keys {
      guard let old = before.shownRows(of: key), let new = view.shownRows(of: key) else { continue }
      let batch = ListBatch(from: old, to: new)
      var table = ShownTable()
      table.show(old)
      try table.perform(batch, towards: new)
      // The model's numbers leave the pinned row out. It is always the last one.
      let isPinned = { (rows: [Row], index: Int) in rows[index].isSentinel }
      let counts = OfflineVector.BatchCounts(
        deletes: batch.deletes.count { !isPinned(old, $0) },
        inserts: batch.inserts.count { !isPinned(new, $0) }, moves: batch.moves.count,
        changed: batch.changed.count { !isPinned(new, $0) })
      #expect(counts == batches[key.text] ?? .init(), "\(place), list \(key.text)")
    }
  }

  private func expectSame(
    _ shown: OfflineVector.View, _ expected: OfflineVector.View, _ place: String
  ) {
    guard shown != expected else { return }
    #expect(Set(shown.lists.keys) == Set(expected.lists.keys), "\(place)")
    #expect(Set(shown.items.keys) == Set(expected.items.keys), "\(place)")
    for (id, list) in expected.lists where shown.lists[id] != nil {
      #expect(shown.lists[id] == list, "\(place), list \(id)")
    }
    for (id, item) in expected.items where shown.items[id] != nil {
      #expect(shown.items[id] == item, "\(place), item \(id)")
    }
  }
}
