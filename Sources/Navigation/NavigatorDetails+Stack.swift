import Inventory

/// Changes of the selected tab's stack.
extension NavigatorDetails {
  /// The stack of the selected tab, from its root screen to its top.
  package private(set) var stack: [ScreenReference] {
    get { tabs[selection].stack }
    set { tabs[selection].stack = newValue }
  }

  /// The maximum number of screens on the selected tab's stack. The more screens the other tabs have, the lower it is,
  /// because all tabs together have at most `Limits.screens`.
  private var room: Int {
    let others = tabs.reduce(0) { $0 + $1.stack.count } - stack.count
    return min(Limits.screensOnStack, max(1, Limits.screens - others))
  }

  var selection: Int { tabs.firstIndex { $0.id == selectedTab } ?? 0 }

  /// Removes the momentary screens from the top, then puts a screen there.
  ///
  /// - Throws: `stackFull`.
  package mutating func push(_ screen: ScreenReference) throws(InventoryError) {
    var kept = stack
    // The root screen is never momentary, so at least one screen remains.
    while kept.count > 1, kept[kept.count - 1].isMomentary { kept.removeLast() }
    guard kept.count < room else { throw .stackFull(limit: room) }
    stack = kept + [screen]
  }

  /// Removes and returns the top screen. Does nothing and returns nil at the root.
  @discardableResult
  package mutating func pop() -> ScreenReference? {
    stack.count > 1 ? stack.removeLast() : nil
  }

  /// Removes all screens above an index. The root has index 0.
  ///
  /// - Throws: `notFound(.screen)`.
  package mutating func pop(to index: Int) throws(InventoryError) {
    guard stack.indices.contains(index) else { throw .notFound(.screen) }
    stack.removeSubrange((index + 1)...)
  }

  /// Removes all screens above the topmost screen with a target.
  ///
  /// - Throws: `notFound(.screen)`.
  package mutating func pop(to target: ScreenTarget) throws(InventoryError) {
    guard let index = stack.lastIndex(where: { $0.target.isSame(as: target) }) else {
      throw .notFound(.screen)
    }
    try pop(to: index)
  }

  package mutating func popToRoot() { stack.removeSubrange(1...) }

  /// Sets the whole stack, without its buried momentary screens.
  ///
  /// - Throws: `invalid` if the screens are not a valid stack.
  package mutating func setStack(_ screens: [ScreenReference]) throws(InventoryError) {
    let fieldErrors = Self.fieldErrors(ofStack: screens, at: ["stack"], room: room)
    guard fieldErrors.isEmpty else { throw .invalid(fieldErrors) }
    stack = Self.withoutBuriedMomentary(screens)
  }

  /// The screens without buried momentary ones, which are those below another screen.
  static func withoutBuriedMomentary(_ screens: [ScreenReference]) -> [ScreenReference] {
    screens.enumerated().filter { index, screen in
      !screen.isMomentary || index == screens.count - 1
    }.map(\.element)
  }

  /// Sets the stack to the path from the root to a list or item. From a path that is too long it takes the root and the
  /// last screens that fit.
  package mutating func open(_ path: [PathStep]) {
    let end = path.dropFirst().suffix(room - 1)
    stack = (path.prefix(1) + end).map { ScreenReference(ScreenTarget($0)) }
  }

  /// Changes the display state of the top screen.
  package mutating func updateTop(_ update: (inout ScreenReference) -> Void) {
    update(&stack[stack.count - 1])
  }

  /// The errors that make screens an invalid stack. `path` is the field that they come from.
  package static func fieldErrors(
    ofStack screens: [ScreenReference], at path: [String], room: Int = Limits.screensOnStack
  ) -> [FieldError] {
    guard let first = screens.first else {
      return [FieldError(path, "Send at least one screen.")]
    }
    var found: [FieldError] = []
    if screens.count > room {
      found.append(FieldError(path, "Send at most \(room) screens."))
    }
    if first.isMomentary {
      found.append(
        FieldError(path + ["0", "momentary"], "The first screen can't be momentary."))
    }
    return found
  }
}
