/// One step of the path from the root down to a list or an item.
package struct PathStep: Sendable, Equatable {
  package let id: RowID
  package let title: String
  package let isList: Bool

  package init(id: RowID, title: String, isList: Bool) {
    self.id = id
    self.title = title
    self.isList = isList
  }
}

/// The position of a list or an item in the tree.
package struct Place: Sendable, Equatable {
  /// The list that it is a row of; nil, like `index`, for the root list and contents lists.
  package var listID: ListID?
  package var index: RowIndex?
  /// The path from the root down to it, both included.
  package var path: [PathStep]

  package init(listID: ListID?, index: RowIndex?, path: [PathStep]) {
    self.listID = listID
    self.index = index
    self.path = path
  }

  /// The root list is on level 1.
  package var level: Int { path.count }
}
