import Inventory
import Navigation

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
  func tabs(_ name: String, _ faults: FieldErrors) -> [TabInput]? {
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
  func stack(_ name: String, _ faults: FieldErrors) -> [ScreenInput]? {
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
