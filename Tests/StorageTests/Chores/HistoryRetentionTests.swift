import Foundation
import Inventory
import SQL
@testable import Storage
import Support
import Testing

@Suite("The limits of the change log")
struct HistoryRetentionTests {
  /// Changes 1 to 20, a second apart.
  private func open(_ clock: SetClock) throws -> OpenStore {
    let store = try OpenStore {
      $0.housekeepingInterval = .seconds(3_600)
      $0.now = { Date(timeIntervalSince1970: Double(clock.now.seconds)) }
    }
    for number in 0..<20 {
      clock.set(Timestamp(seconds: clock.now.seconds + 1))
      try store.addThing("thing \(number)")
    }
    return store
  }

  /// The revisions of the changes that a step leaves.
  private func kept(
    _ limits: HistoryLimits, in store: OpenStore, at now: Timestamp
  ) throws -> [Int] {
    let db = try store.connection()
    let isLeft = try db.transaction(.immediate) { () throws(StorageError) in
      try HistoryRetention(limits: limits, duration: .seconds(600)).step(in: db, now: now)
    }
    #expect(!isLeft)
    var revisions: [Int] = []
    try db.prepare("SELECT revision FROM change ORDER BY revision")
      .forEach { revisions.append($0.int(0)) }
    return revisions
  }

  @Test func `keep all changes where there is none`() throws {
    let clock = SetClock()
    let store = try open(clock)
    let limits = HistoryLimits(count: 0, size: 0, seconds: 0)
    #expect(try kept(limits, in: store, at: clock.now) == Array(1...20))
  }

  @Test func `keep changes up to an age`() throws {
    let clock = SetClock()
    let store = try open(clock)
    let limits = HistoryLimits(count: 0, size: 0, seconds: 5)
    // The last change is made now, and change 15 five seconds ago.
    #expect(try kept(limits, in: store, at: clock.now) == Array(15...20))
  }

  @Test func `keep changes up to a size`() throws {
    let clock = SetClock()
    let store = try open(clock)
    let size = try #require(
      try store.connection().prepare("SELECT sum(size) FROM change WHERE revision > 15")
        .first { $0.int(0) })
    #expect(size > 0)
    let limits = HistoryLimits(count: 0, size: size)
    #expect(try kept(limits, in: store, at: clock.now) == Array(16...20))
    let less = HistoryLimits(count: 0, size: size - 1)
    #expect(try kept(less, in: store, at: clock.now) == Array(17...20))
  }
}
