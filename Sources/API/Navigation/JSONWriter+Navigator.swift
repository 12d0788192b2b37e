import Inventory
import JSON
import Navigation

extension JSONWriter {
  /// A navigator with each screen's bar worked out.
  ///
  /// - Parameter popped: the screen that a pop took off, or null; nil: the call was no pop.
  mutating func navigator(
    _ navigator: Navigator, _ subjects: [RowID: ScreenSubject], popped: ScreenReference??,
    for audience: Audience, _ style: ScreenStyle
  ) {
    beginObject()
    summaryMembers(navigator.summary)
    key("tabs")
    beginArray()
    for tab in navigator.details.tabs {
      let screens = NavigatorDetails.screens(
        of: tab.stack, subjects, maySave: audience.caller.role >= .editor, style)
      beginObject()
      key("id")
      string(tab.id.text)
      key("title")
      string(tab.title)
      key("image")
      string(tab.image)
      key("stack")
      beginArray()
      for (reference, screen) in zip(tab.stack, screens) {
        beginObject()
        referenceMembers(reference)
        key("level")
        int(screen.level)
        key("navigationBar")
        navigationBar(screen.navigationBar)
        key("barTogglesOnTap")
        bool(screen.barTogglesOnTap)
        key("shortcuts")
        crumbs(screen.shortcuts)
        endObject()
      }
      endArray()
      endObject()
    }
    endArray()
    key("more")
    tabs(navigator.details.more)
    key("dir")
    string(style.direction.rawValue)
    if case .some(let popped) = popped {
      key("popped")
      reference(popped)
    }
    endObject()
  }

  /// What stands between the braces of a navigator in a collection.
  mutating func summaryMembers(_ navigator: NavigatorSummary) {
    key("id")
    id(navigator.id)
    key("name")
    string(navigator.name)
    key("version")
    int(navigator.version)
    key("createdAt")
    time(navigator.createdAt)
    key("lastUsedAt")
    time(navigator.lastUsedAt)
    key("selectedTab")
    string(navigator.selectedTab.text)
  }

  mutating func tabs(_ ids: [TabID]) {
    beginArray()
    for id in ids { string(id.text) }
    endArray()
  }

  private mutating func reference(_ reference: ScreenReference?) {
    guard let reference else {
      null()
      return
    }
    beginObject()
    referenceMembers(reference)
    endObject()
  }

  private mutating func trailing(_ button: TrailingButton?) {
    guard let button else {
      null()
      return
    }
    beginObject()
    key("action")
    string(button.action.rawValue)
    key("title")
    string(button.title)
    key("enabled")
    bool(button.isEnabled)
    endObject()
  }

  private mutating func referenceMembers(_ reference: ScreenReference) {
    var list: ListID?
    var item: ItemID?
    var own: (name: String, title: String)?
    switch reference.target {
    case .list(let id): list = id
    case .item(let id), .photos(let id): item = id
    case .about: break
    case .custom(let name, let title): own = (name, title)
    }
    key("listId")
    id(list)
    key("itemId")
    id(item)
    key("photos")
    bool(reference.target == item.map(ScreenTarget.photos))
    key("about")
    bool(reference.target == .about)
    key("custom")
    string(own?.name)
    key("title")
    string(own?.title)
    key("prompt")
    string(reference.prompt)
    key("trailing")
    trailing(reference.trailing)
    key("mode")
    string(reference.mode?.rawValue)
    key("kind")
    string(reference.added?.rawValue)
    key("state")
    if let state = reference.state { raw(Array(state.json.utf8)) } else { null() }
    key("momentary")
    bool(reference.isMomentary)
  }
}
