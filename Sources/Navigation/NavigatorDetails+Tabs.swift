import Inventory

/// A tab, as set by a client.
package struct NewTab: Sendable, Hashable {
  package var id: TabID
  package var title: String?
  package var image: String?
  /// Nil keeps the stack of the tab with this id, or starts with the root list alone.
  package var stack: [ScreenReference]?

  package init(
    id: TabID, title: String? = nil, image: String? = nil, stack: [ScreenReference]? = nil
  ) {
    self.id = id
    self.title = title
    self.image = image
    self.stack = stack
  }
}

extension NavigatorDetails {
  /// A navigator with one tab, on the root list.
  package init(name: String? = nil, root: ListID, tab: TabID) {
    self.init(
      name: name, tabs: [Tab(id: tab, stack: [ScreenReference(.list(root))])], selectedTab: tab)
  }

  /// The tabs behind "more". With more than five tabs, only the first four are shown.
  package var more: [TabID] {
    tabs.count > 5 ? tabs.dropFirst(4).map(\.id) : []
  }

  /// Selects a tab. Selecting the selected tab goes back to its root.
  ///
  /// - Throws: `notFound(.tab)`.
  package mutating func select(_ tab: TabID) throws(InventoryError) {
    guard tabs.contains(where: { $0.id == tab }) else { throw .notFound(.tab) }
    if tab == selectedTab { popToRoot() } else { selectedTab = tab }
  }

  /// Sets all tabs. Existing tabs keep their stacks unless new ones are given. If the selected tab is removed, the
  /// first one is selected.
  ///
  /// - Throws: `invalid` if the tabs are not valid.
  package mutating func setTabs(_ new: [NewTab], root: ListID) throws(InventoryError) {
    let fieldErrors = Self.fieldErrors(ofTabs: new, at: ["tabs"])
    guard fieldErrors.isEmpty, let first = new.first else { throw .invalid(fieldErrors) }
    let set = new.map { tab in
      let kept = tabs.first { $0.id == tab.id }?.stack
      return Tab(
        id: tab.id, title: tab.title, image: tab.image,
        stack: tab.stack.map(Self.withoutBuriedMomentary) ?? kept ?? [ScreenReference(.list(root))])
    }
    guard set.reduce(0, { $0 + $1.stack.count }) <= Limits.screens else {
      throw .invalid([
        FieldError(["tabs"], "All stacks together can have at most \(Limits.screens) screens.")
      ])
    }
    tabs = set
    if !tabs.contains(where: { $0.id == selectedTab }) { selectedTab = first.id }
  }

  /// Reorders the tabs.
  ///
  /// - Throws: `notThePresentTabs`.
  package mutating func reorderTabs(_ ids: [TabID]) throws(InventoryError) {
    var ordered: [Tab] = []
    var unknown: [TabID] = []
    var duplicate: [TabID] = []
    for id in ids {
      if ordered.contains(where: { $0.id == id }) || unknown.contains(id) {
        duplicate.append(id)
      } else if let tab = tabs.first(where: { $0.id == id }) {
        ordered.append(tab)
      } else {
        unknown.append(id)
      }
    }
    let missing = tabs.map(\.id).filter { !ids.contains($0) }
    guard missing.isEmpty, unknown.isEmpty, duplicate.isEmpty else {
      throw .notThePresentTabs(missing: missing, unknown: unknown, duplicate: duplicate)
    }
    tabs = ordered
  }

  /// The errors that make tabs invalid. `path` is the field that they come from.
  package static func fieldErrors(ofTabs tabs: [NewTab], at path: [String]) -> [FieldError] {
    guard !tabs.isEmpty else { return [FieldError(path, "Send at least one tab.")] }
    guard tabs.count <= Limits.tabs else {
      return [FieldError(path, "Send at most \(Limits.tabs) tabs.")]
    }
    var found: [FieldError] = []
    for (index, tab) in tabs.enumerated() {
      let place = path + [String(index)]
      if tabs[..<index].contains(where: { $0.id == tab.id }) {
        found.append(FieldError(place + ["id"], "Given more than once."))
      }
      if let stack = tab.stack {
        found += fieldErrors(ofStack: stack, at: place + ["stack"])
      }
    }
    return found
  }
}
