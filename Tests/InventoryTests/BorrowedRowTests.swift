import FoundationEssentials
import Inventory
import Testing

@Suite struct `A borrowed row` {
  private static func id(_ number: UInt8) -> UUID {
    UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
  }

  private static let rows: [Row] = [
    Row(
      index: 3,
      content: .list(
        ListSummary(
          id: ListID(id(1)), title: "Küche", rowCount: 7, total: TotalCents(Int128(1) << 70)))),
    Row(
      index: 4,
      content: .list(
        ListSummary(
          id: ListID(id(1)), title: "Attic", rowCount: 0, total: .zero, glyph: "📦",
          colour: .teal))),
    item(ItemDetails(name: "", quantity: 0)),
    item(
      ItemDetails(
        name: "Globe", serialNumber: "SN", value: Cents(0), tags: ["blue", "grün"]),
      contents: ListID(id(9))),
    item(ItemDetails(subject: .car(Car()), name: "Herbie")),
    item(
      ItemDetails(
        subject: .car(Car(make: "VW", model: "Käfer", year: 1963, fuelAmount: 150)))),
  ]

  private static func item(_ details: ItemDetails, contents: ListID? = nil) -> Row {
    let item = Item(
      id: ItemID(id(2)), listID: ListID(id(1)), details: details, contentsListID: contents,
      revision: Revision(1), createdAt: Timestamp(seconds: 0), updatedAt: Timestamp(seconds: 0))
    return Row(index: 0, content: .item(ItemSummary(item)))
  }

  @Test(arguments: rows.indices) func `has the same fields as the row`(_ number: Int) {
    let row = Self.rows[number]
    #expect(row.lend { Row($0) } == row)
  }

  @Test func `is repaired where it is not UTF-8`() {
    let bytes: [UInt8] = [0x61, 0xFF, 0x62]
    let row = bytes.withUnsafeBufferPointer { text in
      Row(
        BorrowedRow(
          index: 0, id: RowID(Self.id(1)), title: text,
          content: .list(BorrowedRow.List(rowCount: 0, total: .zero))))
    }
    #expect(row.title == "a\u{FFFD}b")
  }
}
