import Foundation
import Inventory
@testable import Storage
import Support
import Testing

@Suite struct `What has expired` {
  private let clock = SetClock()
  private let day: Int64 = 86_400

  private func open(
    _ folder: TemporaryFolder, settlingTime: Duration, interval: Duration = .milliseconds(1)
  ) throws -> OpenStore {
    try OpenStore { [clock] in
      $0.path = folder.database
      $0.now = { Date(timeIntervalSince1970: Double(clock.now.seconds)) }
      $0.trashTime = 30 * 86_400
      $0.housekeepingInterval = interval
      $0.clockSettlingTime = settlingTime
    }
  }

  private func trash(in store: OpenStore) throws -> [TrashedRow] {
    try store.read { (snapshot) throws(InventoryError) in
      try snapshot.trash(PageWindow(limit: 10)).elements
    }
  }

  private func delete(_ store: OpenStore) throws {
    let item = try store.addThing("item")
    try store.write(.deleteRow(RowID(item), kind: .any, isRecursive: false))
  }

  /// Waits until the chores have had many turns.
  private func letChoresRun() { usleep(300_000) }

  @Test func `is not purged because the clock is ahead after a start`() throws {
    let folder = try TemporaryFolder()
    do { try delete(try open(folder, settlingTime: .seconds(3_600))) }
    clock.set(Timestamp(seconds: clock.now.seconds + 100 * day))
    let store = try open(folder, settlingTime: .seconds(3_600))
    letChoresRun()
    #expect(try trash(in: store).count == 1)
  }

  @Test func `is not purged because a change is made at once after such a start`() throws {
    let folder = try TemporaryFolder()
    do { try delete(try open(folder, settlingTime: .seconds(3_600))) }
    clock.set(Timestamp(seconds: clock.now.seconds + 100 * day))
    // The change comes before the first chore.
    let store = try open(folder, settlingTime: .seconds(3_600), interval: .milliseconds(100))
    try store.addThing("new")
    letChoresRun()
    #expect(try trash(in: store).count == 1)
  }

  @Test func `is purged once the clock is settled`() throws {
    let folder = try TemporaryFolder()
    do { try delete(try open(folder, settlingTime: .seconds(3_600))) }
    clock.set(Timestamp(seconds: clock.now.seconds + 100 * day))
    let store = try open(folder, settlingTime: .milliseconds(1))
    let end = ContinuousClock.now + .seconds(60)
    while try !trash(in: store).isEmpty, ContinuousClock.now < end { usleep(1_000) }
    #expect(try trash(in: store).isEmpty)
  }

  @Test func `is not older because the clock was behind when it was deleted`() throws {
    let folder = try TemporaryFolder()
    let store = try open(folder, settlingTime: .zero)
    try store.addThing("now")
    let now = clock.now
    clock.set(Timestamp(seconds: now.seconds - 100 * day))
    try delete(store)
    clock.set(now)
    letChoresRun()
    #expect(try trash(in: store).map(\.deletedAt) == [now])
  }

  @Test func `goes by the last certain time after a jump, until the clock has settled again`() {
    let start = ContinuousClock.now
    let last = clock.now
    var settled = SettledClock(settlingTime: .seconds(3_600), certain: last) { [clock] in clock.now
    }
    let first = Timestamp(seconds: last.seconds + 10 * day)
    func time(after seconds: Int64, reading: Int64) -> Int64 {
      clock.set(Timestamp(seconds: first.seconds + reading))
      return settled.now(at: start + .seconds(seconds)).seconds - first.seconds
    }
    #expect(time(after: 0, reading: 0) == -10 * day)
    #expect(time(after: 1_800, reading: 1_801) == -10 * day)
    #expect(time(after: 3_600, reading: 3_610) == 3_610)
    #expect(time(after: 9_000, reading: 9_030) == 9_030)
    #expect(time(after: 9_001, reading: 50 * day) == 9_030)
    #expect(time(after: 10_000, reading: 50 * day + 999) == 9_030)
    #expect(time(after: 10_001, reading: -5 * day) == -5 * day)
    #expect(time(after: 10_002, reading: 10_000) == 9_030)
    #expect(time(after: 13_602, reading: 13_600) == 13_600)
  }
}
