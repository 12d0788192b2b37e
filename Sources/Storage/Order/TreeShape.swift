/// The constants of the counted tree.
package struct TreeShape: Sendable, Hashable {
  /// Rows in a leaf and children of a node at most.
  package let fanOut: Int
  /// The distance between neighbours' positions when there is room.
  package let gap: Int64

  package init(fanOut: Int = 64, gap: Int64 = 1 << 16) {
    precondition(fanOut >= 4 && gap >= 2, "a tree needs a fan-out of 4 and a gap of 2 at least")
    self.fanOut = fanOut
    self.gap = gap
  }
}
