import Inventory
import JSON
import Navigation

extension JSONWriter {
  /// Writes a navigator with the bar of each screen.
  ///
  /// - Parameter popped: the screen removed by a pop, or null if none was. Nil for other calls.
  mutating func navigator(
    _ navigator: Navigator, _ subjects: [RowID: ScreenSubject], popped: ScreenReference??,
    for context: ResponseContext, _ style: ScreenStyle
  ) {
    beginObject()
    summaryMembers(navigator.summary)
    key("tabs")
    beginArray()
    for tab in navigator.details.tabs {
      let screens = NavigatorDetails.screens(
        of: tab.stack, subjects, maySave: context.caller.role >= .editor, style)
      beginObject()
      member("id", tab.id.text)
      member("title", tab.title)
      member("image", tab.image)
      key("stack")
      beginArray()
      for (reference, screen) in zip(tab.stack, screens) {
        beginObject()
        referenceMembers(reference)
        member("level", screen.level)
        navigationBar(screen.navigationBar)
        member("barTogglesOnTap", screen.barTogglesOnTap)
        crumbs("shortcuts", screen.shortcuts)
        endObject()
      }
      endArray()
      endObject()
    }
    endArray()
    key("more")
    tabs(navigator.details.more)
    member("dir", style.direction.rawValue)
    if case .some(let popped) = popped {
      object("popped", popped) { $0.referenceMembers($1) }
    }
    endObject()
  }

  /// Writes the members of a navigator in a collection.
  mutating func summaryMembers(_ navigator: NavigatorSummary) {
    member("id", navigator.id)
    member("name", navigator.name)
    member("version", navigator.version)
    member("createdAt", navigator.createdAt)
    member("lastUsedAt", navigator.lastUsedAt)
    member("selectedTab", navigator.selectedTab.text)
  }

  mutating func tabs(_ ids: [TabID]) {
    beginArray()
    for id in ids { string(id.text) }
    endArray()
  }
}

/// A tab from a request.
struct TabInput: Sendable {
  private let id: TabID
  private let title: String?
  private let image: String?
  private let stack: [ScreenInput]?

  static let known = ["id", "title", "image", "stack"]

  /// A tab without an id gets a new one.
  init(_ members: Members) {
    id = ScreenInput.line("id", Limits.tabID, members).map { TabID($0) } ?? .version7()
    title = ScreenInput.line("title", 1...Limits.shortText, members)
    image = ScreenInput.line("image", 1...Limits.shortText, members)
    stack = members.screens("stack")
  }

  func tab(root: ListID) -> NewTab {
    NewTab(
      id: id, title: title, image: image, stack: stack?.map { $0.reference(root: root) })
  }
}

extension Members {
  /// Tabs, checked by the rules that need no snapshot. Nil if absent or null.
  func tabs(_ name: String) -> [TabInput]? {
    let count = faults.all.count
    let given = objects(name, known: TabInput.known) { members, _, _ in TabInput(members) }
    // The rules report indices, which are those of the body only if every tab could be read.
    if let given, faults.all.count == count {
      let root = ListID(.version7())
      faults.note(
        NavigatorDetails.fieldErrors(ofTabs: given.map { $0.tab(root: root) }, at: [name]))
    }
    return given
  }

  /// A stack, checked by the rules that need no snapshot. Nil if absent or null.
  func stack(_ name: String) -> [ScreenInput]? {
    let count = faults.all.count
    let given = screens(name)
    if let given, faults.all.count == count {
      let root = ListID(.version7())
      faults.note(
        NavigatorDetails.fieldErrors(
          ofStack: given.map { $0.reference(root: root) }, at: [name]))
    }
    return given
  }
}
