import Testing

@Suite("The check of call histories")
struct CallHistoryTests {
  /// b, c and a, one after another, with reads between.
  private static let right = CallHistory(
    start: (["a", "b", "c"], 7),
    calls: [
      call(0...10, .read, .rows(["a", "b", "c"], revision: 7)),
      call(
        20...30, .move(from: 0, to: 2, id: "a"),
        .changed(revision: 8, RowDelta(from: 7, to: 8, moves: [.init(from: 0, to: 2)]))),
      call(25...35, .read, .rows(["a", "b", "c"], revision: 7)),
      call(28...38, .delete(index: 0, id: "a"), .refused(code: "row_moved", index: 2)),
      call(40...50, .move(from: 1, to: 1, id: nil), .unchanged(revision: 8)),
      call(
        45...60, .insert("d", .after("b")),
        .changed(revision: 9, RowDelta(from: 8, to: 9, inserts: [.init(index: 1, id: "d")]))),
      call(
        55...70, .delete(index: 0, id: "b"),
        .changed(revision: 10, RowDelta(from: 9, to: 10, deletes: [0]))),
      call(80...90, .read, .rows(["d", "c", "a"], revision: 10)),
      call(80...90, .insert("e", .before("b")), .refused(code: "anchor_gone", index: nil)),
    ])

  private static func call(
    _ time: ClosedRange<UInt64>, _ request: RecordedCall.Request, _ answer: RecordedCall.Answer
  ) -> RecordedCall {
    RecordedCall(request: request, answer: answer, began: time.lowerBound, ended: time.upperBound)
  }

  @Test func `finds nothing where each call has its moment`() {
    #expect(Self.right.faults() == [])
  }

  static let wrongAnswers: [(call: Int, answer: RecordedCall.Answer)] = [
    (0, .rows(["a", "c", "b"], revision: 7)),
    // From the future.
    (0, .rows(["b", "c", "a"], revision: 8)),
    (1, .changed(revision: 8, RowDelta(from: 7, to: 8, moves: [.init(from: 0, to: 1)]))),
    (1, .changed(revision: 8, RowDelta(from: 6, to: 8, moves: [.init(from: 0, to: 2)]))),
    (1, .refused(code: "row_moved", index: 1)),
    (3, .refused(code: "row_moved", index: 1)),
    (4, .unchanged(revision: 7)),
    (5, .changed(revision: 10, RowDelta(from: 9, to: 10, inserts: [.init(index: 1, id: "d")]))),
    (5, .refused(code: "anchor_gone", index: nil)),
    // Stale, though it was right once.
    (7, .rows(["b", "d", "c", "a"], revision: 9)),
    (8, .refused(code: "row_moved", index: nil)),
  ]

  @Test("finds an answer that is wrong", arguments: wrongAnswers)
  func wrong(call: Int, answer: RecordedCall.Answer) {
    var history = Self.right
    history.calls[call].answer = answer
    #expect(!history.faults().isEmpty)
  }

  @Test func `finds changes that are right but in another order than they ran`() {
    var history = Self.right
    history.calls[6].began = 10
    history.calls[6].ended = 15
    #expect(!history.faults().isEmpty)
  }

  @Test func `finds a change that no answer contains`() {
    var history = Self.right
    history.calls.remove(at: 5)
    #expect(!history.faults().isEmpty)
  }
}
