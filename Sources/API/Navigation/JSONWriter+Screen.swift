import Inventory
import JSON
import Navigation

extension JSONWriter {
  /// What stands between the braces of a screen.
  mutating func screenMembers(_ screen: Screen) {
    key("level")
    int(screen.level)
    key("navigationBar")
    navigationBar(screen.navigationBar)
    key("barTogglesOnTap")
    bool(screen.barTogglesOnTap)
    key("toolbar")
    toolbar(screen.toolbar)
    key("row")
    rights(screen.row)
    key("shortcuts")
    crumbs(screen.shortcuts)
    key("dir")
    string(screen.direction.rawValue)
  }

  mutating func crumbs(_ crumbs: [Crumb]) {
    beginArray()
    for crumb in crumbs {
      beginObject()
      key("id")
      id(crumb.id)
      key("title")
      string(crumb.title)
      endObject()
    }
    endArray()
  }

  mutating func navigationBar(_ bar: NavigationBar) {
    beginObject()
    key("leading")
    button(bar.leading)
    key("title")
    string(bar.title)
    key("titleFits")
    bool(bar.titleFits)
    key("prompt")
    string(bar.prompt)
    key("trailing")
    button(bar.trailing)
    endObject()
  }

  private mutating func toolbar(_ toolbar: Toolbar?) {
    guard let toolbar else {
      null()
      return
    }
    beginObject()
    key("previous")
    button(toolbar.previous)
    key("photos")
    button(toolbar.photos)
    key("next")
    button(toolbar.next)
    endObject()
  }

  private mutating func button(_ button: BarButton?) {
    guard let button else {
      null()
      return
    }
    beginObject()
    key("action")
    string(button.action.rawValue)
    key("title")
    string(button.title)
    key("image")
    string(button.image)
    key("enabled")
    bool(button.isEnabled)
    endObject()
  }

  private mutating func rights(_ row: RowRights) {
    beginObject()
    key("canAdd")
    bool(row.can.contains(.add))
    key("canEdit")
    bool(row.can.contains(.edit))
    key("canMove")
    bool(row.can.contains(.move))
    key("canDelete")
    bool(row.can.contains(.delete))
    key("deleteLabel")
    string(row.deleteLabel)
    endObject()
  }

  /// The items around one, and what the arrows mean.
  mutating func neighbours(
    _ neighbours: Neighbours, _ direction: WritingDirection, _ texts: ScreenTexts
  ) {
    let arrows = Arrows(direction)
    beginObject()
    key("previous")
    neighbour(neighbours.previous)
    key("next")
    neighbour(neighbours.next)
    key("index")
    int(neighbours.index)
    key("count")
    int(neighbours.count)
    key("position")
    string(texts.position(neighbours.index + 1, neighbours.count))
    key("leftArrow")
    string(arrows.left.rawValue)
    key("rightArrow")
    string(arrows.right.rawValue)
    key("labels")
    beginObject()
    key("previous")
    string(texts.previous)
    key("next")
    string(texts.next)
    endObject()
    key("dir")
    string(direction.rawValue)
    endObject()
  }

  private mutating func neighbour(_ step: PathStep?) {
    guard let step else {
      null()
      return
    }
    beginObject()
    key("id")
    id(step.id)
    key("title")
    string(step.title)
    endObject()
  }

  mutating func appearance(_ versioned: VersionedAppearance) {
    let appearance = versioned.appearance
    beginObject()
    key("navigationBar")
    string(appearance.navigationBar.description)
    key("toolbar")
    string(appearance.toolbar.description)
    key("tabBar")
    string(appearance.tabBar.description)
    key("button")
    string(appearance.button.description)
    key("title")
    string(appearance.title.description)
    key("warnings")
    beginArray()
    for warning in appearance.warnings {
      beginObject()
      key("pointer")
      string(JSONPointer(tokens: warning.path).text)
      key("detail")
      string(warning.detail)
      endObject()
    }
    endArray()
    key("version")
    int(versioned.version)
    endObject()
  }
}
