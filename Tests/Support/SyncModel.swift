import JSON

/// Lists and items as arrays and dictionaries, and what commands of offline clients do to them.
///
/// It models the server, which knows everything, and the view of a client, which knows some lists. A client skips a command
/// that its view would refuse.
package struct SyncModel: Sendable {
  /// A list or an item.
  package struct Node: Sendable, Equatable {
    /// The list that it is a row of, or was before its deletion. Nil for the topmost list.
    package var list: String?
    package let isList: Bool
    /// What people edit, as a merge patch sees it.
    package var details: JSONObject
    /// Nil for an item, and for a list whose rows are unknown.
    package var rows: [String]?
    /// The sizes of a list whose rows are unknown.
    var unknown = Sizes()
  }

  struct Sizes: Sendable, Equatable {
    var count = 0
    var cents: Int64 = 0
  }

  private struct Deleted: Sendable {
    var index: Int
    var previous: String?
    var next: String?
  }

  package private(set) var nodes: [String: Node] = [:]
  /// The items of which more is known than their rows show.
  package private(set) var read: Set<String> = []
  private var trash: [String: Deleted] = [:]
  package private(set) var revision = 0

  /// A topmost list without rows.
  package init(top: String, title: String) {
    nodes[top] = Node(
      list: nil, isList: true,
      details: Self.details(ofList: JSONObject([("title", .string(title))])),
      rows: [])
  }

  /// What a client knows that has read some lists, and some items in full.
  package func restricted(to lists: Set<String>, items: Set<String>) -> SyncModel {
    var known = self
    known.trash = [:]
    known.read = items.filter(isLive)
    let lists = lists.filter(isLive)
    let rows = lists.flatMap { nodes[$0]?.rows ?? [] }
    let names = lists.union(rows).union(known.read)
    known.nodes = nodes.filter { names.contains($0.key) }
    for name in names where known.nodes[name]?.isList == true && !lists.contains(name) {
      known.nodes[name]?.unknown = sizes(of: name)
      known.nodes[name]?.rows = nil
    }
    return known
  }

  /// The rows that were deleted themselves.
  package var deleted: Set<String> { Set(trash.keys) }

  /// The lists whose rows are known, with the ids of these.
  package var rows: [String: [String]] {
    nodes.filter { isLive($0.key) }.compactMapValues(\.rows)
  }

  /// The lists above a list or an item, as far as known, and the first one from it upwards that is deleted.
  private func above(_ id: String) -> (lists: [String], top: String?) {
    var (lists, next, top) = ([String](), id, String?.none)
    while let node = nodes[next] {
      if top == nil, trash[next] != nil { top = next }
      guard let list = node.list else { break }
      lists.append(list)
      next = list
    }
    return (lists, top)
  }

  /// Whether it is known, and neither deleted nor below something that is.
  package func isLive(_ id: String) -> Bool {
    guard nodes[id] != nil else { return false }
    return trash.isEmpty || above(id).top == nil
  }

  /// Whether it is a row of a list whose rows are known.
  package func isRow(_ id: String) -> Bool {
    isLive(id) && nodes[id]?.list.flatMap { nodes[$0]?.rows }?.contains(id) == true
  }

  func sizes(of list: String) -> Sizes {
    guard let node = nodes[list], let rows = node.rows else {
      return nodes[list]?.unknown ?? .init()
    }
    return Sizes(count: rows.count, cents: rows.reduce(0) { $0 + cents(of: $1) })
  }

  /// What a row adds to the total of its list.
  private func cents(of row: String) -> Int64 {
    guard let node = nodes[row], !node.isList,
      let value = node.details["valueInDollars"]?.number?.scaled(places: 2),
      let quantity = node.details["quantity"]?.number?.int64
    else { return 0 }
    return value * quantity
  }

  /// Does a command.
  @discardableResult
  package mutating func make(_ intent: Intent) -> Outcome {
    var outcome = Outcome()
    do throws(Refusal) {
      switch intent {
      case .create(let id, let list, let place, let members, let isList):
        outcome = try create(id, in: list, place, members, isList: isList)
      case .edit(let id, let patch, let from, let isList):
        outcome = try edit(id, patch, from, isList: isList)
      case .move(let ids, let list, let place): outcome = try move(ids, into: list, place)
      case .delete(let id, let isRecursive): outcome = try delete(id, isRecursive: isRecursive)
      case .restore(let id, let list, let place): outcome = try restore(id, into: list, place)
      }
    } catch {
      outcome = Outcome(isChanged: false, code: error.code)
    }
    if outcome.isChanged { revision += 1 }
    outcome.revision = outcome.isChanged ? revision : nil
    return outcome
  }

  private struct Refusal: Error {
    let code: String
  }

  private func requireLive(_ id: String, isList: Bool? = nil) throws(Refusal) {
    guard let node = nodes[id], isList ?? node.isList == node.isList else {
      throw Refusal(code: "not_found")
    }
    guard isLive(id) else { throw Refusal(code: "in_trash") }
  }

  /// Throws unless it can take rows: its rows are known, or it is itself a row.
  private func requireTarget(_ list: String) throws(Refusal) {
    try requireLive(list, isList: true)
    guard nodes[list]?.rows != nil || isRow(list) else { throw Refusal(code: "not_found") }
  }

  private func requireRow(_ id: String) throws(Refusal) {
    guard nodes[id]?.list != nil else { throw Refusal(code: "root_list") }
    guard isRow(id) else { throw Refusal(code: "not_found") }
  }

  /// The index of a place among other rows, and the alternative that was used.
  private func find(
    _ place: Place, among others: [String]
  ) throws(Refusal) -> (index: Int, used: JSONValue?) {
    for (number, anchor) in place.anchors.enumerated() {
      if let index = others.firstIndex(of: anchor.row) {
        return (anchor.isAfter ? index + 1 : index, number == 0 ? .none : .some(anchor.json))
      }
    }
    guard let end = place.end else { throw Refusal(code: "anchor_gone") }
    return (
      end == "first" ? 0 : others.count, place.anchors.isEmpty ? .none : .some(.string(end))
    )
  }

  private mutating func create(
    _ id: String, in list: String, _ place: Place, _ members: JSONObject, isList: Bool
  ) throws(Refusal) -> Outcome {
    try requireTarget(list)
    let details = isList ? Self.details(ofList: members) : Self.details(ofItem: members)
    if let node = nodes[id] {
      guard isLive(id) else { throw Refusal(code: "in_trash") }
      guard node.list == list, node.isList == isList, node.details["kind"] == details["kind"]
      else { throw Refusal(code: "id_taken") }
      return Outcome(isChanged: false)
    }
    let node = Node(list: list, isList: isList, details: details, rows: isList ? [] : nil)
    guard let others = nodes[list]?.rows else {
      nodes[id] = node
      add([id], toUnknown: list)
      nodes[id] = nil
      return Outcome()
    }
    let (index, used) = try find(place, among: others)
    nodes[id] = node
    nodes[list]?.rows?.insert(id, at: index)
    if !isList { read.insert(id) }
    return Outcome(position: used)
  }

  private mutating func add(_ rows: [String], toUnknown list: String) {
    nodes[list]?.unknown.count += rows.count
    let sum = rows.reduce(0) { $0 + cents(of: $1) }
    nodes[list]?.unknown.cents += sum
  }

  private mutating func edit(
    _ id: String, _ patch: JSONObject, _ from: JSONObject, isList: Bool
  ) throws(Refusal) -> Outcome {
    try requireLive(id, isList: isList)
    guard let old = nodes[id]?.details else { return Outcome() }
    var patch = patch
    let tags = isList ? nil : Self.mergedTags(patch, from, old)
    if let tags { patch.set("tags", to: tags) }
    let merged = Self.merged(patch, into: old)
    if tags != nil { patch.remove("tags") }
    let new = isList ? Self.details(ofList: merged) : Self.details(ofItem: merged)
    guard new != old else { return Outcome(isChanged: false) }
    nodes[id]?.details = new
    var outcome = Outcome()
    outcome.overwritten = Self.overwritten(by: patch, from, old, new)
    outcome.kept = Self.kept(from, patch, old)
    return outcome
  }

  private mutating func move(
    _ ids: [String], into list: String, _ place: Place
  ) throws(Refusal) -> Outcome {
    try requireTarget(list)
    for id in ids {
      try requireLive(id)
      try requireRow(id)
    }
    let above = [list] + above(list).lists
    guard ids.allSatisfy({ !above.contains($0) }) else { throw Refusal(code: "cycle") }
    guard let present = nodes[list]?.rows else {
      add(ids, toUnknown: list)
      leave(ids, for: list)
      for id in ids where nodes[id]?.rows == nil && !read.contains(id) { nodes[id] = nil }
      return Outcome()
    }
    var others = present.filter { !ids.contains($0) }
    let (index, used) = try find(place, among: others)
    others.insert(contentsOf: ids, at: index)
    leave(ids, for: list)
    nodes[list]?.rows = others
    return Outcome(isChanged: others != present, position: used)
  }

  private mutating func leave(_ ids: [String], for list: String) {
    for id in ids {
      if let home = nodes[id]?.list { nodes[home]?.rows?.removeAll { $0 == id } }
      nodes[id]?.list = list
    }
  }

  private mutating func delete(_ id: String, isRecursive: Bool) throws(Refusal) -> Outcome {
    // It is where the client wants it.
    if above(id).top == id { return Outcome(isChanged: false) }
    try requireLive(id)
    try requireRow(id)
    guard let list = nodes[id]?.list, let all = nodes[list]?.rows,
      let index = all.firstIndex(of: id)
    else { throw Refusal(code: "not_found") }
    guard isRecursive || sizes(of: id).count == 0 else { throw Refusal(code: "list_not_empty") }
    trash[id] = Deleted(
      index: index, previous: index > 0 ? all[index - 1] : nil,
      next: index + 1 < all.count ? all[index + 1] : nil)
    nodes[list]?.rows?.remove(at: index)
    return Outcome()
  }

  private mutating func restore(
    _ id: String, into named: String?, _ place: Place?
  ) throws(Refusal) -> Outcome {
    if isLive(id) {
      if let named { try requireLive(named, isList: true) }
      guard named == nil || named == nodes[id]?.list else { throw Refusal(code: "not_found") }
      return Outcome(isChanged: false)
    }
    guard let deleted = trash[id], let home = nodes[id]?.list else {
      throw Refusal(code: nodes[id] == nil ? "not_found" : "in_trash")
    }
    if let named { try requireLive(named, isList: true) }
    guard named != nil || isLive(home) else { throw Refusal(code: "list_gone") }
    let list = named ?? home
    guard let others = nodes[list]?.rows else { throw Refusal(code: "not_found") }
    var (index, used) = (others.count, JSONValue?.none)
    if let place {
      (index, used) = try find(place, among: others)
    } else if list == home {
      if let previous = deleted.previous.flatMap({ others.firstIndex(of: $0) }) {
        index = previous + 1
      } else if let next = deleted.next.flatMap({ others.firstIndex(of: $0) }) {
        index = next
      } else {
        index = min(deleted.index, others.count)
      }
    }
    trash[id] = nil
    nodes[id]?.list = list
    nodes[list]?.rows?.insert(id, at: index)
    return Outcome(position: used)
  }
}
