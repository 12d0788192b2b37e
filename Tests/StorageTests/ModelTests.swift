import FoundationEssentials
import Inventory
@testable import Storage
import Support
import Testing

@Suite struct `The store and plain arrays agree` {
  /// `ROWHOUSE_TEST_SEEDS` asks for more, `ROWHOUSE_TEST_FIRST_SEED` for others.
  static let seeds: Range<UInt64> = {
    func number(_ name: String) -> UInt64? {
      ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }
    let first = number("ROWHOUSE_TEST_FIRST_SEED") ?? 0
    return first..<first + (number("ROWHOUSE_TEST_SEEDS") ?? 60)
  }()

  @Test(arguments: seeds)
  func `over any history at fan-out 4`(seed: UInt64) throws {
    try Self.check(seed: seed, TreeShape(fanOut: 4, gap: 4))
  }

  @Test(arguments: seeds)
  func `over any history at fan-out 64`(seed: UInt64) throws {
    try Self.check(seed: seed, TreeShape(fanOut: 64))
  }

  @Test func `over a merge that edits an item and gives it contents`() throws {
    let history = [
      HistoryStep(.createItem(1, in: 0, NodeItem(name: "Box 1"), .last)),
      HistoryStep(
        .merge(
          [
            NodeRecord(2, in: nil, .list(NodeList(title: "Box 2"))),
            NodeRecord(1, in: 0, .item(NodeItem(name: "Box 3"))),
            NodeRecord(3, in: 1, .contents(NodeList(title: "Box 4"))),
          ], into: 0)),
    ]
    let check = HistoryCheck { clock in try StoreUnderTest(TreeShape(), clock) }
    #expect(try check.disagreement(in: history)?.description == nil)
  }

  @Test func `over a merge that names an item between two lists of its contents`() throws {
    let history = [
      HistoryStep(.createItem(1, in: 0, NodeItem(name: "Box 1"), .last)),
      HistoryStep(
        .merge(
          [
            NodeRecord(2, in: nil, .list(NodeList(title: "Box 2"))),
            NodeRecord(3, in: 1, .contents(NodeList(title: "Box 3"))),
            NodeRecord(1, in: 0, .item(NodeItem(name: "Box 1"))),
            NodeRecord(4, in: 1, .contents(NodeList(title: "Box 4"))),
          ], into: 0)),
    ]
    let check = HistoryCheck { clock in try StoreUnderTest(TreeShape(), clock) }
    #expect(try check.disagreement(in: history)?.description == nil)
  }

  @Test func `over edits that take a letter apart and put it together`() throws {
    let (composed, decomposed) = ("\u{C9}clair", "E\u{301}clair")
    let history = [
      HistoryStep(.createItem(1, in: 0, NodeItem(name: composed), .last)),
      HistoryStep(.editItem(1, .name(decomposed))),
      HistoryStep(.editItem(1, .notes(composed))),
      HistoryStep(.editItem(1, .notes(decomposed))),
      HistoryStep(.createList(2, in: 0, NodeList(title: decomposed), .first)),
      HistoryStep(.editList(2, .title(composed))),
      HistoryStep(.undo(6)),
      HistoryStep(.undo(4)),
    ]
    let check = HistoryCheck { clock in try StoreUnderTest(TreeShape(), clock) }
    #expect(try check.disagreement(in: history)?.description == nil)
  }

  private static func check(seed: UInt64, _ shape: TreeShape) throws {
    let check = HistoryCheck { clock in
      try StoreUnderTest(shape, clock, doesChoresWhenAsked: seed % 2 == 1) {
        // Few lists and short paths are too much for a bounded read then.
        if seed % 4 > 1 { $0.readBound = 3 }
        // Lists of three rows get their new order in pieces then.
        if seed % 3 > 0 {
          $0.orderBound = 2
          $0.indexedAtOnce = 150
          $0.orderPiece = 3
        }
      }
    }
    let found = try check.disagreement(seed: seed, steps: 500)
    if let found {
      Issue.record("seed \(seed), fan-out \(shape.fanOut): \(found.description)")
    }
  }
}

extension StoreUnderTest {
  /// A store in memory.
  ///
  /// - Parameter doesChoresWhenAsked: whether nothing is cleared away before it has to settle.
  init(
    _ shape: TreeShape, _ clock: SetClock, doesChoresWhenAsked: Bool = false,
    configure: (inout DatabaseStore.Configuration) -> Void = { _ in }
  ) throws {
    var configuration = DatabaseStore.Configuration(path: TestDatabase.temporary)
    configuration.shape = shape
    configuration.longReaders = 1
    configuration.housekeepingInterval = doesChoresWhenAsked ? .seconds(3_600) : .milliseconds(1)
    configuration.now = { Date(timeIntervalSince1970: Double(clock.now.seconds)) }
    configuration.longReadDeadline = .seconds(3_600)
    configure(&configuration)
    let store = try DatabaseStore(configuration)
    self.init(
      store,
      findings: { try store.findings(shape) },
      settle: {
        guard !doesChoresWhenAsked else { return try store.doChores() }
        let db = try store.medium.openReader()
        wait {
          let left = try? db.sql(
            """
            SELECT (SELECT count(*) FROM purge) + (SELECT count(*) FROM inventory
              WHERE hidden = 1 AND key NOT IN (SELECT home FROM staging))
            """
          ).one { $0.int(0) }
          return left == 0
        }
      },
      close: { store.close() })
  }
}
