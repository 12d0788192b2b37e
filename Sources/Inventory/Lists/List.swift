/// The kinds of items that a list accepts.
package enum AcceptedKind: String, Sendable, CaseIterable {
  case thing, car, any

  package func accepts(_ kind: ItemKind) -> Bool {
    switch self {
    case .any: true
    case .thing: kind == .thing
    case .car: kind == .car
    }
  }
}

/// The pinned last row of a list. It is not an item, and not stored among the rows.
package struct Sentinel: Sendable, Hashable {
  /// Nil: the default text in the reader's language.
  @ByteExact package var text: String?
  package var isVisible: Bool

  package init(text: String? = nil, isVisible: Bool = true) {
    self.text = text
    self.isVisible = isVisible
  }
}

/// The colours that a list can have. Each front end picks shades that suit its background.
package enum ListColour: String, Sendable, CaseIterable {
  case red, orange, yellow, green, teal, blue, purple, grey
}

/// The fields of a list that clients set.
package struct ListDetails: Sendable, Hashable {
  @ByteExact package var title: String
  package var itemKind: AcceptedKind
  package var permissions: Permissions
  package var sentinel: Sentinel
  /// The label of the button that deletes a row; nil: the default in the reader's language.
  @ByteExact package var deleteLabel: String?
  /// One character that front ends show beside the title, such as an emoji.
  @ByteExact package var glyph: String?
  package var colour: ListColour?

  package init(
    title: String, itemKind: AcceptedKind = .any, permissions: Permissions = .all,
    sentinel: Sentinel = Sentinel(), deleteLabel: String? = nil, glyph: String? = nil,
    colour: ListColour? = nil
  ) {
    self.title = title
    self.itemKind = itemKind
    self.permissions = permissions
    self.sentinel = sentinel
    self.deleteLabel = deleteLabel
    self.glyph = glyph
    self.colour = colour
  }
}

extension ListDetails {
  /// The details with their texts trimmed. A sentinel text or label of white space only becomes "".
  package func normalized() -> ListDetails {
    var result = self
    result.title = TextRules.trimmed(title)
    result.sentinel.text = sentinel.text.map(TextRules.trimmed)
    result.deleteLabel = deleteLabel.map(TextRules.trimmed)
    result.glyph = glyph.map(TextRules.trimmed)
    return result
  }

  /// The errors of all fields that break a rule of `Limits`.
  package var fieldErrors: [FieldError] { fieldErrors(isPart: false) }

  /// - Parameter isPart: whether the title is omitted, so that an existing list keeps its own. Then it is not checked.
  package func fieldErrors(isPart: Bool) -> [FieldError] {
    var found: [FieldError] = []
    if !isPart { found.check(title, ["title"], Limits.title) }
    found.check(sentinel.text, ["sentinel", "text"], 0...Limits.title.upperBound)
    found.check(deleteLabel, ["deleteLabel"], 1...Limits.shortText)
    if let glyph, !TextRules.isGlyph(glyph) {
      found.append(FieldError(["glyph"], "Enter one character, such as an emoji."))
    }
    return found
  }
}

/// A field of a list that clients set.
package enum ListField: String, Sendable, CaseIterable {
  case title, itemKind, permissions
  case sentinelText = "sentinel.text"
  case sentinelVisible = "sentinel.visible"
  case deleteLabel, glyph, colour
}

extension ListDetails: NamedFields {
  package subscript(_ field: ListField) -> FieldValue {
    switch field {
    case .title: .text(title)
    case .itemKind: .text(itemKind.rawValue)
    case .permissions: .integer(Int64(permissions.rawValue))
    case .sentinelText: FieldValue(sentinel.text)
    case .sentinelVisible: .integer(sentinel.isVisible ? 1 : 0)
    case .deleteLabel: FieldValue(deleteLabel)
    case .glyph: FieldValue(glyph)
    case .colour: FieldValue(colour?.rawValue)
    }
  }

  package mutating func set(_ field: ListField, to value: FieldValue) -> Bool {
    switch (field, value) {
    case (.title, .text(let text)): title = text
    case (.itemKind, .text(let text)):
      guard let kind = AcceptedKind(rawValue: text) else { return false }
      itemKind = kind
    case (.permissions, .integer(let bits)):
      permissions = Permissions(rawValue: UInt8(truncatingIfNeeded: bits))
    case (.sentinelText, _): sentinel.text = value.text
    case (.sentinelVisible, .integer(let flag)): sentinel.isVisible = flag != 0
    case (.deleteLabel, _): deleteLabel = value.text
    case (.glyph, _): glyph = value.text
    case (.colour, _): colour = value.text.flatMap(ListColour.init)
    case (.title, _), (.itemKind, _), (.permissions, _), (.sentinelVisible, _): return false
    }
    return true
  }
}

/// The fields of a list that a change touched.
package struct ListFields: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let title = ListFields(rawValue: 1)
  package static let itemKind = ListFields(rawValue: 2)
  package static let permissions = ListFields(rawValue: 4)
  package static let sentinel = ListFields(rawValue: 8)
  package static let deleteLabel = ListFields(rawValue: 16)
  /// The parent list, which `ListDetails` does not contain.
  package static let parent = ListFields(rawValue: 32)
  package static let glyph = ListFields(rawValue: 64)
  package static let colour = ListFields(rawValue: 128)

  /// The fields that the list's row shows too.
  package static let shownByRow: ListFields = [.title, .glyph, .colour]

  /// The fields in which two details differ; never `parent`.
  package init(between old: ListDetails, and new: ListDetails) {
    self = []
    if !old.title.hasBytes(of: new.title) { insert(.title) }
    if old.itemKind != new.itemKind { insert(.itemKind) }
    if old.permissions != new.permissions { insert(.permissions) }
    if old.sentinel != new.sentinel { insert(.sentinel) }
    if !old.deleteLabel.hasBytes(of: new.deleteLabel) { insert(.deleteLabel) }
    if !old.glyph.hasBytes(of: new.glyph) { insert(.glyph) }
    if old.colour != new.colour { insert(.colour) }
  }
}

/// A node that holds ordered rows: the root list, a row of another list, or an item's contents.
package struct List: Sendable, Equatable {
  package let id: ListID
  /// The list that it is a row of; nil for the root list (also a caller's own root) and for contents.
  package var parentID: ListID?
  /// The item whose contents it is.
  package var itemID: ItemID?
  package var details: ListDetails
  /// The number of rows, without the sentinel.
  package var rowCount: Int
  /// The sum of value × quantity over the list's own items.
  package var total: TotalCents
  package var revision: Revision
  package var createdAt: Timestamp
  package var updatedAt: Timestamp

  package init(
    id: ListID, parentID: ListID?, itemID: ItemID?, details: ListDetails, rowCount: Int,
    total: TotalCents, revision: Revision, createdAt: Timestamp, updatedAt: Timestamp
  ) {
    self.id = id
    self.parentID = parentID
    self.itemID = itemID
    self.details = details
    self.rowCount = rowCount
    self.total = total
    self.revision = revision
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// The permissions of callers with this role.
  package func permissions(for role: Role) -> Permissions {
    details.permissions.intersection(role.permissions)
  }
}
