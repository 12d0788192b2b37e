import Inventory

extension NavigatorDetails {
  /// Removes the screens of lists and items that no longer exist, the other screens (about, custom) right above them,
  /// and momentary screens (`ScreenReference.isMomentary`) below others. The nearest existing ancestor replaces a
  /// removed root screen.
  ///
  /// - Parameters:
  ///   - exists: whether the list or item of a screen still exists.
  ///   - ancestor: the nearest existing ancestor of a removed row.
  package mutating func settle<Failure: Error>(
    _ exists: (ScreenTarget) -> Bool, nearest ancestor: (RowID) throws(Failure) -> ScreenTarget
  ) throws(Failure) {
    for index in tabs.indices {
      tabs[index].stack = try Self.settled(tabs[index].stack, exists, ancestor)
    }
  }

  private static func settled<Failure: Error>(
    _ stack: [ScreenReference], _ exists: (ScreenTarget) -> Bool,
    _ ancestor: (RowID) throws(Failure) -> ScreenTarget
  ) throws(Failure) -> [ScreenReference] {
    var kept: [ScreenReference] = []
    var isFalling = false
    var hasNewRoot = false
    // Earlier versions kept buried momentary screens when a whole stack was set.
    for screen in withoutBuriedMomentary(stack) {
      if let row = screen.target.row {
        isFalling = !exists(screen.target)
        if isFalling, kept.isEmpty {
          kept.append(ScreenReference(try ancestor(row)))
          hasNewRoot = true
        }
      }
      guard !isFalling else { continue }
      // The ancestor that replaces the root may also be the next screen. It is kept once.
      if hasNewRoot, kept.count == 1, kept[0].target == screen.target {
        kept[0] = screen
        kept[0].isMomentary = false
        hasNewRoot = false
      } else {
        kept.append(screen)
      }
    }
    return kept
  }

  /// Removes all momentary screens. Call it when a client restores its stacks.
  package mutating func leaveOutMomentary() {
    for index in tabs.indices { tabs[index].stack.removeAll(where: \.isMomentary) }
  }
}
