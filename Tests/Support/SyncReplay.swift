import JSON

/// Finds out whether the model explains what became of the commands of several clients.
package struct SyncReplay {
  private struct Answered {
    var intent: SyncModel.Intent
    var outcome: JSONValue
    var revision: Int?
  }

  /// The revision of the server at which the model began.
  private let start: Int
  /// The state at each revision from the start on.
  private var states: [SyncModel]
  private var clients: [String: [Answered]] = [:]

  package init(_ world: SyncModel, at revision: Int) {
    states = [world]
    start = revision - world.revision
  }

  /// Adds the next command of a client, as it was sent, and its outcome.
  package mutating func add(
    _ command: [UInt8], _ outcome: [UInt8], of client: String
  ) throws {
    let outcome = SyncServer.comparable(try JSONReader.parse(outcome), after: start)
    let revision = outcome.object?["revision"]?.number?.int64
    clients[client, default: []].append(
      Answered(
        intent: try SyncModel.Intent(bytes: command), outcome: Self.bare(outcome),
        revision: revision.map { Int($0) }))
  }

  /// Without nulls, its number, and the order of paths: a client need not keep the order of an edit's members.
  private static func bare(_ outcome: JSONValue) -> JSONValue {
    let members = outcome.object?.members ?? []
    var bare = JSONObject(members.filter { $0.value != .null && $0.key != "sequence" })
    if let kept = bare["kept"]?.array {
      bare.set("kept", to: .array(kept.compactMap(\.text).sorted().map(JSONValue.string)))
    }
    return .object(bare)
  }

  private static func result(_ outcome: SyncModel.Outcome) -> JSONValue {
    bare(SyncServer.comparable(outcome.json(0)))
  }

  /// Does all commands in the order of their revisions. Returns what the model does not explain.
  package mutating func replay() -> [String] {
    var faults: [String] = []
    let changes = clients.values.flatMap { $0.filter { $0.revision != nil } }
      .sorted { $0.revision ?? 0 < $1.revision ?? 0 }
    for change in changes {
      var state = states[states.count - 1]
      let outcome = Self.result(state.make(change.intent))
      if outcome != change.outcome {
        faults.append("\(change.intent): \(change.outcome), but the model: \(outcome)")
        return faults
      }
      states.append(state)
    }
    for (client, commands) in clients {
      // What changed nothing was done between the client's changes before and after it.
      var earliest = states[0].revision
      for (index, command) in commands.enumerated() {
        if let revision = command.revision {
          if revision < earliest { faults.append("\(client) was served in another order.") }
          earliest = revision
          continue
        }
        let latest =
          commands[index...].lazy.compactMap(\.revision).first.map { $0 - 1 }
          ?? states[states.count - 1].revision
        let explanation = (earliest..<max(earliest, latest + 1)).first { revision in
          var state = states[revision - states[0].revision]
          return Self.result(state.make(command.intent)) == command.outcome
        }
        if let explanation {
          earliest = explanation
        } else {
          faults.append("\(command.intent): \(command.outcome) at no time")
        }
      }
    }
    return faults
  }

  /// The server's revision before the first command.
  package var firstRevision: Int { start + states[0].revision }

  /// The server's revision after the last command.
  package var revision: Int { start + states[states.count - 1].revision }

  /// The ids of the rows at a revision of the server: those that a client has read, and those that it shows with its queue.
  /// Nil if there was no such revision.
  package func rows(
    at revision: Int, of lists: Set<String>, with queue: [[UInt8]]
  ) throws -> (base: [String: [String]], view: [String: [String]])? {
    let index = revision - start - states[0].revision
    guard states.indices.contains(index) else { return nil }
    let base = states[index].restricted(to: lists, items: [])
    var view = base
    for command in queue { view.make(try SyncModel.Intent(bytes: command)) }
    return (base.rows, view.rows)
  }

  /// The last state.
  package var last: SyncModel { states[states.count - 1] }
}

extension SyncModel.Intent {
  package struct Unknown: Error {
    let command: JSONValue
  }

  /// Reads a command as a client sends it.
  package init(bytes: [UInt8]) throws {
    let json = try JSONReader.parse(bytes)
    guard let command = json.object, let type = command["type"]?.text else {
      throw Unknown(command: json)
    }
    func text(_ name: String) -> String { command[name]?.text ?? "" }
    func object(_ name: String) -> JSONObject { command[name]?.object ?? JSONObject() }
    var place: SyncModel.Place?
    if let position = command["position"], position != .null { place = .init(json: position) }
    switch type {
    case "createList", "createItem":
      var members = object(type == "createList" ? "list" : "item")
      let id = members.remove("id")?.text ?? ""
      self = .create(
        id, in: text("listId"), place ?? SyncModel.Place(end: "last"), members,
        isList: type == "createList")
    case "editList", "editItem":
      self = .edit(
        text("id"), object("patch"), from: object("from"), isList: type == "editList")
    case "moveRows":
      self = .move(
        command["ids"]?.array?.compactMap(\.text) ?? [], into: text("listId"),
        place ?? SyncModel.Place(end: "last"))
    case "delete": self = .delete(text("id"), isRecursive: command["recursive"] == true)
    case "restore": self = .restore(text("id"), into: command["listId"]?.text, place)
    default: throw Unknown(command: json)
    }
  }

  /// The command as a client sends it, with its number.
  package func bytes(_ sequence: Int) -> [UInt8] {
    var command = json.object ?? JSONObject()
    command.set("sequence", to: JSONValue(sequence))
    var writer = JSONWriter()
    writer.value(.object(command))
    return writer.finish()
  }
}

extension SyncModel.Place {
  fileprivate init(json: JSONValue) {
    self.init(end: nil)
    var rest: JSONValue? = json
    while let position = rest, position != .null {
      end = position.text
      for (name, isAfter) in [("after", true), ("before", false)] {
        guard let row = position.object?[name]?.text else { continue }
        anchors.append(Anchor(isAfter: isAfter, row: row))
      }
      rest = position.object?["else"]
    }
  }
}
