/// The items before and after an item in its list. Sublists are skipped.
package struct Neighbours: Sendable, Equatable {
  /// Nil for the first item.
  package var previous: PathStep?
  /// Nil for the last item.
  package var next: PathStep?
  /// The item's 0-based index among the list's items.
  package var index: Int
  /// The number of the list's items.
  package var count: Int

  package init(previous: PathStep?, next: PathStep?, index: Int, count: Int) {
    self.previous = previous
    self.next = next
    self.index = index
    self.count = count
  }
}
