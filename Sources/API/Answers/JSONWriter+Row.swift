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
    // Looked into once: each look copies what the row holds.
    switch row.content {
    case .list(let list):
      fragment(#""list","id":"#)
      id(list.id)
      texts(title: list.title, detail: nil)
      flags(permissions)
      key("list")
      summary(list)
    case .item(let item):
      fragment(#""item","id":"#)
      id(item.id)
      texts(title: item.title, detail: item.serialNumber)
      flags(permissions)
      key("item")
      summary(item)
    }
    endObject()
  }

  private mutating func texts(title: String, detail: String?) {
    key("title")
    string(title)
    key("detail")
    string(detail)
  }

  private mutating func flags(_ permissions: Permissions) {
    // Three members in one piece: a page has them for every row.
    raw(Self.flags[Int(permissions.rawValue & Permissions.all.rawValue)])
  }

  /// The flags of a row for each raw value of its list's permissions.
  private static let flags: [[UInt8]] = (0...Permissions.all.rawValue).map { value in
    let permissions = Permissions(rawValue: value)
    return Array(
      """
      "canMove":\(permissions.contains(.move)),"canEdit":\(permissions.contains(.edit)),\
      "canDelete":\(permissions.contains(.delete))
      """.utf8)
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
    texts(title: list.details.sentinel.text ?? language.texts.sentinel, detail: nil)
    flags([])
    endObject()
  }

  mutating func summary(_ list: ListSummary) {
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

  mutating func summary(_ item: ItemSummary) {
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
    id(item.photo)
    endObject()
  }
}
