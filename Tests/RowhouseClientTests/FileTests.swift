import Foundation
import RowhouseClient
import RowhouseTesting
import Support
import Testing

/// Exports, imports and tables, as files.
@Suite struct FileTests {
  let server: RowhouseTestServer
  let network: FlakyNetwork
  let folder: TemporaryFolder
  var rowhouse: Rowhouse { server.rowhouse }
  /// The same server by a network that is not to be relied on.
  let caller: Rowhouse

  init() throws {
    server = try makeServer()
    network = try FlakyNetwork(to: server.url)
    folder = try TemporaryFolder()
    caller = Rowhouse(at: network.url, retries: .quick)
  }

  private func file(_ name: String, _ text: String? = nil) throws -> URL {
    let file = URL(fileURLWithPath: folder.file(name))
    if let text { try Data(text.utf8).write(to: file) }
    return file
  }

  private var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(
        atPath: URL(fileURLWithPath: folder.file("x")).deletingLastPathComponent().path
      ).sorted()
    }
  }

  /// The rows with what is below them, as titles in brackets.
  private func tree(_ list: Rowhouse.List.ID = .root) async throws -> String {
    var text = ""
    for row in try await rowhouse.rows(of: list, showingSentinel: false).rows {
      guard case .list(let below) = row.content else {
        text += row.title + " "
        continue
      }
      text += "\(row.title)[\(try await tree(below.id))] "
    }
    return text.trimmingCharacters(in: .whitespaces)
  }

  private func fill() async throws -> (garage: Rowhouse.List.ID, saw: Item.ID) {
    let garage = try await rowhouse.createList(ListDraft(title: "Garage")).resource.id
    let saw = try await rowhouse.createItem(ItemDraft(name: "Saw"), in: garage).resource.id
    try await rowhouse.createItem(ItemDraft(name: "Vase"))
    return (garage, saw)
  }

  @Test func `What was exported comes back`() async throws {
    let (garage, saw) = try await fill()
    let gif = try #require(
      Data(base64Encoded: "R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="))
    let photo = try await rowhouse.addPhoto(gif, to: saw).resource
    let (all, some) = (try file("all.ndjson", "What was there before."), try file("some.ndjson"))
    try await rowhouse.export(to: all)
    try await rowhouse.export(garage, to: some)
    #expect(try names == ["all.ndjson", "some.ndjson"])

    try await rowhouse.edit(saw, ItemEdit(name: "Axe"))
    try await rowhouse.createItem(ItemDraft(name: "New"))
    let revision = try await rowhouse.list().revision
    let dryRun = try await rowhouse.import(from: all, dryRun: true)
    #expect(dryRun.dryRun)
    #expect(dryRun.receipt == nil)
    #expect(dryRun.photos == 1)
    #expect(try await rowhouse.list().revision == revision)
    let merged = try await rowhouse.import(from: all)
    #expect(merged.receipt?.changed == true)
    #expect(merged.created == 0)
    #expect(try await tree() == "Garage[Saw] Vase New")
    let replaced = try await rowhouse.import(from: all, .replace)
    #expect((replaced.lists, replaced.items, replaced.photos) == (2, 2, 1))
    #expect(try await tree() == "Garage[Saw] Vase")
    #expect(try await rowhouse.photo(photo.id, of: saw) == gif)

    let attic = try await rowhouse.createList(ListDraft(title: "Attic")).resource.id
    try await rowhouse.delete(Row.ID(garage), recursive: true)
    try await rowhouse.purge(Row.ID(garage))
    try await rowhouse.import(from: some, .merge(into: attic))
    #expect(try await tree() == "Vase Attic[Garage[Saw]]")
  }

  @Test func `An import whose answer was lost is sent again, and done once`() async throws {
    _ = try await fill()
    let all = try file("all.ndjson")
    try await rowhouse.export(to: all)
    try await rowhouse.createItem(ItemDraft(name: "New"))
    network.dropAnswers(2)
    let report = try await caller.import(from: all, .replace)
    #expect(report.receipt?.changed == true)
    #expect(try await tree() == "Garage[Saw] Vase")
    let next = try await rowhouse.createItem(ItemDraft(name: "Newer")).receipt.revision
    #expect(next == report.revision + 1)
  }

  @Test func `An export that breaks off is repeated`() async throws {
    _ = try await fill()
    let (direct, broken) = (try file("direct.ndjson"), try file("broken.ndjson"))
    try await rowhouse.export(to: direct)
    network.cutBody(after: 100)
    try await caller.export(to: broken)
    #expect(try Data(contentsOf: broken) == Data(contentsOf: direct))
    #expect(try names == ["broken.ndjson", "direct.ndjson"])
  }

  @Test func `A file is left alone where nothing comes for it`() async throws {
    let kept = try file("kept.ndjson", "kept")
    let nowhere = Rowhouse.List.ID(rawValue: UUID().uuidString)
    let refusal = await #expect(throws: RowhouseError.self) {
      try await rowhouse.export(nowhere, to: kept)
    }
    #expect(refusal?.code == .notFound)
    network.goDown()
    let lost = await #expect(throws: RowhouseError.self) { try await caller.export(to: kept) }
    guard case .unreachable = lost else {
      Issue.record("\(String(describing: lost))")
      return
    }
    #expect(try String(contentsOf: kept, encoding: .utf8) == "kept")
    #expect(try names == ["kept.ndjson"])
  }

  @Test func `A file that cannot be read or written is reported`() async throws {
    let missing = try file("missing.ndjson")
    let below = missing.appendingPathComponent("below.ndjson")
    for error in [
      await #expect(throws: RowhouseError.self) { try await rowhouse.import(from: missing) },
      await #expect(throws: RowhouseError.self) { try await rowhouse.export(to: below) },
      await #expect(throws: RowhouseError.self) {
        try await rowhouse.importTable(from: missing, into: .root)
      },
    ] {
      guard case .file = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test func `An import that waits for another one is made again`() async throws {
    _ = try await fill()
    let all = try file("all.ndjson")
    try await rowhouse.export(to: all)
    let problem =
      #"{"type": "/problems/import_running", "title": "No", "status": 409, "code": "import_running"}"#
    network.answer(with: [
      [
        "HTTP/1.1 409 Conflict\r\nContent-Type: application/problem+json\r\nRetry-After: 0\r\n"
          + "Content-Length: \(problem.utf8.count)\r\n\r\n\(problem)"
      ]
    ])
    let report = try await caller.import(from: all, dryRun: true)
    #expect(report.lists == 2)
    #expect(network.answered.count == 1)
  }

  @Test func `A refused import has its reason before the whole body is sent`() async throws {
    let all = try file("all.ndjson")
    try await rowhouse.export(to: all)
    let large = try FileHandle(forWritingTo: all)
    try large.seekToEnd()
    for _ in 0..<16 { try large.write(contentsOf: Data(repeating: 32, count: 1 << 20)) }
    try large.close()
    _ = try await rowhouse.createToken(for: "Admin", role: .admin)
    let stranger = await #expect(throws: RowhouseError.self) {
      try await rowhouse.import(from: all)
    }
    #expect(stranger?.code == .unauthenticated)
  }

  @Test func `Invalid lines are reported with their numbers`() async throws {
    _ = try await fill()
    let all = try file("all.ndjson")
    try await rowhouse.export(to: all)
    let text = try String(contentsOf: all, encoding: .utf8)
    let bad = try file("bad.ndjson", text.replacing(#""quantity":1"#, with: #""quantity":-1"#))
    let refusal = await #expect(throws: RowhouseError.self) { try await rowhouse.import(from: bad) }
    #expect(refusal?.code == .invalidLines)
    let line = try #require(refusal?.problem?.lines?.first)
    #expect(line.pointer == "/quantity")
    let bare = text.split(separator: "\n").firstIndex { $0.contains(#""quantity":1"#) }
    #expect(bare == line.line - 1)

    let table = try file("bad.csv", "name,quantity\nHammer,2\nSaw,few\nAxe,many\n")
    let refused = await #expect(throws: RowhouseError.self) {
      try await rowhouse.importTable(from: table, into: .root)
    }
    #expect(refused?.code == .invalidLines)
    #expect(refused?.problem?.lines?.map(\.line) == [3, 4])
    #expect(refused?.problem?.lines?.compactMap(\.column) == ["quantity", "quantity"])
    #expect(try await tree() == "Garage[Saw] Vase")
  }

  @Test func `A list's items go out and come back as a table`() async throws {
    let (garage, saw) = try await fill()
    let table = try file("garage.csv")
    try await rowhouse.exportTable(of: .root, to: table, subtree: true)
    #expect(try String(contentsOf: table, encoding: .utf8).contains(",Garage\r\n"))
    try await rowhouse.exportTable(of: garage, to: table)
    var text = try String(contentsOf: table, encoding: .utf8)
    #expect(text.hasPrefix("id,name,serialNumber,"))
    text =
      text.replacing("Saw", with: "Ryoba") + ",Hammer" + String(repeating: ",", count: 11) + "\r\n"
    try Data(text.utf8).write(to: table)
    let seen = try await rowhouse.list(garage).revision
    let dryRun = try await rowhouse.importTable(from: table, into: garage, dryRun: true)
    #expect((dryRun.items, dryRun.created, dryRun.updated) == (2, 1, 1))
    #expect(dryRun.receipt == nil)
    #expect(try await rowhouse.list(garage).revision == seen)
    let report = try await rowhouse.importTable(from: table, into: garage, ifAt: seen)
    #expect((report.items, report.created, report.updated) == (2, 1, 1))
    #expect(report.receipt?.changed == true)
    #expect(try await tree(garage) == "Ryoba Hammer")
    #expect(try await rowhouse.item(saw).name == "Ryoba")
    let late = await #expect(throws: RowhouseError.self) {
      try await rowhouse.importTable(from: table, into: garage, ifAt: seen)
    }
    #expect(late?.code == .preconditionFailed)
  }

  @Test func `Columns of another product become custom fields and rooms`() async throws {
    let table = try file("other.csv")
    try Data("name,Location,Colour\r\nSaw,Shed / Wall,red\r\n".utf8).write(to: table)
    let refused = await #expect(throws: RowhouseError.self) {
      try await rowhouse.importTable(from: table, into: .root)
    }
    #expect(refused?.code == .invalidLines)
    let report = try await rowhouse.importTable(
      from: table, into: .root, unknownColumns: .fields, locations: .rooms)
    #expect((report.items, report.created) == (1, 3))
    #expect(try await tree() == "Shed[Wall[Saw]]")
  }

  @Test func `The caller says what the columns of a table are`() async throws {
    let table = try file("columns.csv")
    try Data("Ding,Anzahl,Alt\r\nSäge,2,ja\r\n".utf8).write(to: table)
    let report = try await rowhouse.importTable(
      from: table, into: .root, columns: ["Ding": "name", "Anzahl": "quantity", "Alt": "ignore"])
    #expect((report.items, report.fields) == (1, []))
    #expect(try await tree() == "Säge")
  }

  @Test func `A transfer ends with the task that makes it`() async throws {
    for number in 0..<300 { try await rowhouse.createItem(ItemDraft(name: "Item \(number)")) }
    let (all, copy) = (try file("all.ndjson"), try file("copy.ndjson"))
    try await rowhouse.export(to: all)
    let caller = rowhouse
    for step in 0..<60 {
      let transfer = Task {
        if step.isMultiple(of: 2) {
          try await caller.export(to: copy)
        } else {
          try await caller.import(from: all, dryRun: true)
        }
      }
      try await Task.sleep(for: .microseconds(step * 200))
      transfer.cancel()
      do { try await transfer.value } catch {
        if let error = error as? RowhouseError, case .cancelled = error { continue }
        // Another import may be coming to its end still.
        #expect((error as? RowhouseError)?.code == .importRunning)
      }
    }
    #expect(Set(try names).isSubset(of: ["all.ndjson", "copy.ndjson"]))
    try await rowhouse.export(to: copy)
    #expect(try Data(contentsOf: copy) == Data(contentsOf: all))
  }
}
