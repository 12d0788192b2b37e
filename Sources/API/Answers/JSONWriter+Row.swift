import Inventory
import JSON

extension JSONWriter {
  mutating func id(_ id: some Identifier) { uuid(id.uuid.uuid) }

  mutating func id(_ id: (some Identifier)?) {
    if let id { self.id(id) } else { null() }
  }

  mutating func ids(_ ids: [RowID]) {
    beginArray()
    for id in ids { self.id(id) }
    endArray()
  }

  mutating func money(_ value: Cents?) {
    if let value { decimal(value.amount, places: 2) } else { null() }
  }

  mutating func time(_ timestamp: Timestamp) { string(timestamp.description) }

  /// A row with what may be done to it.
  mutating func row(_ row: Row, _ permissions: Permissions) {
    beginObject()
    key("index")
    int(row.index.value)
    key("type")
    switch row.content {
    case .list: string("list")
    case .item: string("item")
    }
    key("id")
    id(row.id)
    key("title")
    string(row.title)
    key("detail")
    string(row.detail)
    key("canMove")
    bool(permissions.contains(.move))
    key("canEdit")
    bool(permissions.contains(.edit))
    key("canDelete")
    bool(permissions.contains(.delete))
    switch row.content {
    case .list(let list):
      key("list")
      summary(list)
    case .item(let item):
      key("item")
      summary(item)
    }
    endObject()
  }

  /// The pinned last row of a list.
  mutating func sentinel(of list: List, in language: Language) {
    beginObject()
    key("index")
    int(list.rowCount)
    key("type")
    string("sentinel")
    key("id")
    null()
    key("title")
    string(list.details.sentinel.text ?? language.texts.sentinel)
    key("detail")
    null()
    key("canMove")
    bool(false)
    key("canEdit")
    bool(false)
    key("canDelete")
    bool(false)
    endObject()
  }

  private mutating func summary(_ list: ListSummary) {
    beginObject()
    key("id")
    id(list.id)
    key("title")
    string(list.title)
    key("rowCount")
    int(list.rowCount)
    key("totalValueInDollars")
    decimal(list.total.amount, places: 2)
    endObject()
  }

  private mutating func summary(_ item: ItemSummary) {
    beginObject()
    key("id")
    id(item.id)
    key("kind")
    kind(item.subject.kind)
    key("name")
    string(item.name)
    key("serialNumber")
    string(item.serialNumber)
    key("valueInDollars")
    money(item.value)
    key("quantity")
    int(item.quantity)
    key("tags")
    tags(item.tags)
    key("car")
    car(item.subject)
    key("contentsListId")
    id(item.contentsListID)
    key("photo")
    null()
    endObject()
  }
}
