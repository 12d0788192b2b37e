import Inventory

/// Makes up writes, sensible and senseless ones, for an inventory as it is.
struct RandomHistory {
  var random: SplitMix64
  private let isLarge: Bool
  private var nextNumber = 1
  /// By item; some may be back.
  var deletedPhotos: [Int: [Int]] = [:]
  private var lastKeyed: HistoryStep?
  /// What is being brought in piece by piece.
  private(set) var arriving: ArrivingTree?
  /// What comes next, one step after another.
  private var planned: [NodeCommand] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    // Most trees stay small, so that much happens to each row; some need several levels of nodes.
    isLarge = seed % 16 == 0
  }

  mutating func step(in state: ArrayState) -> HistoryStep {
    arriving = ArrivingTree(state)
    if planned.isEmpty, chance(1, of: 60) { planned = purges(VisibleTree(state)) }
    if !planned.isEmpty { return HistoryStep(planned.removeFirst()) }
    if let repeated = lastKeyed, chance(1, of: 15) { return repeated }
    var step = newStep(in: state)
    if chance(1, of: 8) {
      step.key = Int.random(in: 0..<40, using: &random)
      lastKeyed = step
    }
    step.isDryRun = chance(1, of: 12)
    step.isHurried = chance(1, of: 4)
    return step
  }

  private mutating func newStep(in state: ArrayState) -> HistoryStep {
    var tree = VisibleTree(state)
    var root: Int?
    if chance(1, of: 12) {
      root = chance(1, of: 10) ? number() : list(tree)
      tree = VisibleTree(state, below: root ?? 0)
    }
    let past = chance(1, of: 6) ? historic(state, tree) : nil
    var step = HistoryStep(past ?? command(tree), root: root)
    switch Int.random(in: 0..<20, using: &random) {
    case 0: step.role = "reader"
    case 1, 2: step.role = "editor"
    default: break
    }
    if chance(1, of: 6) { step.ifMatch = match() }
    if chance(1, of: 20) { step.ifNoneMatch = match() }
    step.isStrict = chance(1, of: 5)
    // Not drawn: a seed's history stays what it was.
    step.demandsIfMatch = step.isStrict && step.role == "editor"
    return step
  }

  private mutating func match() -> HistoryStep.Match {
    pick([
      .any, .current, .current, .behind(1), .behind(5), .behind(-3), .currentOrFirst, .nothing,
    ])
  }

  mutating func command(_ tree: VisibleTree) -> NodeCommand {
    let isFull = tree.members.count > (isLarge ? 500 : 50)
    if arriving != nil, chance(1, of: 8) { return arrival(tree) }
    if !isFull, chance(1, of: 20) { return transfer(tree) }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<6 where tree.lists.count < 14:
      let list = list(tree)
      return .createList(newNumber(), in: list, newList(), position(list, tree))
    case 6..<18 where !isFull:
      let list = list(tree)
      return .createItem(newNumber(), in: list, newItem(), position(list, tree))
    case 18..<22 where !isFull:
      let count = Int.random(in: 0...(isLarge ? 90 : 8), using: &random)
      let list = isLarge && chance(3, of: 4) ? 0 : list(tree)
      return .appendItems((0..<count).map { _ in newNumber() }, to: list, newItem())
    case 0..<25: return deletion(tree)
    case 25..<28: return .makeContents(of: item(tree), newNumber())
    case 28..<33: return .editList(list(tree), listEdit())
    case 33..<44: return .editItem(item(tree), itemEdit())
    case 44..<51: return batch(tree, isFull: isFull)
    case 51..<64:
      let list = filledList(tree)
      return .moveRow(
        in: list, from: index(list, tree), to: index(list, tree), expecting: expected(list, tree))
    case 64..<76:
      let row = row(tree)
      let list = chance(2, of: 5) ? nil : list(tree)
      let own = tree.rows.first { $0.value.contains(row) }?.key
      return .relocate(row, into: list, position(list ?? own ?? 0, tree))
    case 76..<83:
      let count = Int.random(in: 0...6, using: &random)
      var rows = (0..<count).map { _ in row(tree) }
      if !chance(1, of: 8) {
        rows = rows.enumerated().filter { !rows[..<$0].contains($1) }.map(\.element)
      }
      let list = list(tree)
      return .moveRows(rows, into: list, position(list, tree))
    case 83..<87: return reordering(tree)
    case 87..<90:
      return .sort(
        filledList(tree),
        by: pick([
          "title", "-title", "serialNumber", "valueInDollars", "-valueInDollars", "quantity",
          "-createdAt", "updatedAt",
        ]))
    case 90..<93: return navigation(tree)
    case 93..<97: return photograph(tree)
    default: return deletion(tree)
    }
  }

  mutating func newPhoto() -> NodePhoto {
    let size = pick([30, 50, 50, 300, 300, 800, 800, 65_536, 65_537, 140_000])
    return NodePhoto(type: pick(["jpeg", "png", "heic"]), size: size, width: pick([nil, 640]))
  }

  private mutating func photograph(_ tree: VisibleTree) -> NodeCommand {
    let kind = Int.random(in: 0..<10, using: &random)
    guard kind < 6,
      let (item, photos) = tree.photos.sorted(by: { $0.key < $1.key })
        .randomElement(using: &random)
    else {
      defer { nextNumber += 1 }
      return .addPhoto(nextNumber, to: self.item(tree), newPhoto())
    }
    if kind < 2 {
      let photo = chance(1, of: 8) ? number() : pick(photos)
      if photos.contains(photo) { deletedPhotos[item, default: []].append(photo) }
      return .deletePhoto(photo, of: item)
    }
    if kind == 2 { return .addPhoto(pick(photos), to: item, NodePhoto(size: 30)) }
    var order = photos
    switch Int.random(in: 0..<8, using: &random) {
    case 0: order.append(number())
    case 1: order.removeLast()
    case 2: order += photos.prefix(1)
    default: order.shuffle(using: &random)
    }
    return .reorderPhotos(of: item, order)
  }

  /// Navigators have numbers of their own, of which few are in use.
  private mutating func navigation(_ tree: VisibleTree) -> NodeCommand {
    let id = 900_000 + Int.random(in: 0..<4, using: &random)
    return switch Int.random(in: 0..<14, using: &random) {
    case 12: .limitDepth(pick([2, 3, 4, 5]))
    case 13: .limitDepth(nil)
    case 0: .setAppearance(title: pick([0, 0x1F2933, 0xF0F0F0]))
    case 1..<4: .makeNavigator(id, navigatorEdit(tree))
    case 4: .deleteNavigator(id)
    default: .editNavigator(id, navigatorEdit(tree))
    }
  }

  private mutating func navigatorEdit(_ tree: VisibleTree) -> NodeNavigatorEdit {
    switch Int.random(in: 0..<14, using: &random) {
    case 0: .nothing
    case 1: .refusal
    case 2, 3: .name(pick([nil, "Phone", "Tablet"]))
    case 4..<8: .push(screens(tree))
    case 8, 9: .pop(Int.random(in: 0...4, using: &random))
    default: .tabs(pick([[:], ["a": screens(tree)], ["b": screens(tree), "c": []]]))
    }
  }

  private mutating func screens(_ tree: VisibleTree) -> [NodeScreen] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: .list(list(tree), mode: pick([nil, "edit"]))
      case 2: .item(item(tree), state: pick([nil, #"{"y":1.50}"#]))
      case 3: .photos(item(tree))
      case 4: .about(isMomentary: chance(1, of: 2))
      default: .custom("splash")
      }
    }
  }

  /// What has to do with what was before.
  private mutating func historic(_ state: ArrayState, _ tree: VisibleTree) -> NodeCommand? {
    let names = NodeNames(root: state.rootID)
    let trash = state.trash.keys.map(names.number).sorted()
    let row = chance(1, of: 8) ? row(tree) : trash.randomElement(using: &random) ?? number()
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .purge(row)
    case 1..<5:
      let list = chance(1, of: 2) ? nil : list(tree)
      let position = chance(1, of: 2) ? nil : position(list ?? 0, tree)
      return .restore(row, into: list, position)
    default:
      let last = state.revision.number
      let all = last - state.historyStart.number
      let back = Int64.random(in: 0...(chance(1, of: 4) ? all + 1 : min(all, 4)), using: &random)
      return .undo(chance(1, of: 30) ? pick([0, -1, last + 1, .max]) : last - back)
    }
  }

  private mutating func batch(_ tree: VisibleTree, isFull: Bool) -> NodeCommand {
    let list = filledList(tree)
    let count =
      isFull || chance(1, of: 3) ? 0 : Int.random(in: 1...(isLarge ? 20 : 3), using: &random)
    let new: [(Int, NodeBatch.New)] = (0..<count).map { _ in
      (newNumber(), chance(1, of: 8) ? .list(newList()) : .item(newItem()))
    }
    let edits = (0..<Int.random(in: 0...2, using: &random)).map { _ in (itemEdit(), listEdit()) }
    var made = RandomBatch(random, rows: tree.rows[list] ?? [])
    let batch = made.batch(inserting: new, updating: edits)
    random = made.random
    return .batch(list, batch)
  }

  mutating func deletion(_ tree: VisibleTree) -> NodeCommand {
    guard chance(1, of: 2) else {
      let kind: NodeKind = chance(2, of: 3) ? .any : pick([.list, .item])
      return .delete(row(tree), kind: kind, isRecursive: chance(1, of: 3))
    }
    let list = filledList(tree)
    return .deleteRowAt(
      list, index: index(list, tree), expecting: expected(list, tree),
      isRecursive: chance(1, of: 3))
  }

  mutating func reordering(_ tree: VisibleTree) -> NodeCommand {
    let list = filledList(tree)
    var rows = tree.rows[list] ?? []
    switch Int.random(in: 0..<6, using: &random) {
    case 0: rows.append(number())
    case 1: rows = Array(rows.dropLast())
    case 2: rows.append(contentsOf: rows.prefix(1))
    case 3: break
    default: rows.shuffle(using: &random)
    }
    return .reorder(list, rows)
  }
}

extension RandomHistory {
  mutating func chance(_ part: Int, of whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &random) < part
  }

  mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int.random(in: choices.indices, using: &random)]
  }

  /// A number that may name anything that ever was, and nothing.
  mutating func number() -> Int { Int.random(in: 0...(nextNumber + 1), using: &random) }

  mutating func newNumber() -> Int {
    if chance(1, of: 25) { return number() }
    defer { nextNumber += 1 }
    return nextNumber
  }

  mutating func list(_ tree: VisibleTree) -> Int {
    if chance(1, of: 30) || tree.lists.isEmpty { return number() }
    return chance(1, of: 4) ? tree.lists[0] : pick(tree.lists)
  }

  mutating func filledList(_ tree: VisibleTree) -> Int {
    chance(1, of: 8) || tree.filled.isEmpty ? list(tree) : pick(tree.filled)
  }

  mutating func item(_ tree: VisibleTree) -> Int {
    chance(1, of: 20) || tree.items.isEmpty ? number() : pick(tree.items)
  }

  mutating func row(_ tree: VisibleTree) -> Int {
    if chance(1, of: 20) { return number() }
    return chance(1, of: 8) || tree.members.isEmpty ? list(tree) : pick(tree.members)
  }

  mutating func index(_ list: Int, _ tree: VisibleTree) -> Int {
    let count = tree.rows[list]?.count ?? 0
    return switch Int.random(in: 0..<40, using: &random) {
    case 0: -1
    case 1: count
    case 2: count + 1
    case 3: pick([.max, .min])
    default: Int.random(in: 0...max(0, count - 1), using: &random)
    }
  }

  mutating func expected(_ list: Int, _ tree: VisibleTree) -> Int? {
    guard chance(1, of: 8) else { return nil }
    return chance(1, of: 4) ? number() : tree.rows[list]?.randomElement(using: &random)
  }

  mutating func position(_ list: Int, _ tree: VisibleTree) -> NodePosition {
    let anchor = chance(1, of: 5) ? nil : tree.rows[list]?.randomElement(using: &random)
    return switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: .first
    case 2: .last
    case 3..<6: .index(index(list, tree))
    case 6, 7: .before(anchor ?? row(tree))
    default: .after(anchor ?? row(tree))
    }
  }

  mutating func title() -> String {
    if chance(1, of: 60) { return "" }
    let number = Int.random(in: 1...20, using: &random)
    let words = [16: "E\u{301}clair", 17: "\u{C9}clair", 18: "box-", 19: "red"]
    return "\(words[number] ?? "Box") \(number)"
  }

  mutating func newList() -> NodeList {
    let isOpen = !chance(1, of: 5)
    return NodeList(
      title: title(), itemKind: pick(["any", "any", "any", "thing", "car"]),
      permissions: isOpen ? 15 : UInt8.random(in: 0...15, using: &random))
  }

  mutating func newItem() -> NodeItem {
    NodeItem(
      name: title(), isCar: chance(1, of: 4), serialNumber: pick([nil, "A1", "A10", "B2"]),
      value: value(), quantity: quantity(),
      createdAt: chance(1, of: 3) ? Int64.random(in: 0...99, using: &random) : nil)
  }

  mutating func value() -> Int64? {
    let limit = Limits.value.upperBound
    if chance(1, of: 15) { return pick([limit, limit + 1, -1]) }
    return pick([nil, 0, 100, 200, 499_99])
  }

  mutating func quantity() -> Int64 {
    if chance(1, of: 15) { return pick([Limits.quantity.upperBound, 0, -1]) }
    return pick([1, 1, 2, 4])
  }

  mutating func listEdit() -> NodeListEdit {
    switch Int.random(in: 0..<14, using: &random) {
    case 0: .nothing
    case 1: .refusal
    case 2..<5: .title(title())
    case 5: .itemKind(pick(["any", "thing", "car"]))
    case 6..<9:
      .permissions(chance(2, of: 3) ? 15 : UInt8.random(in: 0...15, using: &random))
    case 9, 10: .sentinel(pick([nil, "", "That is all."]), isVisible: chance(1, of: 2))
    case 11: .deleteLabel(pick([nil, "Sell", ""]))
    default: .looks(glyph: pick([nil, "🔧", "📷", "two"]), pick([nil, .red, .teal]))
    }
  }

  mutating func itemEdit() -> NodeItemEdit {
    switch Int.random(in: 0..<14, using: &random) {
    case 0: .nothing
    case 1: .refusal
    case 2..<4: .name(title())
    case 4: .serialNumber(pick([nil, "A1", "C3"]))
    case 5..<9: .value(value(), quantity: quantity())
    case 9: .notes(pick([nil, "Two\nlines", "\u{C9}clair", "E\u{301}clair"]))
    case 10: .tags(pick([[], ["red"], ["red", "new"], ["red", "red"]]))
    case 11:
      .fields(
        pick([
          "{}", #"{"\#u{E9}":1}"#, #"{"e\#u{301}":1}"#, #"{"a":1.50}"#,
          #"{"color":"li\nne","b":"C:\\new"}"#,
        ]))
    default: .make(pick([nil, "Saab", ""]))
    }
  }
}
