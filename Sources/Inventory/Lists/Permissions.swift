/// The permitted changes of a list's rows. The store enforces them.
package struct Permissions: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Adding rows, and moving rows in from another list.
  package static let add = Permissions(rawValue: 1)
  /// Editing the rows' own fields, including the titles of sublists.
  package static let edit = Permissions(rawValue: 2)
  /// Moving rows within the list and out of it.
  package static let move = Permissions(rawValue: 4)
  /// Deleting rows.
  package static let delete = Permissions(rawValue: 8)

  package static let all: Permissions = [.add, .edit, .move, .delete]
}
