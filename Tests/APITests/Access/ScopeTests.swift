import Foundation
import HTTP
import JSON
import Testing

@testable import API

/// What is outside of a token's list stays unknown to its holder: `AccessWorld` has a marker in all of it, in
/// texts, ids and request ids, and no answer may have one that its own request has not.
@Suite("A token for one list knows of nothing else")
struct ScopeTests {
  private static let world = Result { try AccessWorld() }
  private static let callers = AccessCaller.allCases.filter { $0.reach == .inside }

  private let world: AccessWorld

  init() throws { world = try Self.world.get() }

  /// The parts of an answer that reveal data outside the list.
  private func leaks(in answer: Answer, to sent: AccessDoor.Sent) -> Set<String> {
    let told =
      (answer.fields.all.map { "\($0.name): \($0.value)" }.joined(separator: "\n") + "\n"
      + String(decoding: answer.body, as: UTF8.self)).lowercased()
      // Links repeat what was looked for.
      .replacing("q=\(AccessWorld.marker)", with: "")
    let asked = (sent.target + "\n" + String(decoding: sent.body, as: UTF8.self)).lowercased()
    var leaks = world.outsideIDs.filter { told.contains($0) && !asked.contains($0) }
    for marker in [AccessWorld.marker, AccessWorld.idMarker] {
      for range in told.ranges(of: marker) {
        // As far as an id goes.
        let found = String(told[range.lowerBound...].prefix(36))
        if marker == AccessWorld.marker || !asked.contains(found) { leaks.insert(found) }
      }
    }
    return leaks
  }

  private func check(
    _ line: AccessLine, _ caller: AccessCaller, _ names: AccessWorld.Names, _ door: AccessDoor
  ) throws -> Answer {
    let (sent, answer) = try door.ask(line, as: caller, names)
    let leaks = leaks(in: answer, to: sent)
    #expect(leaks.isEmpty, "\(line.title), \(sent.target), by \(caller): \(leaks.sorted())")
    return answer
  }

  /// Requests that name nothing, where the table's name something.
  private static let more = [
    AccessLine("GET /v1/lists", .role(.reader), "?subtree=true"),
    AccessLine("GET /v1/lists/{listId}", .role(.reader)),
    AccessLine("GET /v1/resolve", .role(.reader), "?path=/Drawer"),
    AccessLine("GET /v1/resolve", .role(.reader), "?path=/Shelf"),
    AccessLine("GET /v1/resolve", .role(.reader), "?path=/Zyzzyva%20Shelf"),
    AccessLine("GET /v1/search", .role(.reader), "?q=zyzzyva"),
    AccessLine("GET /v1/search", .role(.reader), "?q=lamp"),
    AccessLine("GET /v1/search", .role(.reader), "?q=dri"),
    AccessLine("GET /v1/export", .role(.reader)),
    AccessLine("GET /v1/trash", .role(.reader), "?limit=1"),
    AccessLine("GET /v1/changes", .role(.reader), "?limit=1"),
    AccessLine("GET /v1/events", .role(.reader)),
    AccessLine("POST /v1/lists", .role(.editor), body: #"{"title": "Box"}"#),
    AccessLine("POST /v1/tokens", .role(.owner), body: #"{"name": "Sam", "role": "owner"}"#),
    AccessLine("GET /v1/navigators/{navigatorId}", .role(.reader), "?restore=true"),
    // The row that has drifted out, and what happened to it when it was inside.
    AccessLine("GET /v1/rows/{rowId}", .role(.reader), row: "DRIFTED"),
    AccessLine("POST /v1/trash/{rowId}/restore", .role(.editor), body: "{}", row: "TRASHED"),
  ]

  @Test("whatever it asks of its own", arguments: callers)
  func own(caller: AccessCaller) throws {
    var names = world.inside
    names["DRIFTED"] = world.drifted
    for line in AccessLine.table + Self.more {
      let door = try AccessDoor(world)
      // `root` is the list itself.
      for list in [world.inside["LIST"], "root"] {
        names["LIST"] = list
        _ = try check(line, caller, names, door)
      }
    }
  }

  @Test("every change since the beginning, and what may be undone of it", arguments: callers)
  func changes(caller: AccessCaller) throws {
    var names = world.inside
    let last = try #require(
      try AccessDoor(world).ask(
        AccessLine("GET /v1/changes", .role(.reader), "?limit=1"), as: .owner, names
      ).answer.number("/changes/0/revision"))
    let show = AccessLine("GET /v1/changes/{revision}", .role(.reader))
    let undo = AccessLine("POST /v1/changes/{revision}/undo", .role(.editor))
    var seen = 0
    for revision in 1...last {
      names["REVISION"] = String(revision)
      let door = try AccessDoor(world)
      if try check(show, caller, names, door).status == 200 { seen += 1 }
      _ = try check(undo, caller, names, door)
    }
    #expect(seen > 3 && seen < last)
  }

  /// Each name of a request stands once for what is outside, while the others stand for what is inside; then
  /// all do.
  private func attempts(_ line: AccessLine) -> [AccessWorld.Names] {
    let files = [
      AccessLine.photo, AccessLine.rendition, AccessLine.export, AccessLine.outsideExport,
    ]
    let isText = line.body.map { !files.contains($0) } ?? false
    let text = line.target + " " + (isText ? line.body ?? "" : "")
    let used = world.outside.keys.filter { text.contains($0) }.sorted()
    let all = world.inside.merging(world.outside) { _, outside in outside }
    if line.body == AccessLine.outsideExport { return [world.inside, all] }
    return used.map { world.inside.merging([$0: all[$0] ?? ""]) { _, outside in outside } }
      + (used.isEmpty ? [] : [all])
  }

  @Test("whatever it names of others, which it neither finds nor changes", arguments: callers)
  func others(caller: AccessCaller) throws {
    let door = try AccessDoor(world)
    func outside() throws -> [[UInt8]] {
      let queries = [
        AccessLine("GET /v1/export", .role(.reader), "?listId=" + AccessWorld.bin),
        AccessLine("GET /v1/lists/{listId}/rows", .role(.reader)),
        AccessLine("GET /v1/items/{itemId}/photos", .role(.reader)),
      ]
      return try queries.map { try door.ask($0, as: .admin, world.outside).answer.body }
        + [
          try door.ask(AccessLine("GET /v1/trash", .role(.reader)), as: .besideOwner, [:]).answer
            .body
        ]
    }
    let before = try outside()
    for line in AccessLine.table + Self.writing {
      // The page of an address is the same for all, whatever the address names.
      if case .everybody = line.rule { continue }
      for names in attempts(line) {
        let answer = try check(line, caller, names, door)
        // A sync refuses the command, not the batch.
        let refusal = answer.number("/outcomes/0/problem/status") ?? answer.status
        #expect((403...422).contains(refusal), "\(line.title) by \(caller): \(names)")
        if line.target.contains("/LIST") || line.target.contains("/ITEM") {
          if names["LIST"] == world.outside["LIST"], names["ITEM"] == world.outside["ITEM"] {
            #expect(answer.status == 404, "\(line.title) by \(caller)")
          }
        }
      }
    }
    let answers = try outside()
    #expect(answers == before)
  }

  @Test("counts, totals and validators, whatever there is elsewhere", arguments: callers)
  func counts(caller: AccessCaller) throws {
    let door = try AccessDoor(world)
    let reads = (AccessLine.table + Self.more).filter {
      $0.method == .get && !$0.template.hasSuffix("/events") && $0.row != "DRIFTED"
    }
    func answers() throws -> [Answer] {
      try reads.map { try door.ask($0, as: caller, world.inside).answer }
    }
    // The first look takes off navigators' stacks what has drifted away.
    _ = try answers()
    let before = try answers()
    let add = AccessLine(
      "POST /v1/lists/{listId}/items", .named(.editor),
      body: #"{"name": "Lamp", "tags": ["tag"], "valueInDollars": 5, "serialNumber": "S"}"#)
    let edit = AccessLine("PATCH /v1/items/{itemId}", .named(.editor), body: #"{"quantity": 9}"#)
    let delete = AccessLine("DELETE /v1/items/{itemId}", .named(.editor), row: "OTHER")
    for line in [add, add, edit, delete] {
      let (_, answer) = try door.ask(line, as: .owner, world.outside)
      #expect((200...201).contains(answer.status))
    }
    for (line, (before, after)) in zip(reads, zip(before, try answers())) {
      // The first member is the inventory's revision, which the event stream tells everyone, too.
      guard line.template != "/v1/start" else {
        let isSame = before.body.drop { $0 != UInt8(ascii: ",") }
          .elementsEqual(after.body.drop { $0 != UInt8(ascii: ",") })
        #expect(isSame, "\(line.title) by \(caller)")
        continue
      }
      #expect(before.body == after.body, "\(line.title)\(line.query) by \(caller)")
      // A navigator's titles may change with any revision, which its validator has.
      guard !line.template.contains("{navigatorId}") else { continue }
      #expect(before.fields["etag"] == after.fields["etag"], "\(line.title) by \(caller)")
    }
  }

  /// More places where a request may name something.
  private static let writing = [
    AccessLine(
      "POST /v1/lists/{listId}/items", .named(.editor), body: #"{"id": "ITEM", "name": "x"}"#),
    AccessLine(
      "POST /v1/lists", .named(.editor), body: #"{"id": "LIST", "title": "x"}"#),
    AccessLine(
      "POST /v1/lists/{listId}/items", .named(.editor), body: #"{"id": "TRASHED", "name": "x"}"#),
    AccessLine(
      "POST /v1/items/{itemId}/contents", .named(.editor), body: #"{"id": "LIST"}"#,
      row: "OTHER"),
    AccessLine("POST /v1/items/{itemId}/photos", .named(.editor), "?id=PHOTO", body: photo),
    AccessLine(
      "POST /v1/lists/{listId}/items", .named(.editor),
      body: #"{"name": "x", "position": {"before": "OTHER"}}"#),
    AccessLine(
      "POST /v1/rows/{rowId}/move", .named(.editor), body: #"{"position": {"after": "OTHER"}}"#),
    AccessLine(
      "POST /v1/lists/{listId}/move-row", .named(.editor),
      body: #"{"from": 0, "to": 1, "id": "OTHER"}"#),
    AccessLine(
      "POST /v1/lists/{listId}/reorder", .named(.editor), body: #"{"ids": ["ITEM", "OTHER"]}"#),
    AccessLine(
      "POST /v1/lists/{listId}/batch", .named(.editor),
      body: #"{"updates": [{"id": "OTHER", "patch": {"name": "x"}}]}"#),
    AccessLine(
      "POST /v1/lists/{listId}/batch", .named(.editor),
      body: #"{"moves": [{"id": "OTHER", "to": 0}]}"#),
    AccessLine(
      "POST /v1/lists/{listId}/batch", .named(.editor),
      body: #"{"inserts": [{"index": 0, "item": {"id": "TRASHED", "name": "x"}}]}"#),
    AccessLine(
      "POST /v1/trash/{rowId}/restore", .named(.editor), body: #"{"position": {"after": "OTHER"}}"#,
      row: "TRASHED"),
    AccessLine("GET /v1/lists/{listId}/rows", .named(.reader), "?after=OTHER"),
    AccessLine("GET /v1/lists", .named(.reader), "?after=LIST"),
    AccessLine("GET /v1/trash", .named(.reader), "?after=TRASHED"),
    AccessLine("POST /v1/navigators", .named(.reader), body: #"{"copyOf": "NAVIGATOR"}"#),
    AccessLine(
      "POST /v1/navigators/{navigatorId}/push", .named(.reader),
      body: #"{"screen": {"itemId": "ITEM", "photos": true}}"#),
    AccessLine(
      "POST /v1/navigators/{navigatorId}/open", .named(.reader), body: #"{"listId": "LIST"}"#),
    AccessLine(
      "POST /v1/import", .named(.editor), "?listId=root", body: AccessLine.outsideExport,
      type: "application/x-ndjson"),
    AccessLine(
      "POST /v1/import", .named(.editor), "?listId=LIST", body: AccessLine.outsideExport,
      type: "application/x-ndjson"),
  ]

  private static let photo = AccessLine.photo

  @Test("what happens to others while it listens", arguments: callers)
  func events(caller: AccessCaller) throws {
    let door = try AccessDoor(world)
    let token = try #require(world.tokens[caller])
    let streams = try ["/v1/events", "/v1/lists/root/events"].map {
      try door.service.follow($0, ["Authorization": "Bearer \(token)"])
    }
    for stream in streams { _ = stream.blocks() }
    let edits = [
      AccessLine("PATCH /v1/lists/{listId}", .named(.editor), body: #"{"title": "Zyzzyva"}"#),
      AccessLine("PATCH /v1/items/{itemId}", .named(.editor), body: #"{"name": "Zyzzyva"}"#),
      AccessLine("DELETE /v1/rows/{rowId}", .named(.editor), row: "OTHER"),
    ]
    for edit in edits {
      #expect(try door.ask(edit, as: .owner, world.outside).answer.status == 200)
    }
    for stream in streams {
      for block in stream.blocks() { #expect(block.event == nil, "\(block)") }
    }
    // A row that is moved in is shown as it is now, without its former place.
    var names = world.outside
    names["INSIDE"] = world.inside["LIST"]
    let move = AccessLine(
      "POST /v1/rows/{rowId}/move", .named(.editor), body: #"{"listId": "INSIDE"}"#)
    #expect(try door.ask(move, as: .owner, names).answer.status == 200)
    for (number, stream) in streams.enumerated() {
      let text = stream.events().map { "\($0)" }.joined().lowercased()
      #expect(text.contains(names["ITEM"] ?? "") == (number == 0))
      for id in [AccessWorld.bin, names["LIST"] ?? ""] { #expect(!text.contains(id)) }
    }
  }
}
