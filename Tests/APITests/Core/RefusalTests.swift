import FoundationEssentials
import HTTP
import Inventory
import JSON
import Support
import Testing

@Suite("What the store's refusals are to a client")
struct RefusalTests {
  private static let list = ListID(UUID())
  private static let row = RowID(UUID())
  private static let delta = Delta(
    listID: list, fromRevision: Revision(1), toRevision: Revision(2), content: .resync)

  /// A refusal, the status and code of its answer, and the members that the answer has beside the usual.
  struct Line: Sendable, CustomTestStringConvertible {
    let error: InventoryError
    let status: Int
    let code: String
    var members: [String: JSONValue] = [:]
    var testDescription: String { code }
  }

  static let lines = [
    Line(error: .notFound(.list), status: 404, code: "not_found"),
    Line(
      error: .inTrash(top: row), status: 410, code: "in_trash",
      members: ["trashId": .string(row.description)]),
    Line(
      error: .idInTrash(row, top: RowID(list)), status: 409, code: "in_trash",
      members: ["id": .string(row.description), "trashId": .string(list.description)]),
    Line(
      error: .invalid([FieldError(["to"], "x")]), status: 422, code: "invalid",
      members: ["errors": [["pointer": "/to", "detail": "x"]]]),
    Line(
      error: .listMovedOn(delta), status: 409, code: "list_moved_on",
      members: ["delta": ["listId": .string(list.description), "resync": true]]),
    Line(
      error: .listForbids([.add, .move], list), status: 403, code: "list_forbids",
      members: ["listId": .string(list.description)]),
    Line(error: .roleForbids(needed: .owner), status: 403, code: "role_forbids"),
    Line(error: .needsWholeInventory, status: 403, code: "role_forbids"),
    Line(error: .cycle, status: 409, code: "cycle"),
    Line(error: .tooDeep(limit: 7), status: 409, code: "too_deep", members: ["limit": 7]),
    Line(
      error: .kindMismatch(list: list, accepts: .car), status: 409, code: "kind_mismatch",
      members: ["listId": .string(list.description)]),
    Line(
      error: .listNotEmpty(rowCount: 3), status: 409, code: "list_not_empty", members: ["count": 3]),
    Line(error: .rootList, status: 409, code: "root_list"),
    Line(
      error: .contentsList(item: ItemID(row)), status: 409, code: "contents_list",
      members: ["itemId": .string(row.description)]),
    Line(error: .sentinelImmovable, status: 409, code: "sentinel_immovable"),
    Line(error: .sentinelUndeletable, status: 409, code: "sentinel_undeletable"),
    Line(
      error: .sentinelLast(lastIndex: 4), status: 409, code: "sentinel_last", members: ["index": 4]),
    Line(
      error: .anchorGone(row), status: 409, code: "anchor_gone",
      members: ["id": .string(row.description)]),
    Line(
      error: .rowMoved(row, now: 7), status: 409, code: "row_moved",
      members: ["id": .string(row.description), "index": 7]),
    Line(
      error: .rowMoved(row, now: nil), status: 409, code: "row_moved",
      members: ["id": .string(row.description), "index": .null]),
    Line(
      error: .idTaken(row), status: 409, code: "id_taken",
      members: ["id": .string(row.description)]),
    Line(
      error: .notThePresentRows(missing: [row], unknown: [], duplicate: []), status: 409,
      code: "not_the_present_rows",
      members: ["missing": [.string(row.description)], "unknown": [], "duplicate": []]),
    Line(error: .tooManyRows(limit: 9), status: 422, code: "too_many_rows", members: ["limit": 9]),
    Line(
      error: .ambiguousPath(candidates: [PathStep(id: row, title: "a", isList: false)]),
      status: 409, code: "path_ambiguous",
      members: ["candidates": [["id": .string(row.description), "title": "a", "type": "item"]]]),
    Line(
      error: .preconditionFailed(.version(3)), status: 412, code: "precondition_failed",
      members: ["version": 3]),
    Line(error: .stackFull(limit: 64), status: 409, code: "stack_full", members: ["limit": 64]),
    Line(
      error: .tooManyNavigators(limit: 9), status: 409, code: "too_many_navigators",
      members: ["limit": 9]),
    Line(
      error: .notThePresentTabs(missing: [TabID("a")], unknown: [], duplicate: [TabID("b")]),
      status: 409, code: "not_the_present_tabs",
      members: ["missing": ["a"], "unknown": [], "duplicate": ["b"]]),
    Line(error: .overloaded, status: 503, code: "overloaded"),
    Line(error: .outOfDescriptors("secret"), status: 503, code: "overloaded"),
    Line(error: .shuttingDown, status: 503, code: "shutting_down"),
    Line(error: .deadlineExceeded, status: 503, code: "deadline_exceeded"),
    Line(error: .storageFull, status: 507, code: "storage_full"),
    Line(error: .outcomeUnknown, status: 503, code: "outcome_unknown"),
    Line(error: .storageFailed("secret"), status: 500, code: "internal_error"),
    Line(error: .storageDamaged("secret"), status: 500, code: "internal_error"),
  ]

  @Test("each has its status, its code and what a client needs", arguments: lines)
  func refusal(line: Line) throws {
    let service = try Service(asking: RefusingStore(line.error))
    let answer = try service.send(.post, "/v1/lists/root/move-row", ["from": 0, "to": 0])
    #expect(answer.status == line.status)
    #expect(answer.code == line.code)
    #expect(answer["/status"] == JSONValue(line.status))
    for (name, value) in line.members { #expect(answer["/" + name] == value) }
    let usual = ["type", "title", "status", "detail", "instance", "code", "dir"]
    #expect(Set(answer.keys()) == Set(usual).union(line.members.keys))
    let mayRetry = ["overloaded", "shutting_down", "deadline_exceeded"].contains(line.code)
    #expect((answer.fields["retry-after"] != nil) == mayRetry)
    #expect(answer.text("/detail")?.contains("secret") == false)
  }

  @Test func `a store that is not ready makes the service unavailable`() throws {
    let service = try Service(asking: RefusingStore(.storageFull))
    let answer = try service.get("/readyz")
    #expect(answer.status == 503)
    #expect(answer.code == "storage_full")
  }

  @Test func `reads that are answered later are answered the same`() throws {
    let now = try Service()
    let list = try now.makeList(things: ["a", "b"])
    let later = try Service(asking: LaterStore(now.store))
    let paths = [
      "/v1/lists", "/v1/lists/root", "/v1/about", list.path + "/rows", list.path + "?subtree=true",
      "/v1/items/\(list.rows[0])", "/v1/rows/\(list.rows[0])", "/v1/resolve?path=/Shelf",
      list.path + "/move-target?from=0&to=1",
    ]
    for path in paths {
      let answer = try later.get(path)
      #expect(answer.status == 200)
      #expect(answer.body == (try now.get(path).body))
    }
    let nowhere = "/v1/lists/00000000-0000-4000-8000-000000000000"
    #expect(try later.get(nowhere).status == 404)
    #expect(try later.send(.patch, nowhere, text: "{").status == 404)
    #expect(try later.send(.patch, list.path, text: "{").status == 400)
  }
}
