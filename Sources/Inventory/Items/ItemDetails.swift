/// The fields of an item that clients set.
package struct ItemDetails: Sendable, Hashable {
  package var subject: ItemSubject
  /// Required for a thing.
  @ByteExact package var name: String?
  @ByteExact package var serialNumber: String?
  package var value: Cents?
  package var quantity: Int64
  @ByteExact package var notes: String?
  @ByteExact package var tags: [String]
  package var fields: CustomFields

  package init(
    subject: ItemSubject = .thing, name: String? = nil, serialNumber: String? = nil,
    value: Cents? = nil, quantity: Int64 = 1, notes: String? = nil, tags: [String] = [],
    fields: CustomFields = .none
  ) {
    self.subject = subject
    self.name = name
    self.serialNumber = serialNumber
    self.value = value
    self.quantity = quantity
    self.notes = notes
    self.tags = tags
    self.fields = fields
  }

  package var kind: ItemKind { subject.kind }

  /// The fields that only a car has; nil for a thing.
  package var car: Car? {
    get { if case .car(let car) = subject { car } else { nil } }
    set { subject = newValue.map(ItemSubject.car) ?? .thing }
  }

  /// The amount that the item adds to its list's total.
  package var total: TotalCents {
    TotalCents(Int128(value?.amount ?? 0) * Int128(quantity))
  }

  /// The large text of a row: a thing's name; a car's "year make model", or its name if it has none of them.
  package var title: String {
    guard let car else { return name ?? "" }
    let words = [car.year.map(String.init), car.make, car.model].compactMap { $0 }
    return words.isEmpty ? name ?? "" : words.joined(separator: " ")
  }

  /// The small text of a row.
  package var detail: String? { serialNumber }
}

extension ItemDetails {
  /// The details with one-line texts trimmed. Notes and custom fields stay as they are.
  package func normalized() -> ItemDetails {
    var result = self
    result.name = name.map(TextRules.trimmed)
    result.serialNumber = serialNumber.map(TextRules.trimmed)
    // Too many tags are refused later, so they are not worth trimming.
    if tags.count <= Limits.tagCount { result.tags = tags.map(TextRules.trimmed) }
    result.car?.make = car?.make.map(TextRules.trimmed)
    result.car?.model = car?.model.map(TextRules.trimmed)
    return result
  }

  /// The errors of all fields that break a rule of `Limits`.
  ///
  /// - Parameters:
  ///   - currentYear: the year that car years are compared with.
  ///   - isPart: whether the name is omitted, so that an existing item keeps its own. Then it is not required here.
  package func fieldErrors(currentYear: Int, isPart: Bool = false) -> [FieldError] {
    var found: [FieldError] = []
    func expect(_ isMet: Bool, _ path: [String], _ detail: String) {
      if !isMet { found.append(FieldError(path, detail)) }
    }

    found.check(name, ["name"], Limits.title)
    found.check(serialNumber, ["serialNumber"], 0...Limits.shortText)
    expect(
      value.map { Limits.value.contains($0.amount) } ?? true, ["valueInDollars"],
      "Enter an amount from 0 to 999,999,999,999.99.")
    expect(
      Limits.quantity.contains(quantity), ["quantity"], "Enter a quantity from 0 to 1,000,000,000.")
    expect(
      (notes?.utf8.count ?? 0) <= Limits.notes, ["notes"], "Use at most 65,536 bytes of UTF-8.")
    expect(tags.count <= Limits.tagCount, ["tags"], "Use at most 50 tags.")
    for (index, tag) in tags.prefix(Limits.tagCount).enumerated() {
      found.check(tag, ["tags", String(index)], Limits.tag)
    }
    if tags.count <= Limits.tagCount {
      expect(Set(tags).count == tags.count, ["tags"], "Use each tag once.")
    }
    expect(fields.json.utf8.count <= Limits.fields, ["fields"], "Use at most 16,384 bytes of JSON.")

    if case .car(let car) = subject {
      found.check(car.make, ["car", "make"], 1...Limits.shortText)
      found.check(car.model, ["car", "model"], 1...Limits.shortText)
      expect(
        car.year.map { (Limits.firstCarYear...currentYear + 1).contains($0) } ?? true,
        ["car", "year"], "Enter a year from 1885 to \(currentYear + 1).")
      expect(
        car.fuelAmount.map(Limits.fuelAmount.contains) ?? true, ["car", "fuelAmount"],
        "Enter 0 to 10,000 litres.")
    }
    if !isPart, let missingName { found.append(missingName) }
    return found
  }

  /// The error of an item without a name. The make, the model or the year of a car can be its name.
  package var missingName: FieldError? {
    guard name == nil else { return nil }
    switch subject {
    case .thing: return FieldError(["name"], "Enter a name.")
    case .car(let car):
      guard car.year == nil, car.make == nil, car.model == nil else { return nil }
      return FieldError(["car"], "Enter a make, a model, a year or a name.")
    }
  }
}

/// A field of an item that clients set.
package enum ItemField: String, Sendable, CaseIterable {
  case kind, name, serialNumber
  case value = "valueInDollars"
  case quantity, notes, tags, fields
  case make = "car.make"
  case model = "car.model"
  case year = "car.year"
  case fuelAmount = "car.fuelAmount"

  /// The names of its member, from the outermost on.
  package var path: [String] { rawValue.split(separator: ".").map(String.init) }
  package var isCars: Bool { rawValue.hasPrefix("car.") }
}

extension ItemDetails: NamedFields {
  package subscript(_ field: ItemField) -> FieldValue {
    switch field {
    case .kind: .text(kind.rawValue)
    case .name: FieldValue(name)
    case .serialNumber: FieldValue(serialNumber)
    case .value: FieldValue(value?.amount)
    case .quantity: .integer(quantity)
    case .notes: FieldValue(notes)
    // A tag has no line feed.
    case .tags: tags.isEmpty ? .null : .text(tags.joined(separator: "\n"))
    case .fields: .text(fields.json)
    case .make: FieldValue(car?.make)
    case .model: FieldValue(car?.model)
    case .year: FieldValue(car?.year.map(Int64.init))
    case .fuelAmount: FieldValue(car?.fuelAmount)
    }
  }

  package mutating func set(_ field: ItemField, to value: FieldValue) -> Bool {
    switch (field, value) {
    case (.kind, .text(let text)):
      guard let kind = ItemKind(rawValue: text) else { return false }
      car = kind == .car ? car ?? Car() : nil
    case (.name, _): name = value.text
    case (.serialNumber, _): serialNumber = value.text
    case (.value, _): self.value = value.integer.map { Cents($0) }
    case (.quantity, .integer(let number)): quantity = number
    case (.notes, _): notes = value.text
    case (.tags, _):
      let lines = value.text?.utf8.split(separator: UInt8(ascii: "\n")) ?? []
      tags = lines.map { String(Substring($0)) }
    case (.fields, .text(let json)): fields = CustomFields(json: json)
    case (.make, _): car?.make = value.text
    case (.model, _): car?.model = value.text
    case (.year, _): car?.year = value.integer.map { Int($0) }
    case (.fuelAmount, _): car?.fuelAmount = value.integer
    case (.kind, _), (.quantity, _), (.fields, _): return false
    }
    return car != nil || !field.isCars
  }
}
