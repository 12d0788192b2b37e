import Inventory

extension NavigatorDetails {
  /// Takes off the screens of lists and items that are gone, and what was pushed from them; where a
  /// root screen is gone, the nearest ancestor that is left takes its place.
  ///
  /// - Parameters:
  ///   - isLeft: whether the list or the item of a screen is still there.
  ///   - ancestor: the nearest one above something that is gone.
  package mutating func settle<Failure: Error>(
    _ isLeft: (ScreenTarget) -> Bool, nearest ancestor: (RowID) throws(Failure) -> ScreenTarget
  ) throws(Failure) {
    for index in tabs.indices {
      tabs[index].stack = try Self.settled(tabs[index].stack, isLeft, ancestor)
    }
  }

  private static func settled<Failure: Error>(
    _ stack: [ScreenReference], _ isLeft: (ScreenTarget) -> Bool,
    _ ancestor: (RowID) throws(Failure) -> ScreenTarget
  ) throws(Failure) -> [ScreenReference] {
    var kept: [ScreenReference] = []
    var isFalling = false
    var hasNewRoot = false
    // Earlier versions kept momentary screens below others where a stack was set whole.
    for screen in withoutBuriedMomentary(stack) {
      if let row = screen.target.row {
        isFalling = !isLeft(screen.target)
        if isFalling, kept.isEmpty {
          kept.append(ScreenReference(try ancestor(row)))
          hasNewRoot = true
        }
      }
      guard !isFalling else { continue }
      // The ancestor that took the root's place may have stood right above it.
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

  /// Takes out the momentary screens, as a place is found again after a restart.
  package mutating func leaveOutMomentary() {
    for index in tabs.indices { tabs[index].stack.removeAll(where: \.isMomentary) }
  }
}
