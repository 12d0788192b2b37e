/// The items around an item in its list, sublists skipped.
package struct Neighbours: Sendable, Equatable {
  /// Nil for the first item.
  package var previous: PathStep?
  /// Nil for the last item.
  package var next: PathStep?
  /// Its 0-based place among the list's items.
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
