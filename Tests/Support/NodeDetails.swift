import Inventory

extension NodeList {
  var details: ListDetails {
    ListDetails(
      title: title, itemKind: AcceptedKind(rawValue: itemKind) ?? .any,
      permissions: Permissions(rawValue: permissions))
  }
}

extension NodeItem {
  func newItem(_ id: ItemID) -> NewItem {
    let subject = isCar ? ItemSubject.car(Car(make: name, year: 1985)) : .thing
    return NewItem(
      id: id,
      details: ItemDetails(
        subject: subject, name: isCar ? nil : name, serialNumber: serialNumber,
        value: value.map { Cents($0) }, quantity: quantity),
      createdAt: createdAt.map { Timestamp(seconds: $0) })
  }
}

extension NodeListEdit {
  func apply(to old: ListDetails) throws(InventoryError) -> ListDetails {
    var new = old
    switch self {
    case .nothing: break
    case .refusal: throw .invalid([FieldError(["title"], "Refused by the caller.")])
    case .title(let title): new.title = title
    case .itemKind(let kind): new.itemKind = AcceptedKind(rawValue: kind) ?? .any
    case .permissions(let bits): new.permissions = Permissions(rawValue: bits)
    case .sentinel(let text, let isVisible):
      new.sentinel = Sentinel(text: text, isVisible: isVisible)
    case .deleteLabel(let label): new.deleteLabel = label
    case .looks(let glyph, let colour): (new.glyph, new.colour) = (glyph, colour)
    }
    return new
  }
}

extension NodeItemEdit {
  func apply(to old: ItemDetails) throws(InventoryError) -> ItemDetails {
    var new = old
    switch self {
    case .nothing: break
    case .refusal: throw .invalid([FieldError(["name"], "Refused by the caller.")])
    case .name(let name): new.name = name
    case .serialNumber(let number): new.serialNumber = number
    case .value(let value, let quantity):
      new.value = value.map { Cents($0) }
      new.quantity = quantity
    case .notes(let notes): new.notes = notes
    case .tags(let tags): new.tags = tags
    case .fields(let json): new.fields = CustomFields(json: json)
    case .make(let make):
      if case .car(var car) = new.subject {
        car.make = make
        new.subject = .car(car)
      }
    }
    return new
  }
}
