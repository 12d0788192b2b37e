/// The changes that a line of a table makes to an item: nil leaves a field as it is, `.clear` empties it.
package struct ItemPatch: Sendable {
  package enum Field<Value: Sendable & Equatable>: Sendable, Equatable {
    case clear
    case set(Value)

    var value: Value? {
      switch self {
      case .clear: nil
      case .set(let value): value
      }
    }
  }

  /// The kind of a new item; a thing if nil. An existing item keeps its kind.
  package var kind: ItemKind?
  package var name: Field<String>?
  /// Used if `name` sets none.
  package var fallbackName: FallbackName?
  package var serialNumber: Field<String>?
  package var value: Field<Cents>?
  package var quantity: Field<Int64>?
  package var notes: Field<String>?
  package var tags: Field<[String]>?
  /// All custom fields.
  package var fields: Field<CustomFields>?
  /// Single custom fields, applied after `fields`.
  package var fieldsEdit: FieldsEdit?
  package var make: Field<String>?
  package var model: Field<String>?
  package var year: Field<Int>?
  package var fuelAmount: Field<Int64>?

  package init() {}

  /// The car fields that it sets.
  private var carFields: [String] {
    [
      ("make", make?.value != nil), ("model", model?.value != nil), ("year", year?.value != nil),
      ("fuelAmount", fuelAmount?.value != nil),
    ].filter(\.1).map(\.0)
  }

  /// The details with the patch applied and trimmed, and the rules that the patch itself breaks.
  ///
  /// - Parameter details: nil for a new item.
  /// - Throws: `storageFailed` if custom fields cannot be read.
  package func applied(
    to details: ItemDetails?
  ) throws(InventoryError) -> (details: ItemDetails, fieldErrors: [FieldError]) {
    var result = details ?? ItemDetails(subject: kind == .car ? .car(Car()) : .thing)
    var found = fieldErrors(of: result.kind, isNew: details == nil)
    if let fallbackName, name?.value == nil {
      result.name = try fallbackName.name(of: details)
    } else if let name {
      result.name = name.text(instead: result.name)
    }
    if let serialNumber { result.serialNumber = serialNumber.text(instead: result.serialNumber) }
    if let value { result.value = value.value }
    if let quantity { result.quantity = quantity.value ?? 1 }
    if let notes { result.notes = notes.text(instead: result.notes) }
    if let tags { result.tags = tags.value ?? [] }
    if let fields { result.fields = fields.value ?? .none }
    if let fieldsEdit {
      let edited = try fieldsEdit.apply(result.fields)
      result.fields = edited.fields
      if edited.count > Limits.fieldCount {
        found.append(FieldError(["fields"], "Use at most \(Limits.fieldCount) custom fields."))
      }
    }
    if case .car(var car) = result.subject {
      if let make { car.make = make.value }
      if let model { car.model = model.value }
      if let year { car.year = year.value }
      if let fuelAmount { car.fuelAmount = fuelAmount.value }
      result.subject = .car(car)
    }
    return (result.normalized(), found)
  }

  private func fieldErrors(of kind: ItemKind, isNew: Bool) -> [FieldError] {
    var found: [FieldError] = []
    if let given = self.kind, given != kind {
      found.append(
        FieldError(["kind"], "The kind of an item never changes. It is \(kind.rawValue)."))
    }
    if kind == .thing, let field = carFields.first {
      found.append(
        FieldError(
          ["car", field],
          "Only a car has make, model, year and fuelAmount. "
            + (isNew ? "Enter car as its kind." : "This item is a thing.")))
    }
    return found
  }
}

/// The name of an item that has no other name, such as its model.
package struct FallbackName: Sendable {
  package let text: String
  /// The text that the same columns gave before, read from custom fields; nil if none.
  private let previous: @Sendable (CustomFields) throws(InventoryError) -> String?

  package init(
    _ text: String, previous: @escaping @Sendable (CustomFields) throws(InventoryError) -> String?
  ) {
    self.text = text
    self.previous = previous
  }

  /// The name of a new item, or of one whose name came from these columns. Other items keep their name.
  fileprivate func name(of details: ItemDetails?) throws(InventoryError) -> String? {
    guard let details, let name = details.name, !name.isEmpty else { return text }
    let previous = try self.previous(details.fields).map(TextRules.trimmed)
    return previous == name ? text : name
  }
}

extension ItemPatch.Field<String> {
  /// An empty cell may mean an empty text or none, so it leaves an empty text as it is.
  fileprivate func text(instead present: String?) -> String? {
    value ?? (present?.isEmpty == true ? present : nil)
  }
}

/// An item to create or change, from a line of a table.
package struct ItemUpsert: Sendable {
  package var line: Int
  /// The id of an existing item of the list, or of a new one.
  package var id: ItemID?
  /// The id of a new item without an `id`.
  package var newID: ItemID
  package var patch: ItemPatch
  /// Identifies an item without an id, if only one item of the list has it.
  package var reference: ItemReference?
  /// The custom field of references in the table. The serial number does not identify an item with another reference.
  package var referenceField: String?
  /// Whether the serial number may identify an item, if only one has it and neither id nor reference does.
  package var matchesSerialNumber = true
  /// The titles of lists for a new item, from right below the list on down. Missing lists are created.
  package var rooms: [String]

  package init(
    line: Int, id: ItemID?, newID: ItemID, patch: ItemPatch, reference: ItemReference? = nil,
    referenceField: String? = nil, rooms: [String] = []
  ) {
    self.reference = reference
    self.referenceField = referenceField
    self.rooms = rooms
    self.line = line
    self.id = id
    self.newID = newID
    self.patch = patch
  }

  /// The serial number to look the item up by; nil if it identifies none.
  package var serialNumber: String? {
    guard id == nil, matchesSerialNumber, case .set(let text)? = patch.serialNumber else {
      return nil
    }
    let trimmed = TextRules.trimmed(text)
    return trimmed.isEmpty ? nil : trimmed
  }
}

/// The value of a custom field by which another product identifies an item.
package struct ItemReference: Sendable, Hashable {
  package var field: String
  package var value: String

  package init(field: String, value: String) {
    self.field = field
    self.value = value
  }
}
