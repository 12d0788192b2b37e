/// The changes that a line of a table makes to an item.
package struct ItemPatch: Sendable {
  /// The kind of a new item; a thing if nil. An existing item keeps its kind.
  package var kind: ItemKind?
  /// The values of the fields that the line gives, where nil clears a field. They are a car's details, because only
  /// these have every field.
  package private(set) var details = ItemDetails(subject: .car(Car()))
  private var given: Set<ItemField> = []
  /// Used if the line gives no name.
  package var fallbackName: FallbackName?
  /// Changes of single custom fields, applied after the others.
  package var fieldsEdit: FieldsEdit?

  package init() {}

  /// Gives a field a value.
  package mutating func give(_ field: ItemField, _ change: (inout ItemDetails) -> Void) {
    given.insert(field)
    change(&details)
  }

  /// The details with the patch applied and trimmed, and the rules that the patch itself breaks.
  ///
  /// - Parameter details: nil for a new item.
  /// - Throws: `storageFailed` if custom fields cannot be read.
  package func applied(
    to details: ItemDetails?
  ) throws(InventoryError) -> (details: ItemDetails, fieldErrors: [FieldError]) {
    let present = details ?? ItemDetails(subject: kind == .car ? .car(Car()) : .thing)
    var found = fieldErrors(of: present.kind, isNew: details == nil)
    var result = self.details
    result.fill(ItemField.allCases.filter { !given.contains($0) }, from: present)
    if let fallbackName, self.details.name == nil {
      result.name = try fallbackName.name(of: details)
    }
    // An empty cell may mean an empty text or none, so it leaves an empty text as it is.
    for field in given where result[field] == .null && present[field] == .text("") {
      _ = result.set(field, to: .text(""))
    }
    if let fieldsEdit {
      let edited = try fieldsEdit.apply(result.fields)
      result.fields = edited.fields
      if edited.count > Limits.fieldCount {
        found.append(FieldError(["fields"], "Use at most \(Limits.fieldCount) custom fields."))
      }
    }
    return (result.normalized(), found)
  }

  private func fieldErrors(of kind: ItemKind, isNew: Bool) -> [FieldError] {
    var found: [FieldError] = []
    if let given = self.kind, given != kind {
      found.append(
        FieldError(["kind"], "The kind of an item never changes. It is \(kind.rawValue)."))
    }
    if kind == .thing,
      let field = ItemField.allCases.first(where: { $0.isCars && details[$0] != .null })
    {
      found.append(
        FieldError(
          field.path,
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

/// An item to create or change, from a line of a table.
package struct ItemUpsert: Sendable {
  package var line: Int
  /// The id of an existing item of the list, or of a new one.
  package var id: ItemID?
  /// The id of a new item without an `id`.
  package var newID: ItemID
  package var patch: ItemPatch
  /// Identifies the item of a line without an id, if exactly one item of the list has this reference.
  package var reference: ItemReference?
  /// The custom field of the reference; without a reference, the first one in which the table has any. The serial
  /// number does not identify an item that has another reference in this field.
  package var referenceField: String?
  /// Whether the serial number may identify an item. It does so only for a line without an id, if the reference
  /// identifies no item and exactly one item has the serial number.
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
    guard id == nil, matchesSerialNumber, let text = patch.details.serialNumber else { return nil }
    let trimmed = TextRules.trimmed(text)
    return trimmed.isEmpty ? nil : trimmed
  }
}

/// The value of a custom field by which another product identifies an item.
package struct ItemReference: Sendable, Hashable {
  package let field: String
  @ByteExact package private(set) var value: String

  /// - Parameter text: the field's text, without white space at its ends. Of an address, only the UUID at its end
  ///   counts, because the other product's server can get another name.
  package init(field: String, value text: String) {
    self.field = field
    value = Self.id(endOf: text) ?? text
  }

  /// The UUID at the end of an address such as `https://homebox.example/item/UUID`; nil for other texts.
  package static func id(endOf address: String) -> String? {
    let end = address.suffix(37)
    guard end.first == "/" else { return nil }
    return ItemID(text: String(end.dropFirst()))?.description
  }
}

/// Sets and clears single custom fields of an item. The others stay as they are.
package struct FieldsEdit: Sendable {
  /// The approximate number of bytes of text that it sets.
  package let textSize: Int
  /// Returns the fields after the edit, and their number.
  ///
  /// - Throws: `storageFailed` if the present fields cannot be read.
  package let apply: Application

  package typealias Application =
    @Sendable (CustomFields) throws(InventoryError) -> (fields: CustomFields, count: Int)

  package init(textSize: Int, apply: @escaping Application) {
    self.textSize = textSize
    self.apply = apply
  }
}
