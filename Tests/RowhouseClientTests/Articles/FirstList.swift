import Foundation
import RowhouseClient

/// The code of the article of that name, so that it is compiled.
enum FirstList {
  static func printRows() async throws {
    // swift-format-ignore: NeverForceUnwrap
    let rowhouse = Rowhouse(at: URL(string: "http://127.0.0.1:8080")!)
    let garage = try await rowhouse.createList(ListDraft(title: "Garage")).resource
    try await rowhouse.createItem(ItemDraft(name: "Bicycle", valueInDollars: 350), in: garage.id)
    try await rowhouse.createItem(
      ItemDraft(car: Car(make: "Saab", model: "900", year: 1988), at: .first), in: garage.id)
    for row in try await rowhouse.rows(of: garage.id).rows {
      print(row.title)
    }
  }

  static func delete(
    _ garage: Rowhouse.List, at rowhouse: Rowhouse, show: (String) -> Void
  ) async {
    do {
      try await rowhouse.delete(Row.ID(garage.id))
    } catch {
      if error.code == .listNotEmpty { /* ask, then say recursive: true */  }
      show(error.localizedDescription)
    }
  }

  static func rename(
    _ item: Item, at rowhouse: Rowhouse, merge: (Item?) -> Void
  ) async throws {
    do {
      try await rowhouse.edit(item.id, ItemEdit(name: "Tandem"), ifAt: item.revision)
    } catch {
      guard error.code == .preconditionFailed else { throw error }
      merge(error.problem?.current)
    }
  }
}
