import JSON

extension SyncModel {
  /// A position without indices: the anchors, and what counts if none of them is there.
  package struct Place: Sendable {
    package struct Anchor: Sendable {
      package var isAfter: Bool
      package var row: String

      var json: JSONValue { [isAfter ? "after" : "before": .string(row)] }
    }

    package var anchors: [Anchor]
    package var end: String?

    package init(_ anchors: [Anchor] = [], end: String?) {
      self.anchors = anchors
      self.end = end
    }

    var json: JSONValue {
      anchors.reversed().reduce(end.map(JSONValue.string) ?? .null) { rest, anchor in
        guard var object = anchor.json.object, rest != .null else { return anchor.json }
        object.set("else", to: rest)
        return .object(object)
      }
    }
  }

  package enum Intent: Sendable {
    case create(String, in: String, Place, JSONObject, isList: Bool)
    case edit(String, JSONObject, from: JSONObject, isList: Bool)
    case move([String], into: String, Place)
    case delete(String, isRecursive: Bool)
    case restore(String, into: String?, Place?)

    /// The command as a client sends it, without its number.
    package var json: JSONValue {
      switch self {
      case .create(let id, let list, let place, var members, let isList):
        members.set("id", to: .string(id))
        return [
          "type": isList ? "createList" : "createItem", "listId": .string(list),
          "position": place.json, isList ? "list" : "item": .object(members),
        ]
      case .edit(let id, let patch, let from, let isList):
        return [
          "type": isList ? "editList" : "editItem", "id": .string(id), "patch": .object(patch),
          "from": .object(from),
        ]
      case .move(let ids, let list, let place):
        return [
          "type": "moveRows", "ids": .array(ids.map(JSONValue.string)), "listId": .string(list),
          "position": place.json,
        ]
      case .delete(let id, let isRecursive):
        return ["type": "delete", "id": .string(id), "recursive": .bool(isRecursive)]
      case .restore(let id, let list, let place):
        return [
          "type": "restore", "id": .string(id), "listId": list.map(JSONValue.string) ?? .null,
          "position": place?.json ?? .null,
        ]
      }
    }
  }

  /// What became of a command.
  package struct Outcome: Equatable, Sendable {
    package var isChanged = true
    package var revision: Int?
    var overwritten = JSONObject()
    var kept: [String] = []
    /// The alternative that was used.
    var position: JSONValue?
    /// The reason of a refusal.
    var code: String?

    package var kind: String {
      if code != nil { return "refused" }
      if !overwritten.isEmpty { return "overwrote" }
      return kept.isEmpty && position == nil ? "done" : "merged"
    }

    /// The outcome as the server answers it. Of a problem it has only the members that are always there.
    package func json(_ sequence: Int) -> JSONValue {
      var json = JSONObject([("sequence", JSONValue(sequence)), ("outcome", .string(kind))])
      if let code {
        json.set("problem", to: Self.problem(code))
        return .object(json)
      }
      json.set("revision", to: revision.map { JSONValue($0) } ?? .null)
      json.set("undo", to: revision.map { .string("/v1/changes/\($0)/undo") } ?? .null)
      guard kind != "done" else { return .object(json) }
      json.set("kept", to: .array(kept.map(JSONValue.string)))
      if overwritten.isEmpty {
        json.set("position", to: position ?? .null)
      } else {
        json.set("overwritten", to: .object(overwritten))
      }
      return .object(json)
    }

    private static func problem(_ code: String) -> JSONValue {
      let status: JSONValue = code == "not_found" ? 404 : code == "in_trash" ? 410 : 409
      return [
        "type": .string("/problems/\(code)"), "title": .string(code), "status": status,
        "code": .string(code),
      ]
    }
  }
}

extension JSONValue {
  package init(_ value: Int) { self = .number(JSONNumber(Int64(value))) }
}
