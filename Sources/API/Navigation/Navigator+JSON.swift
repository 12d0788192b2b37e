import Inventory
import JSON
import Navigation

extension JSONWriter {
  /// Writes a navigator with the bar of each screen.
  ///
  /// - Parameter popped: for a pop the screen that it removed, or `.some(nil)` if it removed none. Nil for other calls.
  mutating func navigator(
    _ navigator: Navigator, _ subjects: [RowID: ScreenSubject], popped: ScreenReference??,
    for context: ResponseContext, _ style: ScreenStyle
  ) {
    object { writer in
      writer.summaryMembers(navigator.summary)
      writer.objects("tabs", navigator.details.tabs) { writer, tab in
        let screens = NavigatorDetails.screens(
          of: tab.stack, subjects, maySave: context.caller.role >= .editor, style)
        writer.member("id", tab.id.text)
        writer.member("title", tab.title)
        writer.member("image", tab.image)
        writer.objects("stack", zip(tab.stack, screens)) { writer, shown in
          let (reference, screen) = shown
          writer.referenceMembers(reference)
          writer.member("level", screen.level)
          writer.navigationBar(screen.navigationBar)
          writer.member("barTogglesOnTap", screen.barTogglesOnTap)
          writer.crumbs("shortcuts", screen.shortcuts)
        }
      }
      writer.tabs("more", navigator.details.more)
      writer.member("dir", style.direction.rawValue)
      if case .some(let popped) = popped {
        writer.object("popped", popped) { $0.referenceMembers($1) }
      }
    }
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

  mutating func tabs(_ name: StaticString, _ ids: [TabID]) {
    array(name, ids) { $0.string($1.text) }
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
    id = members.line("id", Limits.tabID).map { TabID($0) } ?? .version7()
    title = members.line("title", 1...Limits.shortText)
    image = members.line("image", 1...Limits.shortText)
    stack = members.screens("stack")
  }

  func tab(root: ListID) -> NewTab {
    NewTab(
      id: id, title: title, image: image, stack: stack?.map { $0.reference(root: root) })
  }
}

extension Members {
  /// Tabs, checked by the rules that need no snapshot. Nil if absent or null.
  func tabs(_ name: String, missing: String? = nil) -> [TabInput]? {
    let count = faults.all.count
    let given = objects(name, known: TabInput.known, missing: missing, TabInput.init)
    // The rules report indices, which are those of the body only if every tab could be read.
    if let given, faults.all.count == count {
      let root = ListID(.version7())
      faults.note(
        NavigatorDetails.fieldErrors(ofTabs: given.map { $0.tab(root: root) }, at: [name]))
    }
    return given
  }

  /// A stack, checked by the rules that need no snapshot. Nil if absent or null.
  func stack(_ name: String, missing: String) -> [ScreenInput]? {
    let count = faults.all.count
    let given = screens(name, missing: missing)
    if let given, faults.all.count == count {
      let root = ListID(.version7())
      faults.note(
        NavigatorDetails.fieldErrors(
          ofStack: given.map { $0.reference(root: root) }, at: [name]))
    }
    return given
  }
}
