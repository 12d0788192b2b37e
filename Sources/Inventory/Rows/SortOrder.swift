/// An order by which a list's rows are sorted.
package struct SortOrder: Sendable, Hashable {
  package enum Key: String, Sendable, CaseIterable {
    case title, serialNumber, valueInDollars
    /// An item's value times its quantity. For a list the same as `valueInDollars`: the total of its own items.
    case totalValueInDollars
    case quantity, createdAt, updatedAt
  }

  package var key: Key
  package var isDescending: Bool

  package init(key: Key, isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }

  /// Reads `title` or `-title`.
  package init?(text: String) {
    let isDescending = text.hasPrefix("-")
    guard let key = Key(rawValue: String(text.dropFirst(isDescending ? 1 : 0))) else { return nil }
    self.init(key: key, isDescending: isDescending)
  }
}

/// The value by which a row is sorted.
package enum SortValue: Sendable, Equatable {
  case text(NaturalText)
  case number(Int128)
  /// Sorts after all others, in either direction.
  case missing

  /// The bytes of the text; 0 for others.
  package var textSize: Int { if case .text(let text) = self { text.size } else { 0 } }
}

extension SortOrder {
  /// The sorted order of rows with these values: `result[i]` is the row at place i.
  ///
  /// Rows with equal values keep their relative order.
  package func permutation(of values: [SortValue]) -> [Int] {
    values.indices.sorted { left, right in
      switch compare(values[left], values[right]) {
      case 0: left < right
      case let sign: sign < 0
      }
    }
  }

  private func compare(_ left: SortValue, _ right: SortValue) -> Int {
    let sign: Int
    switch (left, right) {
    case (.missing, .missing): return 0
    case (.missing, _): return 1
    case (_, .missing): return -1
    case (.number(let left), .number(let right)): sign = left < right ? -1 : left > right ? 1 : 0
    case (.text(let left), .text(let right)): sign = left.compare(right)
    case (.number, .text): sign = -1
    case (.text, .number): sign = 1
    }
    return isDescending ? -sign : sign
  }
}
