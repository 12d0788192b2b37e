import Inventory
@testable import Storage
import Support
import Testing

/// Writes that wait together are committed together. When that commit fails, none of them has happened, and no answer
/// may show one of them.
@Suite struct `A group of writes that could not be committed` {
  private let store: OpenStore
  private let failure = Awaited<StorageFailure>()

  init() throws {
    store = try OpenStore { [failure] in
      $0.housekeepingInterval = .seconds(86_400)
      $0.groupDuration = .seconds(86_400)
      $0.onMediumFailure = { failure.fulfill($0) }
    }
  }

  /// Has each commit fail behind which a row would be deleted.
  private func forbidDeletions() throws {
    // A deferred constraint is looked at by COMMIT: https://www.sqlite.org/foreignkeys.html#fk_deferred
    try store.connection().execute(
      """
      CREATE TABLE obstacle (key INTEGER REFERENCES row DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER deletion AFTER INSERT ON change WHEN new.action = 'delete row'
      BEGIN INSERT INTO obstacle VALUES (-1); END
      """)
  }

  /// The answers to writes that are all waiting when the writer starts the first one.
  private func answers(
    to writes: [(command: Command, ifMatch: IfMatch?)]
  ) -> [Result<Outcome, InventoryError>] {
    func begin(_ command: Command, _ ifMatch: IfMatch?) -> Awaited<Result<Outcome, InventoryError>>
    {
      let answer = Awaited<Result<Outcome, InventoryError>>()
      let context = WriteContext(caller: .local, requestID: "test", ifMatch: ifMatch)
      store.store.submit(command, context) { answer.fulfill($0) }
      return answer
    }
    var rest: [Awaited<Result<Outcome, InventoryError>>] = []
    let first = store.holdingWriter { rest = writes.map { begin($0.command, $0.ifMatch) } }
    return [first] + rest.map(\.value)
  }

  @Test func `is answered as unknown from its first change on`() throws {
    let list = try store.addList("Shelf")
    try store.addThing("Kept", to: .id(list))
    let gone = try store.addThing("Gone", to: .id(list))
    let known = try store.read { (snapshot) throws(InventoryError) in
      try snapshot.list(.id(list)).revision
    }
    try forbidDeletions()
    func edit(_ item: ItemID) -> Command {
      .editItem(item) { details in
        var details = details
        details.notes = "late"
        return details
      }
    }
    let given = answers(to: [
      // Refused on the state before the group.
      (edit(ItemID(.version7())), nil),
      (.deleteRow(RowID(gone), kind: .any, isRecursive: false), nil),
      // Refused on what the deletion has left.
      (.moveRow(in: .id(list), from: 0, to: 1, expecting: nil), .revisions([known])),
      (edit(gone), nil),
      (edit(ItemID(.version7())), nil),
    ])
    guard case .success = given[0] else {
      Issue.record("\(given[0])")
      return
    }
    var refusals: [InventoryError] = []
    for case .failure(let error) in given.dropFirst() { refusals.append(error) }
    #expect(
      refusals
        == [.notFound(.item), .outcomeUnknown, .outcomeUnknown, .outcomeUnknown, .outcomeUnknown])
    _ = failure.value
    #expect(try store.titles(of: .id(list)) == ["Kept", "Gone"])
  }
}
