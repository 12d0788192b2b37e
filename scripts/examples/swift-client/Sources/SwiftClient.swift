import Foundation
import RowhouseClient

/// Creates a garage on the server at the URL ROWHOUSE, drags a row in it, and follows its events. With the argument
/// `list` it is a list for the terminal.
@main
struct SwiftClient {
  static func main() async throws {
    let address = ProcessInfo.processInfo.environment["ROWHOUSE"] ?? "http://127.0.0.1:8080"
    guard let url = URL(string: address) else { fatalError("ROWHOUSE is no URL.") }
    let rowhouse = Rowhouse(at: url)
    if CommandLine.arguments.dropFirst() == ["list"] {
      return try await TerminalList.run(at: rowhouse)
    }

    let garage = try await rowhouse.createList(ListDraft(title: "Garage")).resource
    try await rowhouse.createItem(ItemDraft(name: "Bicycle", valueInDollars: 350), in: garage.id)
    try await rowhouse.createItem(
      ItemDraft(car: Car(make: "Saab", model: "900", year: 1988), at: .first), in: garage.id)

    var isMoved = false
    for try await update in ListMirror(of: garage.id, at: rowhouse).updates() {
      print(update.rows.map(\.title))
      if isMoved { break }
      // To the last index, which is above the pinned row.
      let receipt = try await rowhouse.moveRow(in: garage.id, from: 0, to: 9)
      print("Landed elsewhere than asked:", receipt.retargeted)
      isMoved = true
    }

    try await rowhouse.delete(Row.ID(garage.id), recursive: true)
  }
}
