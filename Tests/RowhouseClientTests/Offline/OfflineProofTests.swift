import Foundation
import Support
import Testing

@testable import RowhouseClient

/// The promises of `OfflineStore`, for stores on disk.
///
/// Networks fail, answers get lost before and after the commit, stores and the server are killed, and days pass.
@Suite("Several stores that were offline", .timeLimit(.minutes(600)))
struct OfflineProofTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let isThorough = environment["ROWHOUSE_TEST_THOROUGH"] != nil
  private static let firstSeed = environment["ROWHOUSE_TEST_FIRST_SEED"].flatMap(UInt64.init) ?? 0

  /// The number of histories is `ROWHOUSE_TEST_PROOFS`, if given.
  private static func seeds(usually usual: UInt64, thoroughly most: UInt64) -> Range<UInt64> {
    let given = environment["ROWHOUSE_TEST_PROOFS"].flatMap(UInt64.init)
    return firstSeed..<firstSeed + (given ?? (isThorough ? most : usual))
  }

  @Test func `lose no command, do none twice, and show the server's rows`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, seed) in Self.seeds(usually: 10, thoroughly: 500).enumerated() {
        // The stores wait most of the time.
        if number >= 8 { try await group.next() }
        // Long histories find what short ones do not, but thousands of them take too long.
        let commands = seed.isMultiple(of: 100) ? 200 : 10
        group.addTask {
          try await Self.run(seed, on: ServerInThisProcess(), commands: commands)
        }
      }
      try await group.waitForAll()
    }
  }

  /// Few, because processes and sockets cost more.
  @Test func `keep these promises beside a program that is killed`() async throws {
    for seed in Self.seeds(usually: 1, thoroughly: 20) {
      try await Self.run(seed, on: KilledServer(), commands: Self.isThorough ? 200 : 20)
    }
  }

  @MainActor
  private static func run(
    _ seed: UInt64, on server: any ServerWithNetworks, commands: Int
  ) async throws {
    let history = try await OfflineHistory(seed: seed, on: server)
    let faults = try await history.run(commands: commands)
    try #require(
      faults.isEmpty, "The seed \(seed): \(faults.prefix(3).joined(separator: "; "))")
  }
}

/// Five stores, each with its own network to one server.
@MainActor private final class OfflineHistory {
  private struct Phone {
    let network: any Network
    let rowhouse: Rowhouse
    let folder: URL
    var store: OfflineStore?
    var chooser: RandomIntent
    /// The commands that were given and not taken back, by entry.
    var given: [Int: SyncCommand.Intent] = [:]
  }

  private let server: any ServerWithNetworks
  private let rowhouse: Rowhouse
  private let folder: TemporaryFolder
  private var phones: [Phone]
  private var chooser: RandomIntent
  private var replay: SyncReplay
  private var day = 1
  /// What stores had and showed at the revisions that they named.
  private var named: [(phone: Int, state: NamedState)] = []

  init(seed: UInt64, on server: any ServerWithNetworks) async throws {
    var chooser = RandomIntent(seed: seed)
    let folder = try TemporaryFolder()
    let rowhouse = try await server.start(at: Self.date(day: 1))
    let root = try await rowhouse.list(.root)
    var world = SyncModel(top: root.id.rawValue, title: root.title)
    var commands: [SyncCommand] = []
    for number in 1...12 {
      let lists = world.rows.keys.sorted()
      let intent = chooser.creation(
        in: lists[chooser.number(0..<lists.count)], world, isList: number < 4)
      world.make(intent)
      commands.append(
        try JSONCoding.decoder.decode(SyncCommand.self, from: Data(intent.bytes(number))))
    }
    let answer = try await rowhouse.sync(
      commands, as: .init(rawValue: "c0000000-0000-4000-8000-000000000001"))
    var phones: [Phone] = []
    for number in 0..<5 {
      let (network, client) = try server.makeNetwork(to: rowhouse)
      let path = URL(fileURLWithPath: folder.file("phone \(number)"))
      let store = try OfflineStore(in: path, for: client)
      await store.start()
      try await store.keepAll()
      phones.append(
        Phone(
          network: network, rowhouse: client, folder: path, store: store,
          chooser: RandomIntent(seed: seed << 8 + UInt64(number) + 1)))
    }
    (self.server, self.rowhouse, self.folder) = (server, rowhouse, folder)
    (self.phones, self.chooser) = (phones, chooser)
    replay = SyncReplay(world, at: answer.revision)
  }

  /// Returns what is not as it must be.
  func run(commands: Int) async throws -> [String] {
    var left = Array(repeating: commands, count: phones.count)
    while left.contains(where: { $0 > 0 }) {
      let phone = chooser.number(0..<phones.count)
      switch chooser.number(0..<40) {
      case 0: try await restartServer()
      case 1, 2: try await restart(phone)
      case 3, 4: phones[phone].network.goDown()
      case 5: phones[phone].network.cut()
      case 6, 7: phones[phone].network.dropAnswers(chooser.number(1..<3))
      case 8..<12:
        phones[phone].network.comeBack()
        await phones[phone].store?.retryNow()
      case 12..<16: try await Task.sleep(for: .milliseconds(chooser.number(1..<60)))
      case 16..<20: await note(phone)
      default:
        for _ in 0..<min(left[phone], chooser.number(1..<6)) {
          try await act(phone)
          left[phone] -= 1
        }
      }
    }
    return try await end()
  }

  private func restartServer() async throws {
    try await server.kill()
    day += chooser.number(1..<4)
    _ = try await server.start(at: Self.date(day: day))
  }

  private static func date(day: Int) -> Date {
    Date(timeIntervalSince1970: 1_767_225_600 + Double(day) * 86_400)
  }

  /// Drops a store without a word, and opens its folder again.
  private func restart(_ phone: Int) async throws {
    await note(phone)
    phones[phone].store = nil
    try await eventually { [self] in
      do { phones[phone].store = try open(phone) } catch OfflineError.inUse { return false }
      return true
    }
    await phones[phone].store?.start()
    await note(phone)
  }

  private func open(_ phone: Int) throws -> OfflineStore {
    try OfflineStore(in: phones[phone].folder, for: phones[phone].rowhouse)
  }

  private func note(_ phone: Int) async {
    if let state = await phones[phone].store?.named { named.append((phone, state)) }
  }

  private func act(_ phone: Int) async throws {
    guard let store = phones[phone].store else { return }
    if chooser.chance(1, of: 15), let entry = await store.status.waiting.last, !entry.isSent {
      // The command may leave meanwhile. Then the undo is the server's, and the model has no such command.
      for removed in await store.takeBack(entry.id) { phones[phone].given[removed.id] = nil }
      return
    }
    let (entry, chooser) = try await store.act(phones[phone].chooser)
    phones[phone].chooser = chooser
    if let entry { phones[phone].given[entry.id] = entry.intent }
  }

  private func end() async throws -> [String] {
    for phone in phones.indices {
      phones[phone].network.dropAnswers(0)
      phones[phone].network.comeBack()
      await phones[phone].store?.retryNow()
    }
    var faults: [String] = []
    for (number, phone) in phones.enumerated() {
      guard let store = phone.store else { continue }
      try await eventually { await store.queue.isEmpty }
      for (id, intent) in phone.given.sorted(by: { $0.key < $1.key }) {
        guard let outcome = try await store.outcome(of: id) else {
          faults.append("Phone \(number): no outcome of \(intent)")
          continue
        }
        let command = SyncCommand(outcome.sequence, intent)
        try replay.add(
          Array(JSONCoding.encoder.encode(command)), Array(JSONCoding.encoder.encode(outcome)),
          of: "\(number)")
      }
      faults += await store.unknownOutcomes(beside: Set(phone.given.keys)).map {
        "Phone \(number): \($0) was never given"
      }
    }
    faults += replay.replay()
    guard faults.isEmpty else { return faults }
    // Each commit is one command's.
    let last = try await rowhouse.log(limit: 1).changes.first?.revision
    if last != replay.revision { faults.append("\(last ?? 0) commits, not \(replay.revision)") }
    for (list, rows) in replay.last.rows {
      let page = try await rowhouse.rows(of: .init(rawValue: list), limit: 1_000)
      let found = page.rows.filter { !$0.isSentinel }.map(\.id.rawValue)
      if found != rows { faults.append("The server has \(found) in \(list), not \(rows)") }
    }
    for (number, phone) in phones.enumerated() {
      guard let store = phone.store else { continue }
      let expected = replay.last.rows
      try await eventually { await store.isIdle(at: self.replay.revision) }
      let shown = await store.shownRows
      for list in Set(expected.keys).union(shown.keys) where shown[list] != expected[list] {
        faults.append(
          "Phone \(number) shows \(shown[list] ?? []) in \(list), not \(expected[list] ?? [])")
      }
    }
    for (phone, state) in named where !state.base.isEmpty {
      // A store that was opened again may be at a revision from before the history.
      if state.revision < replay.firstRevision { continue }
      let queue = try state.queue.map { Array(try JSONCoding.encoder.encode(SyncCommand(1, $0))) }
      guard
        let (base, view) = try replay.rows(
          at: state.revision, of: Set(state.base.keys), with: queue)
      else {
        faults.append(
          "Phone \(phone) had \(state.base) at \(state.revision), the last is \(replay.revision)")
        continue
      }
      for (list, rows) in state.base where base[list] != rows {
        faults.append("Phone \(phone) had \(rows) in \(list) at \(state.revision), not \(base)")
      }
      for (list, rows) in state.shown where view[list] != nil && view[list] != rows {
        faults.append(
          "Phone \(phone) showed \(rows) in \(list) at \(state.revision), not \(view[list] ?? [])")
      }
    }
    return faults
  }
}

/// What a store had at a revision, and what it showed of that with its queue.
private struct NamedState {
  var revision: Int
  var base: [String: [String]]
  var queue: [SyncCommand.Intent]
  var shown: [String: [String]]
}

extension OfflineStore {
  private static func texts(_ tree: OfflineTree) -> [String: [String]] {
    Dictionary(
      uniqueKeysWithValues: tree.nodes.map { ($0.key.text, $0.value.order.map(\.text)) })
  }

  fileprivate var named: NamedState? {
    revision.map {
      NamedState(
        revision: $0, base: Self.texts(base), queue: queue.map(\.intent),
        shown: Self.texts(view))
    }
  }

  fileprivate var shownRows: [String: [String]] { Self.texts(view) }

  fileprivate func isIdle(at revision: Int) -> Bool {
    queue.isEmpty && reading.isIdle && reading.ahead.isEmpty && self.revision == revision
  }

  fileprivate func outcome(of entry: Int) throws -> SyncOutcome? {
    try openFile?.notice(entry)?.outcome
  }

  /// The numbers of commands that have an outcome and were not given.
  fileprivate func unknownOutcomes(beside given: Set<Int>) -> [Int] {
    notices.map(\.id).filter { !given.contains($0) }
  }

  /// Takes a command back that was not sent. In one step: a command that is sent meanwhile stays.
  fileprivate func takeBack(_ entry: OfflineEntry.ID) async -> [OfflineEntry] {
    guard let command = queue.first(where: { $0.id == entry }), command.state == .waiting else {
      return []
    }
    return (try? await undo(entry)) ?? []
  }

  /// Has a person do something to what the store shows.
  fileprivate func act(
    _ given: RandomIntent
  ) throws -> (OfflineEntry?, RandomIntent) {
    var choose = given
    load(base.nodes.keys)
    let lists = view.nodes.values.map(\.list).sorted { $0.id.rawValue < $1.id.rawValue }
    guard !lists.isEmpty else { return (nil, choose) }
    let list = lists[choose.number(0..<lists.count)]
    let rows = view.holders.keys.map(\.text).sorted()
    let index = choose.number(0..<list.rowCount + 1)
    let kind = choose.number(0..<20)
    if rows.isEmpty || kind < 6 && rows.count < 40 {
      if kind == 0 {
        let draft = ListDraft(title: "List \(kind)", in: list.id, id: .init(rawValue: choose.id()))
        return (try createList(draft, at: index), choose)
      }
      var draft = ItemDraft(name: "Thing \(index)", valueInDollars: Decimal(choose.number(0..<9)))
      if kind == 1 { draft = ItemDraft(car: Car(make: "Saab", year: 1_990 + index % 30)) }
      draft.id = .init(rawValue: choose.id())
      return (try createItem(draft, in: list.id, at: index), choose)
    }
    let row = Row.ID(rawValue: rows[choose.number(0..<rows.count)])
    switch kind {
    case ..<11:
      if case .list(let own)? = view.rows[RowKey(row)]?.content {
        return (try editList(own.id, ListEdit(title: "Title \(choose.number(0..<9))")), choose)
      }
      var edit = ItemEdit()
      if choose.chance(1, of: 2) { edit.name = .set("Name \(choose.number(0..<9))") }
      if choose.chance(1, of: 2) { edit.serialNumber = .set("\(choose.number(0..<9))") }
      if choose.chance(1, of: 2) { edit.quantity = .set(choose.number(0..<9)) }
      if choose.chance(1, of: 2) { edit.tags = .set(["tag \(choose.number(0..<9))"]) }
      return (try editItem(.init(rawValue: row.rawValue), edit), choose)
    case ..<16:
      let ids =
        [row]
        + rows.shuffled(using: &choose.random).prefix(choose.number(0..<3)).map {
          Row.ID(rawValue: $0)
        }.filter { $0 != row }
      return (try move(ids, into: list.id, at: index), choose)
    case ..<18: return (try delete(row, recursive: true), choose)
    default:
      // What this person has deleted, whether the server knows or not.
      let deleted = queue.compactMap { command -> Row.ID? in
        if case .delete(let row, _) = command.intent { row } else { nil }
      }
      return (try restore(deleted.last ?? row), choose)
    }
  }
}
