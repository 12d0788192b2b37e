import Inventory
import JSON

extension JSONWriter {
  /// Writes a row with the caller's permissions.
  mutating func row(_ row: Row, _ permissions: Permissions) {
    row.lend { self.row($0, permissions) }
  }

  /// Writes a row with the caller's permissions. Constant text is written as fragments, because a page
  /// has many rows.
  mutating func row(_ row: BorrowedRow, _ permissions: Permissions) {
    fragment(#"{"index":"#)
    int(row.index.value)
    switch row.content {
    case .list(let list):
      fragment(#""type":"list","id":"#)
      id(row.id)
      fragment(#""title":"#)
      string(unchecked: row.title)
      fragment(#""detail":"#)
      null()
      flags(permissions)
      fragment(#""list":{"id":"#)
      id(row.id)
      fragment(#""title":"#)
      string(unchecked: row.title)
      fragment(#""rowCount":"#)
      int(list.rowCount)
      fragment(#""totalValueInDollars":"#)
      decimal(list.total.amount, places: 2)
      looks(list.glyph, list.colour)
    case .item(let item):
      fragment(#""type":"item","id":"#)
      id(row.id)
      fragment(#""title":"#)
      string(unchecked: row.title)
      fragment(#""detail":"#)
      string(unchecked: item.serialNumber)
      flags(permissions)
      fragment(#""item":{"id":"#)
      id(row.id)
      summary(item)
    }
    endObject()
    endObject()
  }

  private mutating func flags(_ permissions: Permissions) {
    raw(Self.flags[Int(permissions.rawValue & Permissions.all.rawValue)])
  }

  /// The members `canMove`, `canEdit` and `canDelete` for each raw value of the permissions.
  private static let flags: [[UInt8]] = (0...Permissions.all.rawValue).map { value in
    let permissions = Permissions(rawValue: value)
    return Array(
      """
      "canMove":\(permissions.contains(.move)),"canEdit":\(permissions.contains(.edit)),\
      "canDelete":\(permissions.contains(.delete))
      """.utf8)
  }

  /// Writes the sentinel, a list's pinned last row.
  mutating func sentinel(of list: List, in language: Language) {
    object { writer in
      writer.member("index", list.rowCount)
      writer.member("type", "sentinel")
      writer.member("id", nil as RowID?)
      writer.member("title", list.details.sentinel.text ?? language.texts.sentinel)
      writer.member("detail", nil as String?)
      writer.flags([])
    }
  }

  mutating func summary(_ list: ListSummary) {
    object { writer in
      writer.member("id", list.id)
      writer.member("title", list.title)
      writer.member("rowCount", list.rowCount)
      writer.member("totalValueInDollars", list.total)
      writer.looks(list.glyph, list.colour)
    }
  }

  private mutating func looks(_ glyph: String?, _ colour: ListColour?) {
    member("glyph", glyph)
    member("colour", colour?.rawValue)
  }

  mutating func summary(_ item: ItemSummary) {
    Row(index: 0, content: .item(item)).lend { row in
      guard case .item(let item) = row.content else { return }
      fragment(#"{"id":"#)
      id(row.id)
      summary(item)
      endObject()
    }
  }

  /// Writes an item summary's members after its id.
  private mutating func summary(_ item: BorrowedRow.Item) {
    fragment(item.car == nil ? #""kind":"thing","name":"# : #""kind":"car","name":"#)
    string(unchecked: item.name)
    fragment(#""serialNumber":"#)
    string(unchecked: item.serialNumber)
    fragment(#""valueInDollars":"#)
    money(item.value)
    fragment(#""quantity":"#)
    int(item.quantity)
    fragment(#""tags":"#)
    tags(lines: item.tags)
    fragment(#""car":"#)
    car(item.car)
    fragment(#""contentsListId":"#)
    id(item.contentsListID)
    fragment(#""photo":"#)
    id(item.photo)
  }

  private mutating func tags(lines: BorrowedRow.Text?) {
    beginArray()
    for tag in lines?.split(separator: UInt8(ascii: "\n")) ?? [] {
      string(unchecked: BorrowedRow.Text(rebasing: tag))
    }
    endArray()
  }

  private mutating func car(_ car: BorrowedRow.Car?) {
    guard let car else { return null() }
    fragment(#"{"make":"#)
    string(unchecked: car.make)
    fragment(#""model":"#)
    string(unchecked: car.model)
    fragment(#""year":"#)
    int(car.year)
    fragment(#""fuelAmount":"#)
    if let fuel = car.fuelAmount { decimal(fuel, places: 2) } else { null() }
    endObject()
  }
}
