import JSON

// Lists, items and rows as the API shows them, and what changes between two states.
extension SyncModel {
  private static let time: JSONValue = "2026-01-01T12:00:00Z"
  private static let permissions: JSONValue = [
    "add": true, "edit": true, "move": true, "delete": true,
  ]

  private func text(_ id: String?) -> JSONValue { id.map(JSONValue.string) ?? .null }

  private static func money(_ cents: Int64) -> JSONValue {
    let rest = cents % 100
    let text = "\(cents / 100)" + (rest == 0 ? "" : ".\(rest / 10)\(rest % 10)")
    return JSONNumber(text: text).map(JSONValue.number) ?? .null
  }

  private func title(_ details: JSONObject) -> JSONValue {
    if let title = details["title"] { return title }
    let car = details["car"]?.object
    let words = ["year", "make", "model"].compactMap { car?[$0] }
      .compactMap { $0.text ?? $0.number?.text }
    return words.isEmpty ? details["name"] ?? .null : .string(words.joined(separator: " "))
  }

  private func sentinel(_ details: JSONObject) -> JSONValue {
    let sentinel = details["sentinel"]?.object
    let text = sentinel?["text"] ?? .null
    return [
      "text": text == .null ? Self.sentinelText : text, "visible": sentinel?["visible"] ?? true,
    ]
  }

  private func deleteLabel(_ details: JSONObject) -> JSONValue {
    let label = details["deleteLabel"] ?? .null
    return label == .null ? Self.deleteLabel : label
  }

  /// The rows of a list, with the pinned last one if it is visible.
  package func rows(of list: String) -> [JSONValue] {
    guard let node = nodes[list], let ids = node.rows else { return [] }
    let rows = ids.enumerated().map { row($1, at: $0) }
    let sentinel = sentinel(node.details).object
    guard sentinel?["visible"] == true else { return rows }
    return rows + [
      [
        "index": JSONValue(rows.count), "type": "sentinel", "id": nil,
        "title": sentinel?["text"] ?? .null, "detail": nil, "canMove": false, "canEdit": false,
        "canDelete": false,
      ]
    ]
  }

  private func row(_ id: String, at index: Int) -> JSONValue {
    guard let node = nodes[id] else { return nil }
    var row = JSONObject([
      ("index", JSONValue(index)), ("type", node.isList ? "list" : "item"), ("id", .string(id)),
      ("title", title(node.details)), ("detail", node.details["serialNumber"] ?? .null),
      ("canMove", true), ("canEdit", true), ("canDelete", true),
    ])
    var summary = JSONObject([("id", .string(id))])
    if node.isList {
      summary.set("title", to: title(node.details))
      setSizes(of: id, in: &summary)
      setLooks(node.details, in: &summary)
      row.set("list", to: .object(summary))
    } else {
      for name in ["kind", "name", "serialNumber", "valueInDollars", "quantity", "tags", "car"] {
        summary.set(name, to: node.details[name] ?? .null)
      }
      summary.set("contentsListId", to: .null)
      summary.set("photo", to: .null)
      row.set("item", to: .object(summary))
    }
    return .object(row)
  }

  private func setSizes(of list: String, in object: inout JSONObject) {
    let sizes = sizes(of: list)
    object.set("rowCount", to: JSONValue(sizes.count))
    object.set("totalValueInDollars", to: Self.money(sizes.cents))
  }

  private func setLooks(_ details: JSONObject, in object: inout JSONObject) {
    for name in ["glyph", "colour"] { object.set(name, to: details[name] ?? .null) }
  }

  /// A list with its rows.
  private func list(_ id: String) -> JSONValue {
    guard let node = nodes[id] else { return nil }
    var list = JSONObject([
      ("id", .string(id)), ("parentId", text(node.list)), ("itemId", nil),
      ("title", title(node.details)), ("itemKind", "any"),
    ])
    setSizes(of: id, in: &list)
    list.set("permissions", to: Self.permissions)
    list.set("can", to: Self.permissions)
    list.set("sentinel", to: sentinel(node.details))
    list.set("deleteLabel", to: deleteLabel(node.details))
    setLooks(node.details, in: &list)
    list.set("dir", to: "ltr")
    list.set("revision", to: JSONValue(revision))
    list.set("createdAt", to: Self.time)
    list.set("updatedAt", to: Self.time)
    list.set("rows", to: .array(rows(of: id)))
    return .object(list)
  }

  package func item(_ id: String) -> JSONValue {
    var item = JSONObject([("id", .string(id)), ("listId", text(nodes[id]?.list))])
    for (name, value) in nodes[id]?.details.members ?? [] { item.set(name, to: value) }
    if !item.contains("car") { item.set("car", to: .null) }
    item.set("contentsListId", to: .null)
    item.set("photos", to: [])
    item.set("revision", to: JSONValue(revision))
    item.set("createdAt", to: Self.time)
    item.set("updatedAt", to: Self.time)
    return .object(item)
  }

  private var liveItems: [String] { read.filter(isLive).sorted() }

  /// What a client has read, as the API shows it.
  var base: JSONValue {
    [
      "revision": JSONValue(revision), "lists": .array(rows.keys.sorted().map(list)),
      "items": .array(liveItems.map(item)),
    ]
  }

  /// What a client shows, without what a view need not have.
  var view: JSONValue {
    let lists = rows.keys.sorted().map { id -> (String, JSONValue) in
      let list = list(id).object
      let names = [
        "title", "parentId", "sentinel", "deleteLabel", "rowCount", "totalValueInDollars", "glyph",
        "colour",
      ]
      let rows = (list?["rows"]?.array ?? []).map { row -> JSONValue in
        let all = row.object
        let shown = ["id", "type", "index", "title", "detail"].map { ($0, all?[$0] ?? .null) }
        let own = ["rowCount", "totalValueInDollars", "glyph", "colour"].compactMap { name in
          all?["list"]?.object?[name].map { (name, $0) }
        }
        return .object(JSONObject(shown + own))
      }
      return (
        id, .object(JSONObject(names.map { ($0, list?[$0] ?? .null) } + [("rows", .array(rows))]))
      )
    }
    let items = liveItems.map { id -> (String, JSONValue) in
      let all = item(id).object?.members ?? []
      let unknown = [
        "id", "contentsListId", "photos", "revision", "createdAt", "updatedAt",
      ]
      return (id, .object(JSONObject(all.filter { !unknown.contains($0.key) })))
    }
    return ["lists": .object(JSONObject(lists)), "items": .object(JSONObject(items))]
  }

  /// Rows that both states of a list have, and that look different.
  private func changedRows(of list: String, since old: SyncModel) -> [String] {
    let before = Set(old.nodes[list]?.rows ?? [])
    return (nodes[list]?.rows ?? []).filter { id in
      guard before.contains(id),
        old.nodes[id]?.details != nodes[id]?.details
          || old.sizes(of: id) != sizes(of: id)
      else { return false }
      return old.row(id, at: 0) != row(id, at: 0)
    }
  }

  /// The indices, before, of the rows that have to move. The fewest.
  private func movedRows(of list: String, since old: SyncModel) -> Set<String> {
    let indices = Dictionary(
      uniqueKeysWithValues: (old.nodes[list]?.rows ?? []).enumerated().map { ($1, $0) })
    let both = (nodes[list]?.rows ?? []).filter { indices[$0] != nil }
    let staying = PlainDelta.longestIncreasing(both.compactMap { indices[$0] })
    return Set(both.enumerated().filter { !staying.contains($0.offset) }.map(\.element))
  }

  /// The sizes of the batch updates that lead to these rows.
  func batches(since old: SyncModel) -> JSONValue {
    var batches = JSONObject()
    for (list, new) in rows.sorted(by: { $0.key < $1.key }) {
      guard let before = old.rows[list] else { continue }
      let counts = [
        ("deletes", Set(before).subtracting(new).count),
        ("inserts", Set(new).subtracting(before).count),
        ("moves", movedRows(of: list, since: old).count),
        ("changed", changedRows(of: list, since: old).count),
      ]
      guard counts.contains(where: { $0.1 > 0 }) else { continue }
      batches.set(list, to: .object(JSONObject(counts.map { ($0, JSONValue($1)) })))
    }
    return .object(batches)
  }

  /// A list's change as the API tells it. Nil if nothing has changed.
  func delta(of list: String, since old: SyncModel) -> JSONValue? {
    guard let before = old.nodes[list], let after = nodes[list], let was = before.rows,
      let rows = after.rows
    else { return nil }
    let (moved, changed) = (
      movedRows(of: list, since: old), changedRows(of: list, since: old)
    )
    let own = changedFields(from: before, to: after)
    guard own != .null || was != rows || !changed.isEmpty else { return nil }
    func indices(_ ids: [String], in all: [String]) -> JSONValue {
      .array(ids.compactMap { all.firstIndex(of: $0).map { JSONValue($0) } })
    }
    func placed(_ ids: [String]) -> JSONValue {
      .array(
        ids.compactMap { id in
          rows.firstIndex(of: id).map { ["index": JSONValue($0), "row": row(id, at: $0)] }
        })
    }
    let moves = rows.filter(moved.contains).compactMap { id -> JSONValue? in
      guard let from = was.firstIndex(of: id), let to = rows.firstIndex(of: id) else { return nil }
      return ["from": JSONValue(from), "to": JSONValue(to)]
    }
    return [
      "listId": .string(list), "fromRevision": JSONValue(old.revision),
      "toRevision": JSONValue(revision), "list": own, "countBefore": JSONValue(was.count),
      "countAfter": JSONValue(rows.count),
      "deletes": indices(was.filter { !rows.contains($0) }, in: was),
      "inserts": placed(rows.filter { !was.contains($0) }), "moves": .array(moves),
      "reloads": indices(changed.filter { !moved.contains($0) }, in: was),
      "reloadsAfter": placed(changed),
    ]
  }

  private func changedFields(from before: Node, to after: Node) -> JSONValue {
    var fields = JSONObject()
    if title(before.details) != title(after.details) {
      fields.set("title", to: title(after.details))
    }
    let (sentinel, label) = (sentinel(after.details), deleteLabel(after.details))
    if self.sentinel(before.details) != sentinel { fields.set("sentinel", to: sentinel) }
    if deleteLabel(before.details) != label { fields.set("deleteLabel", to: label) }
    if fields.contains("sentinel") || fields.contains("deleteLabel") {
      fields.set("dir", to: "ltr")
    }
    for name in ["glyph", "colour"] {
      let value = after.details[name] ?? .null
      if before.details[name] ?? .null != value { fields.set(name, to: value) }
    }
    if before.list != after.list { fields.set("parentId", to: text(after.list)) }
    return fields.isEmpty ? .null : .object(fields)
  }
}

extension SyncModel {
  /// What an edit starts from: the members of a list or an item that people edit, as the API shows them.
  func shownDetails(of id: String) -> JSONObject {
    guard let node = nodes[id] else { return JSONObject() }
    var details = node.details
    if node.isList {
      details.set("sentinel", to: sentinel(details))
      details.set("deleteLabel", to: deleteLabel(details))
    }
    return details
  }
}
