/// A view of a list's rows: some of them, sorted, or in sections; the list's own order stays as it is.
package struct RowView: Sendable, Hashable {
  /// Nil: the list's own order.
  package var sort: SortOrder?
  package var members: Members
  /// Only rows whose title, name, serial number or a tag holds this, letter case and diacritics no
  /// matter.
  package var text: String?
  /// The rows worth more than this come first, as a section; the rest is another.
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

  /// Which rows it has.
  package enum Members: Sendable, Hashable, CaseIterable {
    case all, lists, items
    /// What one can enter: lists, and items that hold contents.
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

  /// Whether the list's revision tells whether the view has changed: rows do not show their last
  /// update, which is sorted by all the same.
  package var followsRevision: Bool { sort?.key != .updatedAt }
}

extension RowView {
  /// The order of rows with these values, and how many of them the first section has: place i of the
  /// view goes to what stands at `places[i]`.
  ///
  /// - Parameters:
  ///   - sorted: what each is sorted by; not looked at without `sort`.
  ///   - worth: what each is worth; not looked at without `threshold`.
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
  /// How many rows the view has.
  package var matched: Int
  /// How many of them are in the first section; 0 without sections.
  package var firstSection: Int
  /// The place in the view of the page's first row; `matched` where the page is empty.
  package var first: Int
  /// With their indices in the list.
  package var rows: [Row]

  package init(list: List, matched: Int, firstSection: Int, first: Int, rows: [Row]) {
    self.list = list
    self.matched = matched
    self.firstSection = firstSection
    self.first = first
    self.rows = rows
  }
}
