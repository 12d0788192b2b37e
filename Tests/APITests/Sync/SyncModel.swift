import JSON

/// Lists of things as arrays, and what commands of offline clients do to them.
struct SyncModel {
  /// A position without indices: the anchors, and what counts if none of them is there.
  struct Place: Sendable {
    var anchors: [(isAfter: Bool, row: String)] = []
    var end: String?

    var json: JSONValue {
      var json: JSONValue = end.map(JSONValue.string) ?? .null
      for index in anchors.indices.reversed() {
        let anchor = anchors[index]
        var object = JSONObject([(anchor.isAfter ? "after" : "before", .string(anchor.row))])
        if json != .null { object.set("else", to: json) }
        json = .object(object)
      }
      return json
    }

    fileprivate func anchor(_ index: Int) -> JSONValue {
      [anchors[index].isAfter ? "after" : "before": .string(anchors[index].row)]
    }
  }

  typealias Values = [String: String?]

  enum Intent: Sendable {
    case create(String, in: String, Place, name: String)
    case edit(String, Values, from: Values)
    case move([String], into: String, Place)
    case delete(String)
    case restore(String, Place?)
  }

  /// What became of a command.
  struct Outcome: Equatable {
    var kind = "done"
    var isChanged = true
    var overwritten: Values = [:]
    var kept: Set<String> = []
    /// The alternative that was used.
    var position: JSONValue?
    var code: String?

    static let unchanged = Outcome(isChanged: false)
    static func refused(_ code: String) -> Outcome {
      Outcome(kind: "refused", isChanged: false, code: code)
    }
  }

  struct Thing: Equatable {
    var list: String
    var values: Values
  }
  private struct Deleted {
    var index: Int
    var previous: String?
    var next: String?
  }

  /// The ids of each list's rows.
  private(set) var rows: [String: [String]]
  private(set) var things: [String: Thing] = [:]
  private var trash: [String: Deleted] = [:]
  private(set) var changes = 0
  /// The numbers of the last commands.
  private(set) var last: [String: Int] = [:]
  /// The outcomes of each client's last batch.
  private var stored: [String: [Int: Outcome]] = [:]

  init(rows: [String: [String]]) { self.rows = rows }

  var deleted: Set<String> { Set(trash.keys) }

  /// Takes a batch of numbered commands. Nil: the outcome is no longer stored.
  mutating func take(_ batch: [(number: Int, intent: Intent)], of client: String) -> [Outcome?] {
    batch.map { number, intent in
      if number <= last[client] ?? 0 { return stored[client]?[number] }
      precondition(number == (last[client] ?? 0) + 1)
      let outcome = make(intent)
      last[client] = number
      stored[client, default: [:]] = (stored[client] ?? [:]).filter { $0.key >= batch[0].number }
      stored[client]?[number] = outcome
      return outcome
    }
  }

  /// Does a command.
  @discardableResult
  mutating func make(_ intent: Intent) -> Outcome {
    let outcome: Outcome
    switch intent {
    case .create(let id, let list, let place, let name):
      outcome = create(id, in: list, place, name)
    case .edit(let id, let values, let from): outcome = edit(id, values, from)
    case .move(let ids, let list, let place): outcome = move(ids, into: list, place)
    case .delete(let id): outcome = delete(id)
    case .restore(let id, let place): outcome = restore(id, place)
    }
    if outcome.isChanged { changes += 1 }
    return outcome
  }

  private func isLive(_ row: String) -> Bool { list(of: row) != nil }

  private func list(of row: String) -> String? { rows.first { $0.value.contains(row) }?.key }

  /// The refusal of a command for a row that is in no list.
  private func missing(_ row: String) -> Outcome {
    .refused(trash[row] == nil ? "not_found" : "in_trash")
  }

  /// Where a place is among other rows, and the alternative that was used.
  private func find(_ place: Place, among others: [String]) -> (index: Int, used: JSONValue?)? {
    for (number, anchor) in place.anchors.enumerated() {
      if let index = others.firstIndex(of: anchor.row) {
        return (
          anchor.isAfter ? index + 1 : index, number == 0 ? .none : .some(place.anchor(number))
        )
      }
    }
    guard let end = place.end else { return nil }
    return (
      end == "first" ? 0 : others.count, place.anchors.isEmpty ? .none : .some(.string(end))
    )
  }

  private func done(_ used: JSONValue?, isChanged: Bool = true) -> Outcome {
    Outcome(kind: used == nil ? "done" : "merged", isChanged: isChanged, position: used)
  }

  private mutating func create(
    _ id: String, in list: String, _ place: Place, _ name: String
  ) -> Outcome {
    if trash[id] != nil { return .refused("in_trash") }
    if let thing = things[id] { return thing.list == list ? .unchanged : .refused("id_taken") }
    guard let (index, used) = find(place, among: rows[list] ?? []) else {
      return .refused("anchor_gone")
    }
    things[id] = Thing(list: list, values: ["name": name, "notes": nil, "serialNumber": nil])
    rows[list]?.insert(id, at: index)
    return done(used)
  }

  private mutating func edit(_ id: String, _ values: Values, _ from: Values) -> Outcome {
    guard isLive(id), let old = things[id]?.values else { return missing(id) }
    var outcome = Outcome(isChanged: false)
    for (name, present) in old {
      let started = from[name] ?? nil
      guard let wanted = values[name] else {
        if from[name] != nil, present != started { outcome.kept.insert(name) }
        continue
      }
      guard wanted != present else { continue }
      outcome.isChanged = true
      things[id]?.values[name] = .some(wanted)
      if present != started { outcome.overwritten[name] = .some(present) }
    }
    guard outcome.isChanged else { return .unchanged }
    if !outcome.overwritten.isEmpty {
      outcome.kind = "overwrote"
    } else if !outcome.kept.isEmpty {
      outcome.kind = "merged"
    }
    return outcome
  }

  private mutating func move(_ ids: [String], into list: String, _ place: Place) -> Outcome {
    if let gone = ids.first(where: { !isLive($0) }) { return missing(gone) }
    var others = (rows[list] ?? []).filter { !ids.contains($0) }
    guard let (index, used) = find(place, among: others) else { return .refused("anchor_gone") }
    others.insert(contentsOf: ids, at: index)
    let isChanged = rows[list] != others
    for key in rows.keys where key != list { rows[key]?.removeAll { ids.contains($0) } }
    rows[list] = others
    for id in ids { things[id]?.list = list }
    return done(used, isChanged: isChanged)
  }

  private mutating func delete(_ id: String) -> Outcome {
    guard let list = list(of: id), let all = rows[list], let index = all.firstIndex(of: id) else {
      // It is where the client wants it.
      return trash[id] == nil ? .refused("not_found") : .unchanged
    }
    trash[id] = Deleted(
      index: index, previous: index > 0 ? all[index - 1] : nil,
      next: index + 1 < all.count ? all[index + 1] : nil)
    rows[list]?.remove(at: index)
    return Outcome()
  }

  private mutating func restore(_ id: String, _ place: Place?) -> Outcome {
    if isLive(id) { return .unchanged }
    guard let deleted = trash[id], let list = things[id]?.list, let others = rows[list] else {
      return .refused("not_found")
    }
    var (index, used) = (min(deleted.index, others.count), JSONValue?.none)
    if let place {
      guard let found = find(place, among: others) else { return .refused("anchor_gone") }
      (index, used) = found
    } else if let previous = deleted.previous.flatMap({ others.firstIndex(of: $0) }) {
      index = previous + 1
    } else if let next = deleted.next.flatMap({ others.firstIndex(of: $0) }) {
      index = next
    }
    trash[id] = nil
    rows[list]?.insert(id, at: index)
    return done(used)
  }
}

extension SyncModel.Intent {
  /// The command as a client sends it, without its number.
  var json: JSONValue {
    func object(_ values: SyncModel.Values) -> JSONValue {
      .object(
        JSONObject(
          values.sorted { $0.key < $1.key }.map {
            ($0.key, $0.value.map(JSONValue.string) ?? .null)
          }))
    }
    switch self {
    case .create(let id, let list, let place, let name):
      return [
        "type": "createItem", "listId": .string(list), "position": place.json,
        "item": ["id": .string(id), "name": .string(name)],
      ]
    case .edit(let id, let values, let from):
      return [
        "type": "editItem", "id": .string(id), "patch": object(values), "from": object(from),
      ]
    case .move(let ids, let list, let place):
      return [
        "type": "moveRows", "ids": .array(ids.map(JSONValue.string)), "listId": .string(list),
        "position": place.json,
      ]
    case .delete(let id): return ["type": "delete", "id": .string(id)]
    case .restore(let id, let place):
      return ["type": "restore", "id": .string(id), "position": place?.json ?? .null]
    }
  }
}

extension SyncModel.Outcome {
  /// Reads an outcome of an answer. Nil for one that is `repeated`.
  init?(_ json: JSONValue?) {
    guard let json, case .string(let kind)? = json["outcome"], kind != "repeated" else {
      return nil
    }
    self.kind = kind
    isChanged = json["revision"] != nil && json["revision"] != .null
    if case .object(let values)? = json["overwritten"] {
      for (name, value) in values.members {
        if case .string(let text) = value {
          overwritten[name] = text
        } else {
          overwritten[name] = .some(nil)
        }
      }
    }
    if case .array(let pointers)? = json["kept"] {
      kept = Set(
        pointers.compactMap {
          if case .string(let text) = $0 { String(text.dropFirst()) } else { nil }
        })
    }
    if let given = json["position"], given != .null { position = given }
    if case .string(let text)? = json["problem"]?["code"] { code = text }
  }
}
