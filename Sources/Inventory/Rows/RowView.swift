/// A view of a list's rows: filtered, sorted, or in sections. The list's own order does not change.
package struct RowView: Sendable, Hashable {
  /// Nil: the list's own order.
  package var sort: SortOrder?
  package var members: Members
  /// Selects rows whose title, name, serial number or tag contains this. Ignores letter case and diacritics.
  package var text: String?
  /// Items with a value above this amount, and lists with a total above it, form the first section. All other rows form
  /// the second.
  package var threshold: Cents?
  package var window: PageWindow

  package init(
    sort: SortOrder? = nil, members: Members = .all, text: String? = nil, threshold: Cents? = nil,
    window: PageWindow = PageWindow()
  ) {
    self.sort = sort
    self.members = members
    self.text = text
    self.threshold = threshold
    self.window = window
  }

  /// The types of rows to include.
  package enum Members: Sendable, Hashable, CaseIterable {
    case all, lists, items
    /// Rows that can be entered: lists, and items with contents.
    case containers

    package func includes(isList: Bool, hasContents: Bool) -> Bool {
      switch self {
      case .all: true
      case .lists: isList
      case .items: !isList
      case .containers: isList || hasContents
      }
    }
  }

  /// Whether the same revision of the list always gives the same view. A view sorted by the time of the last update
  /// does not, because an edit can change that time without a new revision of the list.
  package var followsRevision: Bool { sort?.key != .updatedAt }
}

extension RowView {
  /// The order of a view: `places[i]` is the row at place i. Also the number of rows in the first section.
  ///
  /// - Parameters:
  ///   - sorted: the sort value of each row; ignored without `sort`.
  ///   - worth: the worth of each row; ignored without `threshold`.
  package func order(
    of count: Int, sorted: [SortValue], worth: [SortValue]
  ) -> (places: [Int], firstSection: Int) {
    let places = sort?.permutation(of: sorted) ?? Array(0..<count)
    guard let threshold else { return (places, 0) }
    func isAbove(_ place: Int) -> Bool {
      if case .number(let amount) = worth[place] {
        amount > Int128(threshold.amount)
      } else {
        false
      }
    }
    let first = places.filter(isAbove)
    return (first + places.filter { !isAbove($0) }, first.count)
  }
}

/// A page of a view.
package struct PageOfRows: Sendable, Equatable {
  package var list: List
  /// The number of rows in the view.
  package var matched: Int
  /// The number of rows in the first section; 0 without sections.
  package var firstSection: Int
  /// The place of the page's first row in the view; `matched` if the page is empty.
  package var first: Int
  /// The rows, with their indices in the list.
  package var rows: [Row]

  package init(list: List, matched: Int, firstSection: Int, first: Int, rows: [Row]) {
    self.list = list
    self.matched = matched
    self.firstSection = firstSection
    self.first = first
    self.rows = rows
  }
}
