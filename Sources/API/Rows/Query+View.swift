import Inventory
import JSON

extension Query {
  /// The requested view of a list's rows. Nil for all rows in manual order.
  var view: RowView? {
    guard ["sort", "type", "q", "sections"].contains(where: { text($0) != nil }) else {
      return nil
    }
    return RowView(
      sort: sort, members: members, text: searchText("q"), threshold: threshold, window: window)
  }

  private var sort: SortOrder? {
    value("sort", SortOrder.expected) { SortOrder(text: $0) }
  }

  private var members: RowView.Members {
    value("type", "Send list, item or container.") { text in
      switch text {
      case "list": .lists
      case "item": .items
      case "container": .containers
      default: nil
      }
    } ?? .all
  }

  /// The amount in `value:50`.
  private var threshold: Cents? {
    value("sections", "Send value: and an amount in dollars, such as value:50.") { text in
      guard text.hasPrefix("value:"),
        let amount = JSONNumber(text: String(text.dropFirst("value:".count)))?.scaled(places: 2),
        Limits.value.contains(amount)
      else { return nil }
      return Cents(amount)
    }
  }

  /// A search text of limited length.
  func searchText(_ name: String) -> String? {
    value(name, "Use at most \(Limits.searchText) characters.") { text in
      text.unicodeScalars.count <= Limits.searchText ? text : nil
    }
  }
}

extension SortOrder {
  /// The error text for an invalid sort order.
  static let expected: String = {
    let keys = Key.allCases.map(\.rawValue).joined(separator: ", ")
    return "One of \(keys), with a minus before it for the reverse."
  }()
}
