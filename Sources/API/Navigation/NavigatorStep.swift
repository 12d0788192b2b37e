import Inventory
import JSON
import Navigation

/// The change that one call makes to a navigator.
struct NavigatorStep: Sendable {
  enum Call: Sendable {
    case edit, push, pop, popTo, popToRoot, setStack, open, selectTab, setTabs, reorderTabs, editTop
  }

  /// Changes the navigator. A pop returns the removed screen, if any.
  let take:
    @Sendable (inout NavigatorDetails, NavigatorScope) throws(InventoryError) -> ScreenReference?

  private init(
    _ take:
      @escaping @Sendable (
        inout NavigatorDetails, NavigatorScope
      ) throws(InventoryError) -> Void
  ) {
    self.take = { (details, scope) throws(InventoryError) in
      try take(&details, scope)
      return nil
    }
  }

  private init(
    popping take: @escaping @Sendable (inout NavigatorDetails) -> ScreenReference?
  ) {
    self.take = { (details, _) throws(InventoryError) in take(&details) }
  }

  /// Parses a call's body.
  ///
  /// - Throws: the errors in the body.
  init(_ call: Call, _ body: JSONObject, _ faults: FieldErrors) throws(Problem) {
    let members = Members(
      body, known: call.members, readOnly: call == .edit ? Self.readOnly : [], faults)
    let step = Self.step(call, members, body, faults)
    try faults.check()
    guard let step else { throw .invalid(faults.all) }
    self = step
  }

  /// Members of responses that an edit ignores.
  private static let readOnly = [
    "id", "version", "createdAt", "lastUsedAt", "tabs", "more", "dir", "popped",
  ]

  private static func step(
    _ call: Call, _ members: Members, _ body: JSONObject, _ faults: FieldErrors
  ) -> NavigatorStep? {
    switch call {
    case .edit: edit(members)
    case .push: push(members)
    case .pop: NavigatorStep(popping: { $0.pop() })
    case .popTo: popTo(members, body, faults)
    case .popToRoot: NavigatorStep { (details, _) throws(InventoryError) in details.popToRoot() }
    case .setStack: setStack(members, faults)
    case .open: open(members, faults)
    case .selectTab: selectTab(members)
    case .setTabs: setTabs(members, faults)
    case .reorderTabs: reorderTabs(members)
    case .editTop: editTop(members, body)
    }
  }

  private static func edit(_ members: Members) -> NavigatorStep {
    let isRenamed = members.isGiven("name")
    let name = ScreenInput.line("name", 1...Limits.shortText, members)
    let tab = members.text("selectedTab").map { TabID($0) }
    if members.isGiven("selectedTab"), members["selectedTab"] == nil {
      members.note("selectedTab", "A navigator always has a selected tab.")
    }
    return NavigatorStep { (details, _) throws(InventoryError) in
      if isRenamed { details.name = name }
      guard let tab, tab != details.selectedTab else { return }
      try details.select(tab)
    }
  }

  private static func push(_ members: Members) -> NavigatorStep? {
    guard let screen = members.screen("screen") else { return nil }
    return NavigatorStep { (details, scope) throws(InventoryError) in
      let reference = screen.reference(root: try scope.root())
      try scope.require([reference])
      try details.push(reference)
    }
  }

  private static func popTo(
    _ members: Members, _ body: JSONObject, _ faults: FieldErrors
  ) -> NavigatorStep? {
    guard (members["index"] == nil) != (members["screen"] == nil) else {
      faults.note(.member([], "Send index (0 is the root's screen) or screen, not both."))
      return nil
    }
    if members["index"] != nil {
      guard let index = members.index("index") else { return nil }
      return NavigatorStep { (details, _) throws(InventoryError) in try details.pop(to: index) }
    }
    guard let screen = members.screen("screen") else { return nil }
    return NavigatorStep { (details, scope) throws(InventoryError) in
      try details.pop(to: screen.reference(root: try scope.root()).target)
    }
  }

  private static func setStack(_ members: Members, _ faults: FieldErrors) -> NavigatorStep? {
    guard let screens = members.stack("stack") else {
      if members["stack"] == nil { members.note("stack", "Send an array of screens.") }
      return nil
    }
    return NavigatorStep { (details, scope) throws(InventoryError) in
      let root = try scope.root()
      let stack = screens.map { $0.reference(root: root) }
      try scope.require(stack)
      try details.setStack(stack)
    }
  }

  private static func open(_ members: Members, _ faults: FieldErrors) -> NavigatorStep? {
    let list = members.list("listId")
    let item: ItemID? = members.identifier("itemId")
    guard (members["listId"] == nil) != (members["itemId"] == nil) else {
      faults.note(.member([], "Send listId or itemId, not both."))
      return nil
    }
    return NavigatorStep { (details, scope) throws(InventoryError) in
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

  private static func selectTab(_ members: Members) -> NavigatorStep? {
    guard let tab = members.text("tab") else {
      if members["tab"] == nil { members.note("tab", "Send a tab's id.") }
      return nil
    }
    return NavigatorStep { (details, _) throws(InventoryError) in try details.select(TabID(tab)) }
  }

  private static func setTabs(_ members: Members, _ faults: FieldErrors) -> NavigatorStep? {
    guard let tabs = members.tabs("tabs") else {
      if members["tabs"] == nil { members.note("tabs", "Send an array of tabs.") }
      return nil
    }
    return NavigatorStep { (details, scope) throws(InventoryError) in
      let root = try scope.root()
      let new = tabs.map { $0.tab(root: root) }
      try scope.require(new.flatMap { $0.stack ?? [] })
      try details.setTabs(new, root: root)
    }
  }

  private static func reorderTabs(_ members: Members) -> NavigatorStep? {
    let ids = members.array("ids", of: "a tab's id") { value in
      if case .string(let text) = value { TabID(text) } else { nil }
    }
    guard let ids else {
      if members["ids"] == nil { members.note("ids", "Send an array with each tab's id once.") }
      return nil
    }
    return NavigatorStep { (details, _) throws(InventoryError) in
      try details.reorderTabs(ids.map(\.element))
    }
  }

  /// A merge patch (RFC 7396) of the top screen's mode, its kind of added row, and its state.
  private static func editTop(_ members: Members, _ body: JSONObject) -> NavigatorStep {
    let mode: ScreenMode? = members.choice("mode")
    let isModeGiven = members.isGiven("mode")
    let added: AddedKind? = members.choice("kind")
    let isKindGiven = members.isGiven("kind")
    _ = members.object("state")
    let patch = body["state"]
    return NavigatorStep { (details, _) throws(InventoryError) in
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

extension NavigatorStep.Call {
  /// The members that the call's body may have.
  fileprivate var members: [String] {
    switch self {
    case .pop, .popToRoot: []
    case .edit: ["name", "selectedTab"]
    case .push: ["screen"]
    case .popTo: ["index", "screen"]
    case .setStack: ["stack"]
    case .open: ["listId", "itemId"]
    case .selectTab: ["tab"]
    case .setTabs: ["tabs"]
    case .reorderTabs: ["ids"]
    case .editTop: ["mode", "kind", "state"]
    }
  }
}
