/// The members that a line of an import omits. A merge does not change them in existing rows.
package struct AbsentMembers: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  // Members of an item.

  /// The item's kind: thing or car.
  package static let kind = AbsentMembers(rawValue: 1)
  package static let name = AbsentMembers(rawValue: 1 << 1)
  package static let serialNumber = AbsentMembers(rawValue: 1 << 2)
  package static let value = AbsentMembers(rawValue: 1 << 3)
  package static let quantity = AbsentMembers(rawValue: 1 << 4)
  package static let notes = AbsentMembers(rawValue: 1 << 5)
  package static let tags = AbsentMembers(rawValue: 1 << 6)
  package static let fields = AbsentMembers(rawValue: 1 << 7)
  package static let make = AbsentMembers(rawValue: 1 << 8)
  package static let model = AbsentMembers(rawValue: 1 << 9)
  package static let year = AbsentMembers(rawValue: 1 << 10)
  package static let fuelAmount = AbsentMembers(rawValue: 1 << 11)

  // Members of a list. The title is always given.

  package static let itemKind = AbsentMembers(rawValue: 1 << 12)
  package static let sentinelText = AbsentMembers(rawValue: 1 << 13)
  package static let sentinelVisible = AbsentMembers(rawValue: 1 << 14)
  package static let deleteLabel = AbsentMembers(rawValue: 1 << 15)
  package static let addPermission = AbsentMembers(rawValue: 1 << 16)
  package static let editPermission = AbsentMembers(rawValue: 1 << 17)
  package static let movePermission = AbsentMembers(rawValue: 1 << 18)
  package static let deletePermission = AbsentMembers(rawValue: 1 << 19)

  /// The names of the members in a line, from the outermost on.
  package static let paths: [(path: [String], member: AbsentMembers)] = [
    (["kind"], .kind), (["name"], .name), (["serialNumber"], .serialNumber),
    (["valueInDollars"], .value), (["quantity"], .quantity), (["notes"], .notes),
    (["tags"], .tags), (["fields"], .fields), (["car", "make"], .make), (["car", "model"], .model),
    (["car", "year"], .year), (["car", "fuelAmount"], .fuelAmount), (["itemKind"], .itemKind),
    (["deleteLabel"], .deleteLabel), (["sentinel", "text"], .sentinelText),
    (["sentinel", "visible"], .sentinelVisible), (["permissions", "add"], .addPermission),
    (["permissions", "edit"], .editPermission), (["permissions", "move"], .movePermission),
    (["permissions", "delete"], .deletePermission),
  ]

  fileprivate static let permissions: [(member: AbsentMembers, permission: Permissions)] = [
    (.addPermission, .add), (.editPermission, .edit), (.movePermission, .move),
    (.deletePermission, .delete),
  ]
}

extension TransferredItem {
  /// The item, with omitted members taken from `present`.
  package func filled(from present: ItemDetails) -> TransferredItem {
    guard !absent.isEmpty else { return self }
    var result = self
    if absent.contains(.name) { result.details.name = present.name }
    if absent.contains(.serialNumber) { result.details.serialNumber = present.serialNumber }
    if absent.contains(.value) { result.details.value = present.value }
    if absent.contains(.quantity) { result.details.quantity = present.quantity }
    if absent.contains(.notes) { result.details.notes = present.notes }
    if absent.contains(.tags) { result.details.tags = present.tags }
    if absent.contains(.fields) { result.details.fields = present.fields }
    if case .car(let old) = present.subject {
      if case .car(var car) = details.subject {
        if absent.contains(.make) { car.make = old.make }
        if absent.contains(.model) { car.model = old.model }
        if absent.contains(.year) { car.year = old.year }
        if absent.contains(.fuelAmount) { car.fuelAmount = old.fuelAmount }
        result.details.subject = .car(car)
      } else if absent.contains(.kind) {
        result.details.subject = present.subject
      }
    }
    return result
  }
}

extension TransferredList {
  /// The list, with omitted members taken from `present`.
  package func filled(from present: ListDetails) -> TransferredList {
    guard !absent.isEmpty else { return self }
    var result = self
    if absent.contains(.itemKind) { result.details.itemKind = present.itemKind }
    if absent.contains(.sentinelText) { result.details.sentinel.text = present.sentinel.text }
    if absent.contains(.sentinelVisible) {
      result.details.sentinel.isVisible = present.sentinel.isVisible
    }
    if absent.contains(.deleteLabel) { result.details.deleteLabel = present.deleteLabel }
    for (member, permission) in AbsentMembers.permissions where absent.contains(member) {
      if present.permissions.contains(permission) {
        result.details.permissions.insert(permission)
      } else {
        result.details.permissions.remove(permission)
      }
    }
    return result
  }
}
