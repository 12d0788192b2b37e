import Inventory
import JSON
import Navigation

extension JSONWriter {
  /// Writes the members of a screen.
  mutating func screenMembers(_ screen: Screen) {
    member("level", screen.level)
    navigationBar(screen.navigationBar)
    member("barTogglesOnTap", screen.barTogglesOnTap)
    object("toolbar", screen.toolbar) { writer, toolbar in
      writer.button("previous", toolbar.previous)
      writer.button("photos", toolbar.photos)
      writer.button("next", toolbar.next)
    }
    object("row") { writer in
      writer.member("canAdd", screen.row.can.contains(.add))
      writer.member("canEdit", screen.row.can.contains(.edit))
      writer.member("canMove", screen.row.can.contains(.move))
      writer.member("canDelete", screen.row.can.contains(.delete))
      writer.member("deleteLabel", screen.row.deleteLabel)
    }
    crumbs("shortcuts", screen.shortcuts)
    member("dir", screen.direction.rawValue)
  }

  mutating func crumbs(_ name: StaticString, _ crumbs: [Crumb]) {
    objects(name, crumbs) { writer, crumb in
      writer.member("id", crumb.id)
      writer.member("title", crumb.title)
    }
  }

  mutating func navigationBar(_ bar: NavigationBar, as name: StaticString = "navigationBar") {
    object(name) { writer in
      writer.button("leading", bar.leading)
      writer.member("title", bar.title)
      writer.member("titleFits", bar.titleFits)
      writer.member("prompt", bar.prompt)
      writer.button("trailing", bar.trailing)
    }
  }

  private mutating func button(_ name: StaticString, _ button: BarButton?) {
    object(name, button) { writer, button in
      writer.member("action", button.action.rawValue)
      writer.member("title", button.title)
      writer.member("image", button.image)
      writer.member("enabled", button.isEnabled)
    }
  }

  /// Writes an item's neighbours, and which of them the left and the right arrow lead to.
  mutating func neighbourMembers(
    _ neighbours: Neighbours, _ direction: WritingDirection, _ texts: ScreenTexts
  ) {
    // The arrow that points against the writing direction goes back.
    let isMirrored = direction == .rightToLeft
    neighbour("previous", neighbours.previous)
    neighbour("next", neighbours.next)
    member("index", neighbours.index)
    member("count", neighbours.count)
    member("position", texts.position(neighbours.index + 1, neighbours.count))
    member("leftArrow", isMirrored ? "next" : "previous")
    member("rightArrow", isMirrored ? "previous" : "next")
    object("labels") { writer in
      writer.member("previous", texts.button(.previous))
      writer.member("next", texts.button(.next))
    }
    member("dir", direction.rawValue)
  }

  private mutating func neighbour(_ name: StaticString, _ step: PathStep?) {
    object(name, step) { writer, step in
      writer.member("id", step.id)
      writer.member("title", step.title)
    }
  }
}
