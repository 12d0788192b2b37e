import Inventory

/// What a history does to a navigator, in plain data; stores know nothing of the rules of stacks.
package enum NodeNavigatorEdit: Sendable, Equatable {
  case nothing
  case refusal
  case name(String?)
  /// Screens on top of the selected tab's.
  case push([NodeScreen])
  /// So many screens off the selected tab's top, down to the root.
  case pop(Int)
  /// All tabs anew, each with its stack; the last one is selected.
  case tabs([String: [NodeScreen]])
}

package enum NodeScreen: Sendable, Equatable {
  case list(Int, mode: String?)
  case item(Int, state: String?)
  case photos(Int)
  case about(isMomentary: Bool)
  case custom(String)
}

extension NodeNavigatorEdit {
  func blank(_ names: NodeNames) -> NavigatorDetails {
    let tab = TabID("first")
    return NavigatorDetails(
      tabs: [Tab(id: tab, stack: [ScreenReference(.list(names.list(0)))])], selectedTab: tab)
  }

  func apply(
    to old: NavigatorDetails, _ snapshot: any Snapshot, _ names: NodeNames
  ) throws(InventoryError) -> NavigatorEdit {
    var new = old
    let selected = new.tabs.firstIndex { $0.id == new.selectedTab } ?? 0
    var popped: ScreenReference?
    switch self {
    case .nothing: break
    case .refusal: throw .notFound(.screen)
    case .name(let name): new.name = name
    case .push(let screens):
      new.tabs[selected].stack += screens.map { $0.reference(names) }
    case .pop(let count):
      for _ in 0..<count where new.tabs[selected].stack.count > 1 {
        popped = new.tabs[selected].stack.removeLast()
      }
    case .tabs(let tabs):
      new.tabs = tabs.sorted { $0.key < $1.key }.map { name, screens in
        Tab(
          id: TabID(name), title: name, image: screens.isEmpty ? nil : name,
          stack: [ScreenReference(.about)] + screens.map { $0.reference(names) })
      }
      guard let last = new.tabs.last else { throw .notFound(.tab) }
      new.selectedTab = last.id
    }
    return NavigatorEdit(
      details: new, subjects: try snapshot.seen(by: .local).screenSubjects(of: new.rows),
      popped: popped)
  }
}

extension NodeScreen {
  fileprivate func reference(_ names: NodeNames) -> ScreenReference {
    switch self {
    case .list(let list, let mode):
      ScreenReference(
        .list(names.list(list)), mode: mode.flatMap(ScreenMode.init),
        added: mode == "add" ? .car : nil)
    case .item(let item, let state):
      ScreenReference(.item(names.item(item)), state: state.map { CustomFields(json: $0) })
    case .photos(let item): ScreenReference(.photos(names.item(item)))
    case .about(let isMomentary): ScreenReference(.about, isMomentary: isMomentary)
    case .custom(let name):
      ScreenReference(
        .custom(name: name, title: "About \(name)"), prompt: "Read \(name)",
        trailing: TrailingButton(.done, title: name, isEnabled: false))
    }
  }
}
