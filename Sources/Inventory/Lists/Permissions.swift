/// What a list lets be done to its rows; the store enforces it.
package struct Permissions: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// New rows, and rows moved in from another list.
  package static let add = Permissions(rawValue: 1)
  /// Its rows' own fields, a sublist's title too.
  package static let edit = Permissions(rawValue: 2)
  /// Its rows, within it and out of it.
  package static let move = Permissions(rawValue: 4)
  /// Its rows.
  package static let delete = Permissions(rawValue: 8)

  package static let all: Permissions = [.add, .edit, .move, .delete]
}
