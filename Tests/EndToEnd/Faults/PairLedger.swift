import Foundation
import JSON
import Support

/// What one client has written to two lists that it alone writes to, with the revision of each answer.
struct PairLedger: Sendable {
  /// From a revision on the lists hold these rows; nil where a list is yet to be made.
  struct State: Sendable, Equatable {
    let revision: Int
    var lists: [ListModel?]
  }

  struct Refused: Error { let answer: Answer }

  let lists = [newID(), newID()]
  private(set) var states = [State(revision: 0, lists: [nil, nil])]

  private func state(_ answer: Answer) throws -> State? {
    guard 200..<300 ~= answer.status,
      let revision = answer["rowhouse-revision"].flatMap({ Int($0) }),
      let last = states.last
    else { throw Refused(answer: answer) }
    if (answer.at("/changed") ?? answer.at("/receipt/changed")) == .bool(false) { return nil }
    return State(revision: revision, lists: last.lists)
  }

  mutating func makeLists(_ client: Client) throws {
    for number in 0..<2 {
      let answer = try client.send(
        "POST", "/v1/lists", ["id": .string(lists[number]), "title": .string("List \(number)")])
      guard var state = try state(answer) else { continue }
      state.lists[number] = ListModel()
      states.append(state)
    }
  }

  /// Writes so many times, one after another.
  mutating func write(_ count: Int, seed: UInt64, over client: Client) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<count {
      let from = Int.random(in: 0..<2, using: &random)
      guard let model = states.last?.lists[from] else { return }
      if model.entries.count > 1, Int.random(in: 0..<4, using: &random) == 0 {
        try cross(from: from, model, &random, client)
        continue
      }
      let write = model.randomWrite(&random)
      guard var state = try state(model.send(write, to: lists[from], over: client)) else {
        continue
      }
      state.lists[from]?.apply(write)
      states.append(state)
    }
  }

  /// Moves a row into the other list, which changes both in one revision.
  private mutating func cross(
    from: Int, _ model: ListModel, _ random: inout SplitMix64, _ client: Client
  ) throws {
    let index = Int.random(in: 0..<model.entries.count, using: &random)
    let answer = try client.send(
      "POST", "/v1/rows/\(model.entries[index].id)/move",
      ["listId": .string(lists[1 - from]), "position": "first"])
    guard var state = try state(answer) else { return }
    state.lists[from]?.entries.remove(at: index)
    state.lists[1 - from]?.entries.insert(model.entries[index], at: 0)
    states.append(state)
  }

  /// What has to be there at a revision.
  func lists(at revision: Int) -> [ListModel?] {
    states.last { $0.revision <= revision }?.lists ?? []
  }

  /// What is there.
  func present(_ client: Client) throws -> [ListModel?] {
    try lists.map { list in
      let page = try client.get("/v1/lists/\(list)/rows?sentinel=false&limit=1000")
      return page.status == 200 ? ListModel(page.rows) : nil
    }
  }
}
