import Inventory
import JSON

extension JSONWriter {
  mutating func item(_ item: Item) {
    beginObject()
    itemMembers(item)
    endObject()
  }

  /// What stands between the braces of an item.
  mutating func itemMembers(_ item: Item) {
    key("id")
    id(item.id)
    key("listId")
    id(item.listID)
    detailMembers(item.details)
    key("contentsListId")
    id(item.contentsListID)
    key("photos")
    beginArray()
    for photo in item.photos { id(photo) }
    endArray()
    key("revision")
    int(item.revision.number)
    key("createdAt")
    time(item.createdAt)
    key("updatedAt")
    time(item.updatedAt)
  }

  /// What a person wrote of an item.
  mutating func detailMembers(_ details: ItemDetails) {
    key("kind")
    kind(details.kind)
    key("name")
    string(details.name)
    key("serialNumber")
    string(details.serialNumber)
    key("valueInDollars")
    money(details.value)
    key("quantity")
    int(details.quantity)
    key("notes")
    string(details.notes)
    key("tags")
    tags(details.tags)
    key("fields")
    raw(Array(details.fields.json.utf8))
    key("car")
    car(details.subject)
  }

  mutating func kind(_ kind: ItemKind) {
    switch kind {
    case .thing: string("thing")
    case .car: string("car")
    }
  }

  mutating func tags(_ tags: [String]) {
    beginArray()
    for tag in tags { string(tag) }
    endArray()
  }

  /// The car's own members; null for a thing.
  mutating func car(_ subject: ItemSubject) {
    guard case .car(let car) = subject else {
      null()
      return
    }
    beginObject()
    key("make")
    string(car.make)
    key("model")
    string(car.model)
    key("year")
    int(car.year)
    key("fuelAmount")
    if let fuel = car.fuelAmount { decimal(fuel, places: 2) } else { null() }
    endObject()
  }
}
