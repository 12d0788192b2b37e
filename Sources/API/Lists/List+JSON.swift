import Inventory
import JSON

extension JSONWriter {
  mutating func listMembers(_ list: List, for context: ResponseContext) {
    let details = list.details
    member("id", list.id)
    member("parentId", list.parentID)
    member("itemId", list.itemID)
    member("title", details.title)
    member("itemKind", details.itemKind.rawValue)
    member("rowCount", list.rowCount)
    member("totalValueInDollars", list.total)
    permissions("permissions", details.permissions)
    permissions("can", list.permissions(for: context.caller.role))
    sentinel(details.sentinel, in: context.language)
    member("deleteLabel", details.deleteLabel ?? context.language.texts.deleteLabel)
    member("glyph", details.glyph)
    member("colour", details.colour?.rawValue)
    member("dir", context.language.texts.direction.rawValue)
    member("revision", list.revision.number)
    member("createdAt", list.createdAt)
    member("updatedAt", list.updatedAt)
  }

  mutating func permissions(_ name: StaticString, _ permissions: Permissions) {
    object(name) { writer in
      writer.member("add", permissions.contains(.add))
      writer.member("edit", permissions.contains(.edit))
      writer.member("move", permissions.contains(.move))
      writer.member("delete", permissions.contains(.delete))
    }
  }

  /// Writes the sentinel's text and whether it is shown.
  mutating func sentinel(_ sentinel: Sentinel, in language: Language) {
    object("sentinel") { writer in
      writer.member("text", sentinel.text ?? language.texts.sentinel)
      writer.member("visible", sentinel.isVisible)
    }
  }

  /// Writes the path from the root list to a list or an item.
  mutating func path(_ name: StaticString, _ steps: [PathStep]) {
    objects(name, steps) { $0.stepMembers($1) }
  }

  mutating func stepMembers(_ step: PathStep) {
    member("id", step.id)
    member("title", step.title)
    member("type", step.isList ? "list" : "item")
  }
}

extension ListDetails {
  static let writable = [
    "title", "itemKind", "permissions", "sentinel", "deleteLabel", "glyph", "colour",
  ]
  /// Members of responses that writes ignore.
  static let readOnly = [
    "id", "parentId", "itemId", "rowCount", "totalValueInDollars", "can", "revision", "createdAt",
    "updatedAt", "subtree", "level", "index", "receipt", "dir",
  ]
  static let sentinelMembers = ["text", "visible"]

  /// Parses the details from a body's members and trims them. Omitted members get their defaults.
  ///
  /// - Parameter isPart: whether the title may be omitted.
  init(_ members: Members, isPart: Bool = false) {
    let omitsTitle = isPart && !members.isGiven("title")
    let title = members.text("title", missing: omitsTitle ? nil : "Enter a title.")
    self.init(title: title ?? "", itemKind: members.choice("itemKind") ?? .any)
    if let given = members.members("permissions", known: Permissions.named.map(\.name)) {
      for (name, permission) in Permissions.named where !given.flag(name, default: true) {
        permissions.remove(permission)
      }
    }
    if let given = members.members("sentinel", known: Self.sentinelMembers) {
      sentinel = Sentinel(
        text: given.text("text"), isVisible: given.flag("visible", default: true))
    }
    deleteLabel = members.text("deleteLabel")
    glyph = members.text("glyph")
    colour = members.choice("colour")
    self = normalized()
    members.faults.note(fieldErrors(isPart: omitsTitle))
  }

  /// The details as JSON, for a merge patch.
  var json: JSONObject {
    let permissions = JSONObject(
      Permissions.named.map { ($0.name, .bool(self.permissions.contains($0.permission))) })
    return JSONObject([
      ("title", .string(title)),
      ("itemKind", .string(itemKind.rawValue)),
      ("permissions", .object(permissions)),
      (
        "sentinel",
        [
          "text": sentinel.text.map(JSONValue.string) ?? .null,
          "visible": .bool(sentinel.isVisible),
        ]
      ),
      ("deleteLabel", deleteLabel.map(JSONValue.string) ?? .null),
      ("glyph", glyph.map(JSONValue.string) ?? .null),
      ("colour", colour.map { .string($0.rawValue) } ?? .null),
    ])
  }

  /// The details with a merge patch (RFC 7396) applied.
  ///
  /// A default text stays unset if the patch repeats it in any language: a client that sends back what it read must not
  /// fix the text for readers of other languages.
  ///
  /// - Throws: `invalid`.
  func patched(by patch: JSONObject) throws(InventoryError) -> ListDetails {
    try FieldErrors.checked { patched(by: patch, $0) }
  }

  private func patched(by patch: JSONObject, _ faults: FieldErrors) -> ListDetails {
    let result = MergePatch.apply(.object(patch), to: .object(json))
    guard case .object(let merged) = result else { return self }
    let members = Members(merged, known: Self.writable, readOnly: Self.readOnly, faults)
    var details = ListDetails(members)
    let languages = Language.allCases.map(\.texts)
    if sentinel.text == nil, languages.contains(where: { details.sentinel.text == $0.sentinel }) {
      details.sentinel.text = nil
    }
    if deleteLabel == nil, languages.contains(where: { details.deleteLabel == $0.deleteLabel }) {
      details.deleteLabel = nil
    }
    return details
  }

  /// Adds the errors of a patch that do not depend on the list.
  static func check(patch: JSONObject, _ faults: FieldErrors) {
    // Checked before the merge, which drops null members.
    let members = Members(patch, known: writable, readOnly: readOnly, faults)
    _ = members.members("permissions", known: Permissions.named.map(\.name))
    _ = members.members("sentinel", known: sentinelMembers)
    _ = ListDetails(title: "-").patched(by: patch, faults)
  }
}

extension Permissions {
  /// Each permission with its JSON name, in the order of the resource's members.
  static let named: [(name: String, permission: Permissions)] = [
    ("add", .add), ("edit", .edit), ("move", .move), ("delete", .delete),
  ]
}
