import Inventory

/// What is done to the stack of the selected tab.
extension NavigatorDetails {
  /// The selected tab's, from its root screen to its top.
  package private(set) var stack: [ScreenReference] {
    get { tabs[selection].stack }
    set { tabs[selection].stack = newValue }
  }

  var selection: Int { tabs.firstIndex { $0.id == selectedTab } ?? 0 }

  /// Puts a screen on top; momentary screens that were there are taken out.
  ///
  /// - Throws: `stackFull`.
  package mutating func push(_ screen: ScreenReference) throws(InventoryError) {
    var kept = stack
    // The root screen is never momentary, so that something stays.
    while kept.count > 1, kept[kept.count - 1].isMomentary { kept.removeLast() }
    guard kept.count < Limits.screensOnStack else {
      throw .stackFull(limit: Limits.screensOnStack)
    }
    stack = kept + [screen]
  }

  /// Takes the top off; nil, and nothing happens, at the root.
  package mutating func pop() -> ScreenReference? {
    stack.count > 1 ? stack.removeLast() : nil
  }

  /// Takes off what is above a place, which counts from the root's 0.
  ///
  /// - Throws: `notFound(.screen)`.
  package mutating func pop(to index: Int) throws(InventoryError) {
    guard stack.indices.contains(index) else { throw .notFound(.screen) }
    stack.removeSubrange((index + 1)...)
  }

  /// Takes off what is above a screen: of those that lead to the same place, the nearest to the top.
  ///
  /// - Throws: `notFound(.screen)`.
  package mutating func pop(to target: ScreenTarget) throws(InventoryError) {
    guard let index = stack.lastIndex(where: { $0.target.isSame(as: target) }) else {
      throw .notFound(.screen)
    }
    try pop(to: index)
  }

  package mutating func popToRoot() { stack.removeSubrange(1...) }

  /// Sets the stack whole, as if its screens were pushed one by one: momentary screens below another
  /// one are left out.
  ///
  /// - Throws: `invalid` for what is no stack.
  package mutating func setStack(_ screens: [ScreenReference]) throws(InventoryError) {
    let violations = Self.violations(ofStack: screens, at: ["stack"])
    guard violations.isEmpty else { throw .invalid(violations) }
    stack = Self.withoutBuriedMomentary(screens)
  }

  /// The screens of a stack without the momentary ones that have another one above them.
  static func withoutBuriedMomentary(_ screens: [ScreenReference]) -> [ScreenReference] {
    screens.enumerated().filter { index, screen in
      !screen.isMomentary || index == screens.count - 1
    }.map(\.element)
  }

  /// Sets the stack to the way from the root down to a list or an item; of a longer one it takes the
  /// root and as many of the last as there is room for.
  package mutating func open(_ path: [PathStep]) {
    let end = path.dropFirst().suffix(Limits.screensOnStack - 1)
    stack = (path.prefix(1) + end).map { ScreenReference(ScreenTarget($0)) }
  }

  /// Keeps how the top screen is shown.
  package mutating func updateTop(_ update: (inout ScreenReference) -> Void) {
    update(&stack[stack.count - 1])
  }

  /// What keeps screens from being a stack, by the field at `path`.
  package static func violations(
    ofStack screens: [ScreenReference], at path: [String]
  ) -> [FieldError] {
    guard let first = screens.first else {
      return [FieldError(path, "Send at least one screen.")]
    }
    var found: [FieldError] = []
    if screens.count > Limits.screensOnStack {
      found.append(FieldError(path, "Send at most \(Limits.screensOnStack) screens."))
    }
    if first.isMomentary {
      found.append(
        FieldError(path + ["0", "momentary"], "The first screen can't be momentary."))
    }
    return found
  }
}
