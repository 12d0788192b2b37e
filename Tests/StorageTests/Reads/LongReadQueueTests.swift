import Dispatch
import Glibc
import Inventory
import Synchronization
import Testing

@testable import Storage

@Suite("Long reads leave room to cut the WAL")
struct LongReadQueueTests {
  /// What a thread that is at the queue for one job says of it.
  private final class Notes: Sendable {
    private let lines = Mutex<[String]>([])
    func note(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  private func makeQueue(holdTime: Duration = .seconds(86_400)) -> LongReadQueue<String> {
    LongReadQueue(capacity: 3, holdTime: holdTime)
  }

  @Test func `those of one kind begin in the order in which they came`() throws {
    let queue = makeQueue()
    let notes = Notes()
    for job in ["a", "b", "c"] { try queue.push(job, isPatient: job == "b") }
    #expect(throws: InventoryError.overloaded) { try queue.push("d", isPatient: false) }
    queue.close()
    #expect(throws: InventoryError.shuttingDown) { try queue.push("e", isPatient: false) }
    while queue.perform({ notes.note($0) }) {}
    #expect(notes.all == ["a", "b", "c"])
  }

  @Test func `beside one that reads everything others begin, but none of its kind`() throws {
    let queue = makeQueue()
    let notes = Notes()
    try queue.push("first", isPatient: true)
    _ = queue.perform { _ in
      queue.cutting { true }
      // It cannot begin before this one has ended, which does the next.
      _ = try? queue.push("second", isPatient: true)
      _ = try? queue.push("search", isPatient: false)
      _ = queue.perform { notes.note($0) }
    }
    // The reader has gone by the next attempt.
    queue.cutting { false }
    _ = queue.perform { notes.note($0) }
    #expect(notes.all == ["search", "second"])
  }

  @Test func `none begins beside short ones until the WAL is cut`() throws {
    let queue = makeQueue()
    let notes = Notes()
    try queue.push("running", isPatient: false)
    let isDone = DispatchSemaphore(value: 0)
    // It may be at the queue before or after the cut.
    _ = queue.perform { _ in
      queue.cutting { true }
      _ = try? queue.push("next", isPatient: false)
      DispatchQueue(label: "worker").async {
        _ = queue.perform { notes.note($0) }
        isDone.signal()
      }
      notes.note("running")
    }
    queue.cutting {
      notes.note("cut")
      return false
    }
    isDone.wait()
    #expect(notes.all == ["running", "cut", "next"])
  }

  @Test(arguments: [
    "no reader is left", "the hold time ends", "the log is short", "the queue closes",
  ])
  func `nothing is held back where`(reason: String) throws {
    let queue = makeQueue(
      holdTime: reason == "the hold time ends" ? .milliseconds(1) : .seconds(86_400))
    let notes = Notes()
    // Exports wait until the cut, however long that takes.
    let isPatient = reason != "the hold time ends"
    if reason == "no reader is left" {
      queue.cutting { true }
    } else {
      try queue.push("first", isPatient: isPatient)
      _ = queue.perform { _ in queue.cutting { true } }
    }
    try queue.push("next", isPatient: isPatient)
    switch reason {
    case "the log is short": queue.letAllBegin()
    case "the queue closes": queue.close()
    default: break
    }
    _ = queue.perform { notes.note($0) }
    #expect(notes.all == ["next"])
  }

  @Test func `an export that has waited for long does not begin before the WAL is cut`() throws {
    let queue = makeQueue(holdTime: .zero)
    let notes = Notes()
    try queue.push("first", isPatient: true)
    try queue.push("second", isPatient: true)
    _ = queue.perform { _ in queue.cutting { true } }
    let isDone = DispatchSemaphore(value: 0)
    DispatchQueue(label: "worker").async {
      _ = queue.perform { notes.note($0) }
      isDone.signal()
    }
    // Time enough for a worker that would not wait.
    #expect(isDone.wait(timeout: .now() + 0.3) == .timedOut)
    queue.cutting {
      notes.note("cut")
      return false
    }
    isDone.wait()
    #expect(notes.all == ["cut", "second"])
  }

  private static let anna = Requester(turn: .address(1))
  private static let ben = Requester(turn: .address(2))

  @Test func `callers take turns, whatever their order and amounts`() throws {
    let queue = LongReadQueue<String>(capacity: 100, holdTime: .seconds(86_400))
    let notes = Notes()
    for number in 1...3 { try queue.push("anna \(number)", isPatient: false, for: Self.anna) }
    for number in 1...2 { try queue.push("ben \(number)", isPatient: false, for: Self.ben) }
    for _ in 1...5 { _ = queue.perform { notes.note($0) } }
    #expect(notes.all == ["anna 1", "ben 1", "anna 2", "ben 2", "anna 3"])
  }

  @Test func `one caller runs one read at a time, and one export`() throws {
    let queue = LongReadQueue<String>(capacity: 100, holdTime: .seconds(86_400), patientLimit: 2)
    let notes = Notes()
    for job in ["search 1", "search 2"] { try queue.push(job, isPatient: false, for: Self.anna) }
    for job in ["export 1", "export 2"] { try queue.push(job, isPatient: true, for: Self.anna) }
    _ = queue.perform { first in
      notes.note(first)
      _ = queue.perform { second in
        notes.note(second)
        // Both are her turns, so nothing of hers may begin now.
        _ = try? queue.push("ben", isPatient: false, for: Self.ben)
        _ = queue.perform { notes.note($0) }
      }
    }
    #expect(notes.all == ["search 1", "export 1", "ben"])
    for _ in 1...2 { _ = queue.perform { notes.note($0) } }
    #expect(Set(notes.all.suffix(2)) == ["search 2", "export 2"])
  }

  @Test func `exports leave a thread to other reads, whatever their caller`() throws {
    let queue = LongReadQueue<String>(capacity: 100, holdTime: .seconds(86_400), patientLimit: 1)
    let notes = Notes()
    try queue.push("export 1", isPatient: true, for: Self.anna)
    try queue.push("export 2", isPatient: true, for: Self.ben)
    _ = queue.perform { _ in
      _ = try? queue.push("search", isPatient: false, for: Self.ben)
      _ = queue.perform { notes.note($0) }
    }
    #expect(notes.all == ["search"])
  }

  @Test func `one caller's reads fill a quarter of the queue, and those who have gone give way`()
    throws
  {
    let queue = LongReadQueue<String>(capacity: 8, holdTime: .seconds(86_400))
    for job in ["1", "2"] { try queue.push(job, isPatient: false, for: Self.anna) }
    #expect(throws: InventoryError.overloaded) {
      try queue.push("3", isPatient: false, for: Self.anna)
    }
    let hasLeft = Atomic<Bool>(false)
    let carl = Requester(turn: .address(3)) { hasLeft.load(ordering: .relaxed) }
    for job in ["4", "5"] { try queue.push(job, isPatient: false, for: carl) }
    hasLeft.store(true, ordering: .relaxed)
    #expect(try queue.push("6", isPatient: false, for: carl) == ["4", "5"])
    #expect(try queue.push("7", isPatient: false, for: Self.ben) == [])
  }

  @Test func `whoever has most gives way when the queue is full`() throws {
    let queue = LongReadQueue<String>(capacity: 8, holdTime: .seconds(86_400))
    for caller in 1...4 as ClosedRange<UInt64> {
      for number in 1...2 {
        try queue.push(
          "\(caller).\(number)", isPatient: false, for: Requester(turn: .address(caller)))
      }
    }
    func push(_ caller: UInt64) throws -> [String] {
      try queue.push("\(caller)", isPatient: false, for: Requester(turn: .address(caller)))
    }
    let given = try (5...8).flatMap { try push($0) }
    #expect(Set(given) == ["1.2", "2.2", "3.2", "4.2"])
    // All have one.
    #expect(throws: InventoryError.overloaded) { try push(9) }
    #expect(throws: InventoryError.overloaded) { try push(1) }
  }

  @Test func `what is late is handed over, waiting or running, without a thread`() throws {
    let queue = makeQueue()
    try queue.push("running", isPatient: false, until: .now)
    try queue.push("export", isPatient: true, until: .now, taking: .zero)
    try queue.push("waiting", isPatient: false, until: .now)
    _ = queue.perform { _ in
      // Both threads are inside of a call for as long as this takes.
      _ = queue.perform { _ in
        #expect(queue.late().map(Set.init) == ["running", "export", "waiting"])
        _ = try? queue.push("next", isPatient: false, until: .now)
        #expect(queue.late() == ["next"])
      }
    }
    queue.end(by: .now)
    try queue.push("too late", isPatient: true)
    #expect(queue.late() == ["too late"])
    queue.close()
    #expect(queue.late() == nil)
  }

  @Test func `the end of one that has begun wakes what looks for late ones`() throws {
    let queue = makeQueue()
    let late = DispatchSemaphore(value: 0)
    let notes = Notes()
    DispatchQueue(label: "watch").async {
      for job in queue.late() ?? [] { notes.note(job) }
      late.signal()
    }
    // Nothing ends it before it begins, so that the watch sleeps without an end.
    try queue.push("export", isPatient: true, taking: .milliseconds(1))
    _ = queue.perform { _ in late.wait() }
    #expect(notes.all == ["export"])
  }

  @Test func `exports that overlap let the WAL be cut`() throws {
    let cut = 50
    // A frame of the WAL is a page and 24 bytes: https://www.sqlite.org/fileformat2.html#walformat
    let full = cut * (4_096 + 24)
    let store = try OpenStore { $0.logCut = cut }
    let database = store.store
    @Sendable func logSize() -> Int {
      var facts = stat()
      return stat(database.path + "-wal", &facts) == 0 ? Int(facts.st_size) : 0
    }
    let sizes = Mutex<[Int]>([])
    let isDone = DispatchSemaphore(value: 0)
    /// Two run at a time, of which one ends later than the other: some reader is always in the WAL.
    @Sendable func export(_ number: Int) throws(InventoryError) {
      _ = try database.makeSession().read(.everything, as: .local) {
        (snapshot) throws(InventoryError) in
        let start = logSize()
        sizes.withLock { $0.append(start) }
        _ = try snapshot.trash(PageWindow())
        if number < 10 { try export(number + 1) }
        let end = ContinuousClock.now + .seconds(300)
        let growth = number.isMultiple(of: 2) ? 2 : 3
        while logSize() < start + growth * full, ContinuousClock.now < end { usleep(1_000) }
      } later: { _ in
        isDone.signal()
      }
    }
    try export(1)
    for _ in 1...10 {
      while isDone.wait(timeout: .now()) == .timedOut { try store.addThing("thing") }
    }
    let seen = sizes.withLock { $0 }
    #expect(seen.count == 10)
    #expect(seen.allSatisfy { $0 <= 4 * full }, "\(seen) of \(full)")
  }
}
