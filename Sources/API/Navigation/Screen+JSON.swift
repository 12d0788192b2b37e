import Inventory
import JSON
import Navigation

extension JSONWriter {
  /// What stands between the braces of a screen.
  mutating func screenMembers(_ screen: Screen) {
    member("level", screen.level)
    key("navigationBar")
    navigationBar(screen.navigationBar)
    member("barTogglesOnTap", screen.barTogglesOnTap)
    key("toolbar")
    toolbar(screen.toolbar)
    key("row")
    rights(screen.row)
    key("shortcuts")
    crumbs(screen.shortcuts)
    member("dir", screen.direction.rawValue)
  }

  mutating func crumbs(_ crumbs: [Crumb]) {
    beginArray()
    for crumb in crumbs {
      beginObject()
      member("id", crumb.id)
      member("title", crumb.title)
      endObject()
    }
    endArray()
  }

  mutating func navigationBar(_ bar: NavigationBar) {
    beginObject()
    key("leading")
    button(bar.leading)
    member("title", bar.title)
    member("titleFits", bar.titleFits)
    member("prompt", bar.prompt)
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
    member("action", button.action.rawValue)
    member("title", button.title)
    member("image", button.image)
    member("enabled", button.isEnabled)
    endObject()
  }

  private mutating func rights(_ row: RowRights) {
    beginObject()
    member("canAdd", row.can.contains(.add))
    member("canEdit", row.can.contains(.edit))
    member("canMove", row.can.contains(.move))
    member("canDelete", row.can.contains(.delete))
    member("deleteLabel", row.deleteLabel)
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
    member("index", neighbours.index)
    member("count", neighbours.count)
    member("position", texts.position(neighbours.index + 1, neighbours.count))
    member("leftArrow", arrows.left.rawValue)
    member("rightArrow", arrows.right.rawValue)
    key("labels")
    beginObject()
    member("previous", texts.previous)
    member("next", texts.next)
    endObject()
    member("dir", direction.rawValue)
    endObject()
  }

  private mutating func neighbour(_ step: PathStep?) {
    guard let step else {
      null()
      return
    }
    beginObject()
    member("id", step.id)
    member("title", step.title)
    endObject()
  }

  mutating func appearance(_ versioned: VersionedAppearance) {
    let appearance = versioned.appearance
    beginObject()
    member("navigationBar", appearance.navigationBar.description)
    member("toolbar", appearance.toolbar.description)
    member("tabBar", appearance.tabBar.description)
    member("button", appearance.button.description)
    member("title", appearance.title.description)
    key("warnings")
    beginArray()
    for warning in appearance.warnings {
      beginObject()
      member("pointer", JSONPointer(tokens: warning.path).text)
      member("detail", warning.detail)
      endObject()
    }
    endArray()
    member("version", versioned.version)
    endObject()
  }
}
