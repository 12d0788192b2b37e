import JSON

/// Chooses what a person does to the lists that a screen shows.
package struct RandomIntent: Sendable {
  package var random: SplitMix64
  /// The first part of new ids.
  private let prefix: String
  private var lastID = 0

  package init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    let digits = String(seed, radix: 16)
    prefix = String(repeating: "0", count: max(0, 8 - digits.count)) + digits.suffix(8)
  }

  /// The same for the same seed.
  package mutating func id() -> String {
    lastID += 1
    let digits = String(lastID, radix: 16)
    return "\(prefix)-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  package mutating func chance(_ part: Int, of whole: Int) -> Bool {
    number(0..<whole) < part
  }

  package mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func word() -> JSONValue {
    .string(["oak", "tin", "red", "old", "zoë", "箱", "a/b", "x~y"][number(0..<8)])
  }

  /// - Parameter trash: rows that others have deleted, which the screen need not know.
  package mutating func next(on view: SyncModel, trash: [String] = []) -> SyncModel.Intent {
    let known = view.rows.keys.sorted()
    let rows = view.nodes.keys.filter(view.isRow).sorted()
    let closed = rows.filter { view.nodes[$0]?.isList == true && !known.contains($0) }
    let list =
      chance(1, of: 8)
      ? closed.randomElement(using: &random) ?? known[0] : known[number(0..<known.count)]
    guard let row = rows.randomElement(using: &random) else { return creation(in: list, view) }
    switch number(0..<20) {
    case 0..<5: return creation(in: list, view, existing: chance(1, of: 8) ? row : nil)
    case 5..<10:
      let top = known.first { view.nodes[$0]?.list == nil }
      return edit(chance(1, of: 12) ? top ?? row : row, view)
    case 10..<15:
      var ids = chance(1, of: 4) ? [] : view.nodes[view.nodes[row]?.list ?? ""]?.rows ?? []
      ids.shuffle(using: &random)
      ids = [row] + ids.filter { $0 != row }.prefix(number(0..<3))
      return .move(ids, into: list, place(in: list, view, moving: ids))
    case 15..<17: return .delete(row, isRecursive: chance(4, of: 5))
    default:
      let deleted =
        (chance(3, of: 4) ? view.deleted.sorted() : trash).randomElement(using: &random) ?? row
      let target = chance(1, of: 3) ? list : nil
      return .restore(
        deleted, into: target,
        chance(1, of: 2) ? nil : place(in: target ?? view.nodes[deleted]?.list ?? list, view))
    }
  }

  package mutating func creation(
    in list: String, _ view: SyncModel, existing: String? = nil, isList: Bool? = nil
  ) -> SyncModel.Intent {
    let isList = isList ?? chance(1, of: 5)
    let id = existing ?? id()
    var members = JSONObject([(isList ? "title" : "name", word())])
    if isList {
      if chance(1, of: 3) { members.set("sentinel", to: sentinel()) }
    } else {
      if chance(1, of: 3) { members = JSONObject([("car", car(isNew: true))]) }
      for (name, value) in values() where value != .null && chance(1, of: 3) {
        members.set(name, to: value)
      }
    }
    return .create(id, in: list, place(in: list, view), members, isList: isList)
  }

  private mutating func sentinel() -> JSONValue {
    var sentinel = JSONObject()
    if chance(2, of: 3) { sentinel.set("text", to: word()) }
    if sentinel.isEmpty || chance(1, of: 3) { sentinel.set("visible", to: .bool(chance(1, of: 2))) }
    return .object(sentinel)
  }

  private mutating func car(isNew: Bool) -> JSONValue {
    var car = JSONObject()
    // A car needs a make, a model, a year or a name.
    if isNew || chance(1, of: 3) { car.set("make", to: word()) }
    if chance(1, of: 3) { car.set("model", to: chance(1, of: 3) ? .null : word()) }
    if chance(1, of: 3) { car.set("year", to: JSONValue(number(1990..<1995))) }
    if car.isEmpty || chance(1, of: 3) { car.set("fuelAmount", to: amount()) }
    return .object(isNew ? JSONObject(car.members.filter { $0.value != .null }) : car)
  }

  private mutating func amount() -> JSONValue {
    let texts = ["0", "12.5", "7.05", "100"]
    return JSONNumber(text: texts[number(0..<texts.count)]).map(JSONValue.number) ?? .null
  }

  private mutating func values() -> [(String, JSONValue)] {
    var fields = JSONObject()
    for name in ["colour", "size", "box"] where chance(1, of: 2) { fields.set(name, to: word()) }
    if chance(1, of: 3) { fields.set("box", to: ["row": JSONValue(number(0..<3))]) }
    let tags = ["tin", "oak", "red"].shuffled(using: &random).prefix(number(0..<3))
    return [
      ("serialNumber", chance(1, of: 3) ? .null : word()),
      ("valueInDollars", chance(1, of: 4) ? .null : amount()),
      ("quantity", JSONValue(number(0..<4))), ("notes", chance(1, of: 4) ? .null : word()),
      ("tags", .array(tags.map(JSONValue.string))), ("fields", .object(fields)),
    ]
  }

  private mutating func edit(_ id: String, _ view: SyncModel) -> SyncModel.Intent {
    guard let node = view.nodes[id] else { return .delete(id, isRecursive: false) }
    var patch = JSONObject()
    if node.isList {
      let glyph: JSONValue = chance(1, of: 3) ? .null : chance(1, of: 2) ? "🔧" : "📷"
      let colour: JSONValue = chance(1, of: 3) ? .null : chance(1, of: 2) ? "red" : "teal"
      let values = [
        ("title", word()), ("sentinel", sentinel()), ("deleteLabel", word()), ("glyph", glyph),
        ("colour", colour),
      ]
      for (name, value) in values where chance(1, of: 2) { patch.set(name, to: value) }
      if patch.isEmpty { patch.set("title", to: word()) }
    } else {
      for (name, value) in [("name", word())] + values() where chance(1, of: 4) {
        patch.set(name, to: value)
      }
      if node.details.contains("car"), chance(1, of: 2) { patch.set("car", to: car(isNew: false)) }
      if patch.isEmpty { patch.set("name", to: word()) }
      if var fields = patch["fields"]?.object, chance(1, of: 2) {
        fields.set("size", to: .null)
        patch.set("fields", to: .object(fields))
      }
    }
    // What the person saw: all of it, or only what is edited.
    let seesAll = chance(1, of: 2)
    let from = view.shownDetails(of: id).members.filter { seesAll || patch.contains($0.key) }
    return .edit(id, patch, from: JSONObject(from), isList: node.isList)
  }

  /// Where a person drops rows: next to two others. Sometimes an app records less, or more.
  private mutating func place(
    in list: String, _ view: SyncModel, moving ids: [String] = []
  ) -> SyncModel.Place {
    let all = view.nodes[list]?.rows ?? []
    // Anchors may be moved rows themselves.
    let rows = chance(1, of: 4) ? all : all.filter { !ids.contains($0) }
    let index = number(0..<rows.count + 1)
    let after = index > 0 ? SyncModel.Place.Anchor(isAfter: true, row: rows[index - 1]) : nil
    let before = index < rows.count ? SyncModel.Place.Anchor(isAfter: false, row: rows[index]) : nil
    switch number(0..<10) {
    case 0: return SyncModel.Place(end: chance(1, of: 2) ? "first" : "last")
    case 1:
      return SyncModel.Place([after ?? before].compactMap(\.self), end: rows.isEmpty ? "last" : nil)
    case 2:
      let others = view.nodes.keys.sorted().shuffled(using: &random).prefix(3)
      let anchors = others.map { SyncModel.Place.Anchor(isAfter: chance(1, of: 2), row: $0) }
      return SyncModel.Place(anchors, end: chance(1, of: 2) ? "first" : nil)
    default:
      return SyncModel.Place(
        [after, before].compactMap(\.self), end: after == nil ? "first" : "last")
    }
  }
}
