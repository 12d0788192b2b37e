import Inventory

/// What goes for good while something else still leads to it, or asks for its ids before they are free.
extension RandomHistory {
  /// Two lists, one in the other, behind a row of the inner one, whose ids come again; or an item, whose photo's does.
  mutating func purges(_ tree: VisibleTree) -> [NodeCommand] {
    let items = tree.photos.sorted { $0.key < $1.key }
    if chance(1, of: 2), let (item, photos) = items.randomElement(using: &random) {
      return [
        .delete(item, kind: .any, isRecursive: true), .purge(item),
        .addPhoto(pick(photos), to: self.item(tree), newPhoto()),
      ]
    }
    let lists = tree.filled.filter(tree.members.contains)
    guard let inner = lists.randomElement(using: &random),
      let outer = lists.randomElement(using: &random),
      let row = tree.rows[inner]?.randomElement(using: &random)
    else { return [] }
    let rows = [row, inner, outer]
    return [.relocate(inner, into: outer, .last)]
      + rows.map { .delete($0, kind: .any, isRecursive: true) } + [.purge(inner), .purge(outer)]
      + again(inner, outer)
  }

  /// Other lists of the same ids: made, merged, or staged with a change before they are in place.
  private mutating func again(_ inner: Int, _ outer: Int) -> [NodeCommand] {
    let item = NodeCommand.createItem(newNumber(), in: inner, newItem(), .last)
    let tree = [
      NodeRecord(outer, in: nil, .list(newList())), NodeRecord(inner, in: outer, .list(newList())),
      NodeRecord(newNumber(), in: inner, .item(newItem())),
    ]
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return [.createList(inner, in: 0, newList(), .last), item]
    case 1:
      let top = NodeRecord(newNumber(), in: nil, .list(newList()))
      let merged = NodeRecord(inner, in: top.id, .list(newList()))
      return [
        .merge([top, merged] + [NodeRecord(newNumber(), in: inner, .item(newItem()))], into: 0),
        item,
      ]
    default:
      let id = newNumber()
      let between = NodeCommand.createItem(newNumber(), in: 0, newItem(), .first)
      let rest = chance(1, of: 2) ? [item] : []
      return [.stage(id, into: 0, tree), between, .finishImport(id)] + rest
    }
  }
}
