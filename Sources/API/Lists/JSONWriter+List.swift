import Inventory
import JSON

extension JSONWriter {
  mutating func list(_ list: List, for audience: Audience) {
    beginObject()
    listMembers(list, for: audience)
    endObject()
  }

  /// What stands between the braces of a list.
  mutating func listMembers(_ list: List, for audience: Audience) {
    let details = list.details
    key("id")
    id(list.id)
    key("parentId")
    id(list.parentID)
    key("itemId")
    id(list.itemID)
    key("title")
    string(details.title)
    key("itemKind")
    string(details.itemKind.rawValue)
    key("rowCount")
    int(list.rowCount)
    key("totalValueInDollars")
    decimal(list.total.amount, places: 2)
    key("permissions")
    permissions(details.permissions)
    key("can")
    permissions(list.permissions(for: audience.caller.role))
    key("sentinel")
    sentinel(details.sentinel, in: audience.language)
    key("deleteLabel")
    string(details.deleteLabel ?? audience.language.texts.deleteLabel)
    key("dir")
    string(audience.language.texts.direction.rawValue)
    key("revision")
    int(list.revision.number)
    key("createdAt")
    time(list.createdAt)
    key("updatedAt")
    time(list.updatedAt)
  }

  mutating func permissions(_ permissions: Permissions) {
    beginObject()
    key("add")
    bool(permissions.contains(.add))
    key("edit")
    bool(permissions.contains(.edit))
    key("move")
    bool(permissions.contains(.move))
    key("delete")
    bool(permissions.contains(.delete))
    endObject()
  }

  /// What a list's last row says, and whether it is shown.
  mutating func sentinel(_ sentinel: Sentinel, in language: Language) {
    beginObject()
    key("text")
    string(sentinel.text ?? language.texts.sentinel)
    key("visible")
    bool(sentinel.isVisible)
    endObject()
  }

  /// The way down to a list or an item.
  mutating func path(_ steps: [PathStep]) {
    beginArray()
    for step in steps {
      beginObject()
      key("id")
      id(step.id)
      key("title")
      string(step.title)
      key("type")
      type(step)
      endObject()
    }
    endArray()
  }

  mutating func type(_ step: PathStep) { string(step.isList ? "list" : "item") }
}
