import HTTP
import Inventory
import JSON
import Support
import Testing

@testable import API

@Suite("Test suites can tell a server in test mode how to fail")
struct TestCallTests {
  /// A store that does as it is told at once.
  private struct Rewound: RewindableStore {
    func rewind(
      _ step: RewindStep, completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void
    ) {
      completion(.success(()))
    }
  }

  private let service: Service

  init() throws { service = try Service { $0.harness = TestHarness(Rewound()) } }

  private static let faults = "/v1/test/faults"

  @Test func `rules come back as they were sent, each with its counts`() throws {
    let list = try service.makeList()
    let rules: JSONValue = [
      ["method": "POST", "path": "/v1/lists/*/items", "nth": 3, "effect": "loseAnswer"],
      ["route": "/v1/lists/{listId}/rows", "listId": .string(list.id), "delay": 20],
      ["listId": "root", "share": .decimal("0.25"), "effect": "refuse", "status": 503],
      ["path": "/v1/**", "effect": "cutAnswer", "bytes": 0],
      ["effect": "stallEvents", "milliseconds": 5], ["effect": "cutEvents", "events": 0],
    ]
    let answer = try service.send(.post, Self.faults, ["seed": -7, "rules": rules])
    #expect(answer.status == 200)
    #expect(answer["/count"] == 6)
    #expect(answer["/seed"] == -7)
    #expect(answer["/rules/0/path"] == "/v1/lists/*/items")
    #expect(answer["/rules/0/nth"] == 3)
    #expect(answer["/rules/1/listId"] == .string(list.id))
    #expect(answer["/rules/1/delay"] == 20)
    #expect(answer["/rules/1/effect"] == .null)
    #expect(answer["/rules/2/share"] == .decimal("0.25"))
    #expect(answer["/rules/3/bytes"] == 0)
    #expect(answer["/rules/4/milliseconds"] == 5)
    #expect(answer["/rules/5/events"] == 0)
    #expect(answer["/rules/5/hits"] == 0)
    #expect(try service.get(Self.faults).json == answer.json)
    #expect(try service.send(.delete, Self.faults).status == 204)
    #expect(try service.get(Self.faults)["/count"] == 0)
  }

  @Test(arguments: [
    (#"{}"#, "/rules/0/effect"), (#"{"nth": 1}"#, "/rules/0/effect"),
    (#"{"effect": "explode"}"#, "/rules/0/effect"),
    (#"{"effect": "refuse"}"#, "/rules/0/status"),
    (#"{"effect": "refuse", "status": 200}"#, "/rules/0/status"),
    (#"{"effect": "refuse", "status": 600}"#, "/rules/0/status"),
    (#"{"effect": "cutAnswer"}"#, "/rules/0/bytes"),
    (#"{"effect": "cutAnswer", "bytes": -1}"#, "/rules/0/bytes"),
    (#"{"effect": "cutEvents"}"#, "/rules/0/events"),
    (#"{"effect": "cutEvents", "events": 1, "milliseconds": 1}"#, "/rules/0/events"),
    (#"{"effect": "stallEvents", "milliseconds": 600001}"#, "/rules/0/milliseconds"),
    (#"{"delay": 600001}"#, "/rules/0/delay"), (#"{"delay": 1.5}"#, "/rules/0/delay"),
    (#"{"delay": 1, "nth": 0}"#, "/rules/0/nth"),
    (#"{"delay": 1, "share": 1.01}"#, "/rules/0/share"),
    (#"{"delay": 1, "share": 0.001}"#, "/rules/0/share"),
    (#"{"delay": 1, "path": "v1"}"#, "/rules/0/path"),
    (#"{"delay": 1, "path": "/**/rows"}"#, "/rules/0/path"),
    (#"{"delay": 1, "route": "/v1/list"}"#, "/rules/0/route"),
    (#"{"delay": 1, "listId": "here"}"#, "/rules/0/listId"),
    (#"{"delay": 1, "method": ""}"#, "/rules/0/method"),
    (#"{"delay": 1, "times": 1}"#, "/rules/0/times"),
  ])
  func `what is wrong with a rule is named, and nothing changes`(rule: String, pointer: String)
    throws
  {
    try service.send(.post, Self.faults, ["rules": [["delay": 1]]])
    let answer = try service.send(.post, Self.faults, text: #"{"rules": [\#(rule)]}"#)
    #expect(answer.status == 422)
    #expect(answer["/errors/0/pointer"] == .string(pointer))
    #expect(try service.get(Self.faults)["/count"] == 1)
  }

  @Test func `rules are at most a hundred`() throws {
    func set(_ count: Int) throws -> Int {
      let rules = [JSONValue](repeating: ["delay": 1], count: count)
      return try service.send(.post, Self.faults, ["rules": .array(rules)]).status
    }
    #expect(try set(100) == 200)
    #expect(try set(101) == 422)
  }

  @Test(arguments: ["faults", "clock", "requests"])
  func `only administrators may, and only in test mode`(name: String) throws {
    let path = "/v1/test/\(name)"
    #expect(try service.get(path).status == 200)
    #expect(try service.get(path + "?all=true").status == 422)
    let owner = try Service(store: service.store, role: .owner) {
      $0.harness = TestHarness(Rewound())
    }
    #expect(try owner.get(path).status == 403)
    #expect(try Service().get(path).status == 404)
  }

  @Test(arguments: [0, 1, 50, 99, 100])
  func `a share hits about as many as it says, the same ones for the same seed`(share: Int64) throws
  {
    func hits(seed: Int64) throws -> [Bool] {
      let rules = FaultRules()
      rules.set([FaultRule(share: share, delay: 1)], seed: seed)
      let head = try RequestHead(method: .get, target: "/v1/me")
      return (0..<1_000).map { _ in rules.hit(head, nil) != nil }
    }
    let first = try hits(seed: 11)
    let expected = Int(share) * 10
    #expect((expected - 50...expected + 50).contains(first.count { $0 }))
    if [0, 100].contains(share) { #expect(first.count { $0 } == expected) }
    #expect(try hits(seed: 11) == first)
  }
}
