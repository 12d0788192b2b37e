import Foundation

/// The members that an item shares with the summary in its row.
protocol OfflineItem {
  var kind: Item.Kind { get }
  var name: String? { get set }
  var serialNumber: String? { get set }
  var valueInDollars: Decimal? { get set }
  var quantity: Int { get set }
  var tags: [String] { get set }
  var car: Car? { get set }
}

extension Item: OfflineItem {}
extension ItemSummary: OfflineItem {}

extension OfflineItem {
  /// The title of the item's row.
  var rowTitle: String {
    let words = [car?.year.map(String.init), car?.make, car?.model].compactMap(\.self)
    return words.isEmpty ? name ?? "" : words.joined(separator: " ")
  }

  /// Sets the members of a merge patch (RFC 7396).
  ///
  /// - Parameter started: The values that the edit began with. Nil for a new item.
  /// - Returns: False if the item cannot have them.
  @discardableResult
  mutating func patch(
    _ members: [String: JSONValue], from started: [String: JSONValue]? = nil
  ) -> Bool {
    if let car = members["car"], kind == .thing, car != .null { return false }
    for (member, value) in members {
      switch member {
      case "name": name = value.text
      case "serialNumber": serialNumber = value.text
      case "valueInDollars": valueInDollars = value.decimal
      case "quantity": quantity = value.int ?? 1
      case "tags":
        let wanted = value.elements.compactMap(\.text)
        tags = started.map { tags.merged(with: wanted, from: $0["tags"] ?? .null) } ?? wanted
      case "car": patchCar(value.members)
      default: break
      }
    }
    return true
  }

  private mutating func patchCar(_ members: [String: JSONValue]) {
    for (member, value) in members {
      switch member {
      case "make": car?.make = value.text
      case "model": car?.model = value.text
      case "year": car?.year = value.int
      case "fuelAmount": car?.fuelAmount = value.decimal
      default: break
      }
    }
  }
}

extension Item {
  /// A new item, in no list.
  ///
  /// - Parameter members: Those of a `createItem`. Nil without an id.
  init?(_ members: [String: JSONValue], at date: Date) {
    guard let id = members["id"]?.text else { return nil }
    let isCar = members["kind"]?.text == Kind.car.rawValue || !(members["car"] ?? .null).isNull
    self.init(
      id: ID(rawValue: id), listID: .root, kind: isCar ? .car : .thing, name: nil,
      serialNumber: nil, valueInDollars: nil, quantity: 1, notes: nil, tags: [], fields: [:],
      car: isCar ? Car() : nil, contentsListID: nil, photos: [], revision: 0, createdAt: date,
      updatedAt: date)
    patchAll(members)
  }

  /// Sets all members of a merge patch, also those that its row does not show.
  mutating func patchAll(
    _ members: [String: JSONValue], from started: [String: JSONValue]? = nil
  ) {
    guard patch(members, from: started) else { return }
    if let value = members["notes"] { notes = value.text }
    if let value = members["fields"] {
      fields = value.isNull ? [:] : JSONValue.object(fields).patched(by: value).members
    }
  }
}

extension ItemSummary {
  init(_ item: Item) {
    self.init(
      id: item.id, kind: item.kind, name: item.name, serialNumber: item.serialNumber,
      valueInDollars: item.valueInDollars, quantity: item.quantity, tags: item.tags, car: item.car,
      contentsListID: item.contentsListID, photo: item.photos.first)
  }
}

extension Rowhouse.List {
  /// A new list without rows.
  ///
  /// - Parameter members: Those of a `createList`. Nil without an id.
  init?(_ members: [String: JSONValue], at date: Date) {
    guard let id = members["id"]?.text else { return nil }
    self.init(
      id: ID(rawValue: id), parentID: nil, itemID: nil, title: "", itemKind: .any, rowCount: 0,
      totalValueInDollars: 0, permissions: Permissions(), can: Permissions(),
      sentinel: Self.defaultSentinel, deleteLabel: Self.defaultDeleteLabel, revision: 0,
      createdAt: date, updatedAt: date)
    patch(members)
  }

  // The server's texts in English. Those in the reader's language come with the list.
  private static let defaultSentinel = Sentinel(text: "No more items!")
  private static let defaultDeleteLabel = "Remove"

  /// Sets the members of a merge patch (RFC 7396).
  mutating func patch(_ members: [String: JSONValue]) {
    if let value = members["title"]?.text { title = value }
    if let value = members["itemKind"] {
      itemKind = value.text.flatMap(AcceptedKind.init) ?? .any
    }
    if let value = members["deleteLabel"] { deleteLabel = value.text ?? Self.defaultDeleteLabel }
    if let value = members["glyph"] { glyph = value.text }
    if let value = members["colour"] { colour = value.text.map(Colour.init) }
    for (member, value) in members["sentinel"]?.members ?? [:] {
      if member == "text" { sentinel.text = value.text ?? Self.defaultSentinel.text }
      if member == "visible" { sentinel.visible = value.bool ?? true }
    }
    for (member, value) in members["permissions"]?.members ?? [:] {
      let isPermitted = value.bool ?? true
      switch member {
      case "add": permissions.add = isPermitted
      case "edit": permissions.edit = isPermitted
      case "move": permissions.move = isPermitted
      case "delete": permissions.delete = isPermitted
      default: break
      }
    }
  }
}

extension ListSummary {
  /// Sets those members of a merge patch that a row shows.
  mutating func patch(_ members: [String: JSONValue]) {
    if let value = members["title"]?.text { title = value }
    if let value = members["glyph"] { glyph = value.text }
    if let value = members["colour"] { colour = value.text.map(Rowhouse.List.Colour.init) }
  }
}

extension JSONValue {
  var isNull: Bool { self == .null }
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  var decimal: Decimal? { if case .number(let number) = self { number } else { nil } }
  var int: Int? { decimal.map { NSDecimalNumber(decimal: $0).intValue } }
  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
  var members: [String: JSONValue] {
    if case .object(let members) = self { members } else { [:] }
  }

  /// The value after a merge patch (RFC 7396).
  func patched(by patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    var result = members
    for (member, change) in changes {
      result[member] = change.isNull ? nil : (result[member] ?? .null).patched(by: change)
    }
    return .object(result)
  }
}

extension [String] {
  /// The most tags of an item.
  private static let mostTags = 50

  /// Tags after an edit. As on the server, what others have added or removed since it began stays so.
  ///
  /// - Parameter before: The tags that the edit began with; null for none.
  fileprivate func merged(with wanted: [String], from before: JSONValue) -> [String] {
    let started = before.elements.compactMap(\.text)
    guard self != started else { return wanted }
    let left = filter { !started.contains($0) || wanted.contains($0) }
    let merged = left + wanted.filter { !started.contains($0) && !left.contains($0) }
    return merged.count <= Self.mostTags ? merged : wanted
  }
}
