import Inventory

/// What goes for good while something else still leads to it, or asks for its ids before they are free.
extension RandomHistory {
  /// Two lists, one in the other, behind a row of the inner one; or an item, whose photo's id comes again.
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
  }
}
