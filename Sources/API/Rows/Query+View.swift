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
    guard let text = text("sort") else { return nil }
    let sort = SortOrder(text: text)
    if sort == nil { faults.note(.parameter("sort", SortOrder.expected)) }
    return sort
  }

  private var members: RowView.Members {
    switch text("type") {
    case nil: return .all
    case "list": return .lists
    case "item": return .items
    case "container": return .containers
    default:
      faults.note(.parameter("type", "Send list, item or container."))
      return .all
    }
  }

  /// The amount in `value:50`.
  private var threshold: Cents? {
    guard let text = text("sections") else { return nil }
    guard text.hasPrefix("value:"),
      let amount = JSONNumber(text: String(text.dropFirst("value:".count)))?.scaled(places: 2),
      Limits.value.contains(amount)
    else {
      faults.note(
        .parameter("sections", "Send value: and an amount in dollars, such as value:50."))
      return nil
    }
    return Cents(amount)
  }

  /// A search text of limited length.
  func searchText(_ name: String) -> String? {
    guard let text = text(name) else { return nil }
    guard text.unicodeScalars.count <= Limits.searchText else {
      faults.note(.parameter(name, "Use at most \(Limits.searchText) characters."))
      return nil
    }
    return text
  }
}

extension SortOrder {
  /// The error text for an invalid sort order.
  static let expected: String = {
    let keys = Key.allCases.map(\.rawValue).joined(separator: ", ")
    return "One of \(keys), with a minus before it for the reverse."
  }()
}
