import Inventory
import JSON
import Navigation

/// The change that one call makes to a navigator.
typealias NavigatorStep =
  @Sendable (inout NavigatorDetails, NavigatorScope) throws(InventoryError) -> Void

/// The calls that change a navigator. Each reads the members of its body, and returns nil only after it has noted an
/// error.
enum NavigatorCall {
  static func edit(_ members: Members) -> NavigatorStep? {
    let isRenamed = members.isGiven("name")
    let name = members.line("name", 1...Limits.shortText)
    let tab = members.text("selectedTab").map { TabID($0) }
    if members.isGiven("selectedTab"), members["selectedTab"] == nil {
      members.note("selectedTab", "A navigator always has a selected tab.")
    }
    return { (details, _) throws(InventoryError) in
      if isRenamed { details.name = name }
      guard let tab, tab != details.selectedTab else { return }
      try details.select(tab)
    }
  }

  static func push(_ members: Members) -> NavigatorStep? {
    guard let screen = members.screen("screen") else { return nil }
    return { (details, scope) throws(InventoryError) in
      let reference = screen.reference(root: try scope.root())
      try scope.require([reference])
      try details.push(reference)
    }
  }

  static func pop(_ members: Members) -> NavigatorStep? {
    { (details, _) throws(InventoryError) in details.pop() }
  }

  static func popToRoot(_ members: Members) -> NavigatorStep? {
    { (details, _) throws(InventoryError) in details.popToRoot() }
  }

  static func popTo(_ members: Members) -> NavigatorStep? {
    guard (members["index"] == nil) != (members["screen"] == nil) else {
      members.faults.note(.member([], "Send index (0 is the root's screen) or screen, not both."))
      return nil
    }
    if members["index"] != nil {
      guard let index = members.index("index") else { return nil }
      return { (details, _) throws(InventoryError) in try details.pop(to: index) }
    }
    guard let screen = members.screen("screen") else { return nil }
    return { (details, scope) throws(InventoryError) in
      try details.pop(to: screen.reference(root: try scope.root()).target)
    }
  }

  static func setStack(_ members: Members) -> NavigatorStep? {
    guard let screens = members.stack("stack", missing: "Send an array of screens.") else {
      return nil
    }
    return { (details, scope) throws(InventoryError) in
      let root = try scope.root()
      let stack = screens.map { $0.reference(root: root) }
      try scope.require(stack)
      try details.setStack(stack)
    }
  }

  static func open(_ members: Members) -> NavigatorStep? {
    let list = members.list("listId")
    let item: ItemID? = members.identifier("itemId")
    guard (members["listId"] == nil) != (members["itemId"] == nil) else {
      members.faults.note(.member([], "Send listId or itemId, not both."))
      return nil
    }
    return { (details, scope) throws(InventoryError) in
      let target: ScreenTarget
      switch list {
      case .root: target = .list(try scope.root())
      case .id(let id): target = .list(id)
      case nil:
        guard let item else { return }
        target = .item(item)
      }
      details.open(try scope.path(to: target))
    }
  }

  static func selectTab(_ members: Members) -> NavigatorStep? {
    guard let tab = members.text("tab", missing: "Send a tab's id.") else { return nil }
    return { (details, _) throws(InventoryError) in try details.select(TabID(tab)) }
  }

  static func setTabs(_ members: Members) -> NavigatorStep? {
    guard let tabs = members.tabs("tabs", missing: "Send an array of tabs.") else { return nil }
    return { (details, scope) throws(InventoryError) in
      let root = try scope.root()
      let new = tabs.map { $0.tab(root: root) }
      try scope.require(new.flatMap { $0.stack ?? [] })
      try details.setTabs(new, root: root)
    }
  }

  static func reorderTabs(_ members: Members) -> NavigatorStep? {
    let ids = members.array(
      "ids", of: "a tab's id: 1 to \(Limits.tabID.upperBound) characters",
      missing: "Send an array with each tab's id once."
    ) { value in
      value.text.flatMap { TextRules.fault(in: $0, length: Limits.tabID) == nil ? TabID($0) : nil }
    }
    guard let ids else { return nil }
    return { (details, _) throws(InventoryError) in try details.reorderTabs(ids.map(\.element)) }
  }

  /// A merge patch (RFC 7396) of the top screen: its mode, the kind of row that it adds, and its state.
  static func editTop(_ members: Members) -> NavigatorStep? {
    let mode: ScreenMode? = members.choice("mode")
    let isModeGiven = members.isGiven("mode")
    let added: AddedKind? = members.choice("kind")
    let isKindGiven = members.isGiven("kind")
    _ = members.object("state")
    // Not `nil`, which can also stand for JSON's null.
    let patch = members.isGiven("state") ? Optional(members["state"] ?? .null) : .none
    return { (details, _) throws(InventoryError) in
      guard let top = details.stack.last else { return }
      if let mode, !top.target.modes.contains(mode) {
        throw .invalid([FieldError(["mode"], "The top screen does not have this mode.")])
      }
      let isAdding = (isModeGiven ? mode : top.mode) == .add
      if added != nil, !isAdding {
        throw .invalid([FieldError(["kind"], "Use this only with mode: add.")])
      }
      var state = top.state
      switch patch {
      case nil: break
      case .null: state = nil
      case let patch?:
        let result = MergePatch.apply(patch, to: try state?.value() ?? [:], keepsNulls: true)
        guard case .object(let merged) = result else { break }
        let new = CustomFields(merged)
        guard new.json.utf8.count <= Limits.screenState else {
          throw .invalid([FieldError(["state"], ScreenState.tooLarge)])
        }
        state = new
      }
      details.updateTop {
        if isModeGiven { $0.mode = mode }
        if isKindGiven || !isAdding { $0.added = added }
        $0.state = state
      }
    }
  }
}
