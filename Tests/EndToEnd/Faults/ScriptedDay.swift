import Foundation
import JSON
import Support

/// A few changes of every kind, one after another, and what a client sees after each.
///
/// Each has ids or keys of its own, so that one whose outcome is unknown is simply sent again.
struct ScriptedDay: Sendable {
  struct Step: Sendable {
    let method: String
    let target: String
    var body: JSONValue?
    var photo: [UInt8]?
  }

  private let lists = [newID(), newID()]
  private let things = (0..<4).map { _ in newID() }
  private let photo = newID()
  let image = SampleImage.jpeg(size: 150_000)

  /// The server is stopped, and started again, behind this step.
  let restart = 7

  var steps: [Step] {
    let (first, second) = (lists[0], lists[1])
    let notes = JSONValue.string(String(repeating: "word and number ", count: 600))
    func make(_ number: Int) -> Step {
      Step(
        method: "POST", target: "/v1/lists/\(first)/items",
        body: ["id": .string(things[number]), "name": .string("Thing \(number)"), "notes": notes])
    }
    return [
      list(first, "First"), list(second, "Second"), make(0), make(1), make(2),
      Step(method: "POST", target: "/v1/lists/\(first)/move-row", body: ["from": 2, "to": 0]),
      Step(
        method: "POST", target: "/v1/rows/\(things[0])/move",
        body: ["listId": .string(second), "position": "first"]),
      // The server is stopped and started here.
      Step(
        method: "POST", target: "/v1/lists/\(first)/batch",
        body: [
          "inserts": [
            ["index": 0, "item": ["id": .string(things[3]), "name": "Thing 3"]]
          ],
          "updates": [["id": .string(things[1]), "patch": ["name": "Thing 1 again"]]],
        ]),
      Step(method: "POST", target: "/v1/items/\(things[2])/photos?id=\(photo)", photo: image),
      Step(method: "DELETE", target: "/v1/rows/\(things[1])"),
      Step(method: "POST", target: "/v1/changes/11/undo"),
      Step(
        method: "PATCH", target: "/v1/items/\(things[0])",
        body: ["notes": "Lent", "valueInDollars": 5]),
    ]
  }

  private func list(_ id: String, _ title: String) -> Step {
    Step(
      method: "POST", target: "/v1/lists", body: ["id": .string(id), "title": .string(title)])
  }

  /// Does one; nil where there was no answer.
  func send(_ number: Int, _ client: Client) -> Answer? {
    let step = steps[number]
    if let photo = step.photo {
      return try? client.send(step.method, step.target, bytes: photo)
    }
    return try? client.send(
      step.method, step.target, step.body, ["Idempotency-Key": "step-\(number)"])
  }

  /// What a client sees of all of it: the inventory's revision, the rows, and the photo.
  struct View: Sendable, Equatable {
    var revision: Int
    var rows: [[Row]]
    var hasPhoto: Bool
    var notes: String?
  }

  struct Unseen: Error { let answer: Answer }

  func view(_ client: Client) throws -> View {
    let events = try client.send("HEAD", "/v1/events")
    guard let revision = events["rowhouse-revision"].flatMap({ Int($0) }) else {
      throw Unseen(answer: events)
    }
    let rows = try (["root"] + lists).map { list in
      let page = try client.get("/v1/lists/\(list)/rows?limit=1000")
      guard [200, 404].contains(page.status) else { throw Unseen(answer: page) }
      return page.rows
    }
    let shown = try client.get("/v1/items/\(things[2])/photos/\(photo)")
    guard [200, 404].contains(shown.status), shown.status == 404 || shown.body == image else {
      throw Unseen(answer: shown)
    }
    let edited = try client.get("/v1/items/\(things[0])")
    guard [200, 404].contains(edited.status) else { throw Unseen(answer: edited) }
    return View(
      revision: revision, rows: rows, hasPhoto: shown.status == 200, notes: edited.text("/notes"))
  }
}
