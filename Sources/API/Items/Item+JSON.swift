import FoundationEssentials
import Inventory
import JSON

extension JSONWriter {
  mutating func itemMembers(_ item: Item) {
    member("id", item.id)
    member("listId", item.listID)
    detailMembers(item.details)
    member("contentsListId", item.contentsListID)
    array("photos", item.photos) { $0.id($1) }
    member("revision", item.revision.number)
    member("createdAt", item.createdAt)
    member("updatedAt", item.updatedAt)
  }

  /// Writes the members that people edit.
  mutating func detailMembers(_ details: ItemDetails) {
    member("kind", details.kind.rawValue)
    member("name", details.name)
    member("serialNumber", details.serialNumber)
    member("valueInDollars", details.value)
    member("quantity", details.quantity)
    member("notes", details.notes)
    array("tags", details.tags) { $0.string($1) }
    key("fields")
    raw(Array(details.fields.json.utf8))
    object("car", details.car) { writer, car in
      writer.member("make", car.make)
      writer.member("model", car.model)
      writer.member("year", car.year)
      writer.key("fuelAmount")
      if let fuel = car.fuelAmount { writer.decimal(fuel, places: 2) } else { writer.null() }
    }
  }
}

extension ItemDetails {
  static let writable = [
    "kind", "name", "serialNumber", "valueInDollars", "quantity", "notes", "tags", "fields", "car",
  ]
  /// Members of responses that writes ignore.
  static let readOnly = [
    "id", "listId", "contentsListId", "photos", "revision", "createdAt", "updatedAt", "index",
    "receipt",
  ]
  static let carMembers = ["make", "model", "year", "fuelAmount"]

  /// Parses the details from a body's members and trims them. Omitted members get their defaults.
  ///
  /// - Parameters:
  ///   - kind: the item's kind. Nil for a new item: a car if it has the member `car`, else a thing.
  ///   - isPart: whether the name may be omitted.
  init(_ members: Members, kind: ItemKind?, isPart: Bool = false) {
    let hasCar = if case .object = members["car"] { true } else { false }
    let given: ItemKind? = members.choice("kind")
    if let kind, let given, kind != given {
      members.note("kind", "The kind of an item never changes. It is \(kind.rawValue).")
    }
    let car = members.members("car", known: Self.carMembers)
    // A given kind wins, so that a wrong kind causes one error instead of several.
    switch given ?? kind ?? (hasCar ? .car : .thing) {
    case .thing:
      if hasCar { members.note("car", "Only a car has these members.") }
      self.init(subject: .thing)
    case .car:
      self.init(
        subject: .car(
          Car(
            make: car?.text("make"), model: car?.text("model"),
            year: car?.whole("year").map(Int.init), fuelAmount: car?.hundredths("fuelAmount"))))
    }
    name = members.text("name")
    serialNumber = members.text("serialNumber")
    value = members.hundredths("valueInDollars").map(Cents.init)
    quantity = members.whole("quantity") ?? 1
    notes = members.text("notes")
    let givenTags = members.array("tags", of: "a string", \.text) ?? []
    tags = givenTags.map(\.element)
    if let object = members.object("fields") {
      if object.count > Limits.fieldCount {
        members.note("fields", "Use at most \(Limits.fieldCount) custom fields.")
      }
      fields = CustomFields(object)
    }
    self = normalized()
    let omitsName = isPart && !members.isGiven("name")
    let year = Timestamp(WallClock.now).year
    members.faults.note(
      fieldErrors(currentYear: year, isPart: omitsName).map { violation in
        // Tags that are not strings were dropped, so the others' indices have shifted.
        guard violation.path.first == "tags", violation.path.count == 2,
          let number = Int(violation.path[1])
        else { return violation }
        return FieldError(["tags", String(givenTags[number].index)], violation.detail)
      })
  }

  /// The details as JSON, for a merge patch.
  private func json(withKind: Bool = true, fields: JSONValue) -> JSONObject {
    func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }
    var object = JSONObject()
    if withKind { object.set("kind", to: .string(kind.rawValue)) }
    object.set("name", to: text(name))
    object.set("serialNumber", to: text(serialNumber))
    object.set("valueInDollars", to: .hundredths(value?.amount))
    object.set("quantity", to: .number(JSONNumber(quantity)))
    object.set("notes", to: text(notes))
    object.set("tags", to: .array(tags.map(JSONValue.string)))
    object.set("fields", to: fields)
    if case .car(let car) = subject {
      object.set(
        "car",
        to: [
          "make": text(car.make), "model": text(car.model),
          "year": car.year.map { .number(JSONNumber(Int64($0))) } ?? .null,
          "fuelAmount": .hundredths(car.fuelAmount),
        ])
    }
    return object
  }

  /// The details as JSON.
  ///
  /// - Throws: `storageFailed` if the stored custom fields cannot be parsed.
  func json() throws(InventoryError) -> JSONObject { json(fields: try fields.value()) }

  /// The details with a merge patch (RFC 7396) applied. A custom field that is null stays if the patch has null, so
  /// that a client can send back what it read.
  ///
  /// - Throws: `invalid`; `storageFailed` if the stored custom fields cannot be parsed.
  func patched(by patch: JSONObject) throws(InventoryError) -> ItemDetails {
    let present = try json()
    return try FieldErrors.checked { patched(by: patch, kind: kind, present, $0) }
  }

  private func patched(
    by patch: JSONObject, kind: ItemKind?, _ present: JSONObject, _ faults: FieldErrors
  ) -> ItemDetails {
    let result = MergePatch.apply(.object(patch), to: .object(present), keepsNulls: true)
    guard case .object(let merged) = result else { return self }
    let members = Members(merged, known: Self.writable, readOnly: Self.readOnly, faults)
    return ItemDetails(members, kind: kind)
  }

  /// Adds the errors of a patch that do not depend on the item.
  static func check(patch: JSONObject, _ faults: FieldErrors) {
    // Checked before the merge, which drops null members.
    let members = Members(patch, known: writable, readOnly: readOnly, faults)
    _ = members.members("car", known: carMembers)
    // A car accepts every member of a thing, so the patch is checked as a car's unless it says "thing".
    let isThing = patch["kind"] == .string(ItemKind.thing.rawValue)
    let sample = ItemDetails(
      subject: isThing ? .thing : .car(Car(make: "-", model: "-")), name: "-")
    _ = sample.patched(by: patch, kind: nil, sample.json(withKind: false, fields: [:]), faults)
  }
}

extension CustomFields {
  /// The object as compact JSON. Keeps the order of members and the text of numbers.
  init(_ object: JSONObject) {
    self.init(
      json: String(decoding: JSONWriter.bytes { $0.value(.object(object)) }, as: UTF8.self))
  }

  /// The stored fields, to any depth: a lower limit set later must not make them unreadable.
  ///
  /// - Throws: `storageFailed` if they cannot be parsed.
  func value() throws(InventoryError) -> JSONValue {
    do throws(JSONSyntaxError) {
      return try JSONReader.parse(Array(json.utf8), maximumDepth: JSONReader.deepest)
    } catch {
      throw .storageFailed("Custom fields that are kept are no JSON: \(error.reason.sentence)")
    }
  }
}

extension JSONValue {
  /// An amount in hundredths as a decimal number; null for nil.
  static func hundredths(_ amount: Int64?) -> JSONValue {
    guard let amount else { return .null }
    return (try? JSONReader.parse(JSONWriter.bytes { $0.decimal(amount, places: 2) })) ?? .null
  }
}
