import Inventory

/// Imports, most of them sensible.
extension RandomHistory {
  mutating func transfer(_ tree: VisibleTree) -> NodeCommand {
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1: merge(tree)
    case 2, 3: upsert(tree)
    default: arrival(tree)
    }
  }

  private mutating func merge(_ tree: VisibleTree) -> NodeCommand {
    var records: [NodeRecord] = []
    let top = chance(1, of: 2) ? list(tree) : newNumber()
    records.append(NodeRecord(top, in: chance(1, of: 30) ? list(tree) : nil, .list(newList())))
    var lists = [top]
    var items: [Int] = []
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      let holder = chance(1, of: 6) ? list(tree) : pick(lists)
      if chance(1, of: 3), let row = tree.rows[holder]?.randomElement(using: &random) {
        let isList = tree.lists.contains(row)
        records.append(NodeRecord(row, in: holder, isList ? .list(newList()) : .item(newItem())))
        if isList { lists.append(row) } else { items.append(row) }
        continue
      }
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        let id = known(in: holder, tree) ?? newNumber()
        records.append(NodeRecord(id, in: holder, .list(newList())))
        lists.append(id)
      case 2:
        let item = chance(1, of: 3) || items.isEmpty ? self.item(tree) : pick(items)
        let id = newNumber()
        records.append(NodeRecord(id, in: item, .contents(newList())))
        lists.append(id)
      default:
        let id = known(in: holder, tree) ?? newNumber()
        records.append(NodeRecord(id, in: holder, .item(newItem())))
        items.append(id)
        if chance(1, of: 2) { records += photos(of: id, tree) }
      }
    }
    for index in records.indices where chance(1, of: 3) {
      records[index].absent = AbsentFields(bits: .random(in: 0..<1 << 22, using: &random))
    }
    return .merge(records, into: list(tree))
  }

  /// New ones, some that the item has or has had, and now and then another item's. The bytes of some that it
  /// has do not come.
  private mutating func photos(of item: Int, _ tree: VisibleTree) -> [NodeRecord] {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in
      let known = (tree.photos[item] ?? []) + (deletedPhotos[item] ?? [])
      let others = tree.photos.values.flatMap { $0 }.sorted()
      var photo = newPhoto()
      if chance(1, of: 12), let other = others.randomElement(using: &random) {
        return NodeRecord(other, in: item, .photo(photo))
      }
      if chance(1, of: 2), let number = known.randomElement(using: &random) {
        let isPresent = tree.photos[item]?.contains(number) ?? false
        photo.isSent = !isPresent || chance(1, of: 2)
        return NodeRecord(number, in: item, .photo(photo))
      }
      photo.isSent = !chance(1, of: 20)
      return NodeRecord(newNumber(), in: item, .photo(photo))
    }
  }

  /// Sometimes a row that is there.
  private mutating func known(in list: Int, _ tree: VisibleTree) -> Int? {
    chance(1, of: 3) ? tree.rows[list]?.randomElement(using: &random) : nil
  }

  private mutating func upsert(_ tree: VisibleTree) -> NodeCommand {
    let list = filledList(tree)
    let upserts = (0..<Int.random(in: 0...5, using: &random)).map { _ in
      let id: Int? =
        chance(1, of: 3)
        ? (chance(1, of: 6) ? number() : tree.rows[list]?.randomElement(using: &random)) : nil
      let item = newItem()
      return NodeUpsert(
        id: id, newID: newNumber(), name: chance(1, of: 8) ? nil : item.name,
        serialNumber: chance(1, of: 3) ? nil : item.serialNumber ?? "",
        value: item.value, make: chance(1, of: 5) ? pick(["Saab", ""]) : nil)
    }
    return .upsertItems(upserts, in: list)
  }
}
