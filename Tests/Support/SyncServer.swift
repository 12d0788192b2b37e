import JSON

/// The model of a server that does each command of its clients once.
package struct SyncServer {
  package typealias Command = (number: Int, intent: SyncModel.Intent)

  package var model: SyncModel
  /// The numbers of the last commands.
  package private(set) var last: [String: Int] = [:]
  /// The outcomes of each client's last batch.
  private var stored: [String: [Int: JSONValue]] = [:]

  package init(_ model: SyncModel) { self.model = model }

  /// Takes a batch of numbered commands, and returns their outcomes.
  package mutating func take(_ batch: [Command], of client: String) -> [JSONValue] {
    batch.map { number, intent in
      if number <= last[client] ?? 0 {
        return stored[client]?[number]
          ?? ["sequence": JSONValue(number), "outcome": "repeated"]
      }
      precondition(number == (last[client] ?? 0) + 1)
      let outcome = model.make(intent).json(number)
      last[client] = number
      stored[client] = (stored[client] ?? [:]).filter { $0.key >= batch[0].number }
      stored[client]?[number] = outcome
      return outcome
    }
  }

  /// An outcome without what the model does not know: the texts of a problem, and the changes before the model's first.
  package static func comparable(_ outcome: JSONValue, after revision: Int = 0) -> JSONValue {
    guard var object = outcome.object else { return outcome }
    if let problem = object["problem"]?.object {
      object.set("problem", to: problem["code"] ?? .null)
    }
    if let made = object["revision"]?.number?.int64 {
      let own = JSONValue(Int(made) - revision)
      object.set("revision", to: own)
      let isExpected = object["undo"]?.text == "/v1/changes/\(made)/undo"
      object.set("undo", to: isExpected ? own : object["undo"] ?? .null)
    }
    return .object(object)
  }
}
