import Inventory
import JSON

extension JSONWriter {
  /// Writes the members of a screen reference.
  mutating func referenceMembers(_ reference: ScreenReference) {
    var list: ListID?
    var item: ItemID?
    var own: (name: String, title: String)?
    switch reference.target {
    case .list(let id): list = id
    case .item(let id), .photos(let id): item = id
    case .about: break
    case .custom(let name, let title): own = (name, title)
    }
    member("listId", list)
    member("itemId", item)
    member("photos", reference.target == item.map(ScreenTarget.photos))
    member("about", reference.target == .about)
    member("custom", own?.name)
    member("title", own?.title)
    member("prompt", reference.prompt)
    object("trailing", reference.trailing) { writer, button in
      writer.member("action", button.action.rawValue)
      writer.member("title", button.title)
      writer.member("enabled", button.isEnabled)
    }
    member("mode", reference.mode?.rawValue)
    member("kind", reference.added?.rawValue)
    key("state")
    if let state = reference.state { raw(Array(state.json.utf8)) } else { null() }
    member("momentary", reference.isMomentary)
  }
}

/// A screen reference from a request. Its list may be `root`.
struct ScreenInput: Sendable {
  private enum Target: Sendable {
    case list(ListReference)
    case other(ScreenTarget)
  }

  private let target: Target
  private var mode: ScreenMode?
  private var added: AddedKind?
  private var prompt: String?
  private var trailing: TrailingButton?
  private var state: CustomFields?
  private var isMomentary: Bool

  func reference(root: ListID) -> ScreenReference {
    ScreenReference(
      target(root: root), mode: mode, added: added, prompt: prompt, trailing: trailing,
      state: state, isMomentary: isMomentary)
  }

  private func target(root: ListID) -> ScreenTarget {
    switch target {
    case .list(.root): .list(root)
    case .list(.id(let id)): .list(id)
    case .other(let target): target
    }
  }
}

extension ScreenInput {
  static let known = [
    "listId", "itemId", "photos", "about", "custom", "title", "prompt", "trailing", "mode", "kind",
    "state", "momentary",
  ]
  /// Members of responses that writes ignore.
  static let readOnly = ["level", "navigationBar", "barTogglesOnTap", "shortcuts"]

  /// Nil, with errors noted, if the members do not name a screen.
  init?(_ members: Members) {
    guard let target = Self.target(members) else { return nil }
    self.target = target
    mode = members.choice("mode")
    isMomentary = members.flag("momentary", default: false)
    // Every list has the same modes, so any id will do.
    if let mode, !self.target(root: ListID(.version7())).modes.contains(mode) {
      members.note("mode", "This screen does not have this mode.")
    }
    added = members.choice("kind")
    if added != nil, mode != .add { members.note("kind", "Use this only with mode: add.") }
    prompt = members.line("prompt", Limits.title)
    trailing = Self.trailing(members)
    if members["custom"] == nil {
      for name in ["prompt", "trailing"] where members[name] != nil {
        members.note(name, "Use this only with custom.")
      }
    }
    state = members.object("state").flatMap { ScreenState.read($0, members) }
  }

  private static func target(_ members: Members) -> Target? {
    let faults = members.faults
    var targets: [Target] = []
    let hasPhotos = members.flag("photos", default: false)
    let count = faults.all.count
    if let list = members.list("listId") { targets.append(.list(list)) }
    if let item: ItemID = members.identifier("itemId") {
      targets.append(.other(hasPhotos ? .photos(item) : .item(item)))
    } else if hasPhotos, members["itemId"] == nil {
      members.note("photos", "Use this only with itemId.")
    }
    if members.flag("about", default: false) { targets.append(.other(.about)) }
    if members["custom"] != nil {
      let name = members.line("custom", 1...Limits.shortText)
      let title = members.line("title", Limits.title, missing: "A custom screen needs a title.")
      if let name, let title { targets.append(.other(.custom(name: name, title: title))) }
    } else if members["title"] != nil {
      members.note("title", "Use this only with custom.")
    }
    guard faults.all.count == count else { return nil }
    guard targets.count == 1 else {
      faults.note(.member(members.path, "Send one of listId, itemId, about: true and custom."))
      return nil
    }
    return targets[0]
  }

  private static func trailing(_ members: Members) -> TrailingButton? {
    let button = members.members(
      "trailing", known: ["action", "title", "enabled"], readOnly: ["image"])
    guard let button else { return nil }
    let action: BarAction? = button.choice("action", missing: "Enter an action, such as done.")
    if action?.isLeading == true { button.note("action", "Use this only for the leading button.") }
    let title = button.line("title", 1...Limits.shortText)
    let isEnabled = button.flag("enabled", default: true)
    return action.map { TrailingButton($0, title: title, isEnabled: isEnabled) }
  }
}

extension Members {
  /// A trimmed text of one line.
  func line(
    _ name: String, _ length: ClosedRange<Int>, missing: String? = nil
  ) -> String? {
    guard let text = text(name, missing: missing).map(TextRules.trimmed) else { return nil }
    if let fault = TextRules.fault(in: text, length: length) {
      note(name, fault)
      return nil
    }
    return text
  }

  /// Screen references. Errors have the path of their element.
  func screens(_ name: String, missing: String? = nil) -> [ScreenInput]? {
    objects(
      name, known: ScreenInput.known, readOnly: ScreenInput.readOnly, missing: missing,
      ScreenInput.init)
  }

  func screen(_ name: String) -> ScreenInput? {
    members(
      name, known: ScreenInput.known, readOnly: ScreenInput.readOnly, missing: "Send a screen."
    ).flatMap(ScreenInput.init)
  }
}

/// A client's own data for a screen: a JSON object of at most `Limits.screenState` bytes.
enum ScreenState {
  static func read(_ object: JSONObject, _ members: Members) -> CustomFields? {
    let state = CustomFields(object)
    guard state.json.utf8.count <= Limits.screenState else {
      members.note("state", tooLarge)
      return nil
    }
    return state
  }

  static let tooLarge = "Use at most \(Limits.screenState / 1024) KiB of JSON."
}
