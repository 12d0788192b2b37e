import API
import Inventory
import Server
import Storage

/// The settings that make a server's answers the same in each run of a test suite.
struct TestSettings {
  static let fixedTime = "2026-01-01T00:00:00Z"

  /// Whether test suites may reset the server, set its clock and make it fail.
  let isTestMode: Bool
  /// The fixed time of the clock; nil: it runs.
  let clock: Timestamp?
  private let countsIDs: Bool

  /// Whether the clock may show another time than the system's.
  var setsClock: Bool { clock != nil || isTestMode }

  init(_ options: Options) {
    isTestMode = options.isOn("test-mode")
    clock = options.text("clock").flatMap(Self.instant)
    countsIDs = options.text("ids") == "sequential"
  }

  static func instant(_ text: String) -> Timestamp? {
    Timestamp(rfc3339: text == "fixed" ? fixedTime : text)
  }

  /// Applies the settings. Call it before the store is opened.
  ///
  /// - Throws: `usage` if test mode or sequential ids are on and the database is on disk. Sequential ids would collide
  ///   with those of earlier runs, and a reset would delete people's data.
  func apply(database path: String) throws(Failure) {
    guard path == ":memory:" || !(isTestMode || countsIDs) else {
      throw Failure(
        .usage, "--\(isTestMode ? "test-mode" : "ids sequential") needs --db :memory:.")
    }
    if let clock { WallClock.stop(at: clock) }
    if countsIDs { NewIdentifiers.count() }
  }

  /// Saves the state that a reset restores.
  func keepStart(of store: DatabaseStore) throws(Failure) {
    guard isTestMode else { return }
    let kept = Awaited<Void>()
    store.rewind(.keep(RewindStep.start)) { kept.give($0) }
    if case .failure(let error) = kept.wait() {
      throw Failure(.inputOutput, "The state at the start cannot be saved: \(error)")
    }
  }
}

/// The clocks of a server whose time tests set: `Date` fields show that time. Time limits go by the system's clock.
struct SetTime: TimeSource {
  private let system = SystemTime()

  func milliseconds() -> Int64 { system.milliseconds() }
  func microseconds() -> Int64 { system.microseconds() }
  func millisecondsSince1970() -> Int64 { system.millisecondsSince1970() }
  var date: Int64? { Timestamp(WallClock.now).seconds }
}
