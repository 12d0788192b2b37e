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
