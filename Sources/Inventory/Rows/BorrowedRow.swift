/// A row with borrowed texts, so that writing a page of rows copies no text.
///
/// The texts are valid only during a visit. They should be UTF-8, but a damaged store may return other bytes.
package struct BorrowedRow {
  package typealias Text = UnsafeBufferPointer<UInt8>

  package enum Content {
    case list(List)
    case item(Item)
  }

  /// The members of `ListSummary` except the title. A glyph is so short that it is copied.
  package struct List {
    package var rowCount: Int
    package var total: TotalCents
    package var glyph: String?
    package var colour: ListColour?

    package init(
      rowCount: Int, total: TotalCents, glyph: String? = nil, colour: ListColour? = nil
    ) {
      self.rowCount = rowCount
      self.total = total
      self.glyph = glyph
      self.colour = colour
    }
  }

  /// The members of `ItemSummary` except the title.
  package struct Item {
    /// Nil for a thing.
    package var car: Car?
    package var name: Text?
    package var serialNumber: Text?
    package var value: Cents?
    package var quantity: Int64
    /// The tags, one on a line; nil if there are none.
    package var tags: Text?
    package var contentsListID: ListID?
    package var photo: PhotoID?

    package init(
      car: Car?, name: Text?, serialNumber: Text?, value: Cents?, quantity: Int64, tags: Text?,
      contentsListID: ListID?, photo: PhotoID? = nil
    ) {
      self.car = car
      self.name = name
      self.serialNumber = serialNumber
      self.value = value
      self.quantity = quantity
      self.tags = tags
      self.contentsListID = contentsListID
      self.photo = photo
    }
  }

  package struct Car {
    package var make: Text?
    package var model: Text?
    package var year: Int?
    package var fuelAmount: Int64?

    package init(make: Text?, model: Text?, year: Int?, fuelAmount: Int64?) {
      self.make = make
      self.model = model
      self.year = year
      self.fuelAmount = fuelAmount
    }
  }

  package var index: RowIndex
  package var id: RowID
  package var title: Text
  package var content: Content

  package init(index: RowIndex, id: RowID, title: Text, content: Content) {
    self.index = index
    self.id = id
    self.title = title
    self.content = content
  }
}

extension Row {
  /// A copy that outlives the visit. Repairs invalid UTF-8.
  package init(_ row: BorrowedRow) {
    let title = String(decoding: row.title, as: UTF8.self)
    switch row.content {
    case .list(let list):
      let summary = ListSummary(
        id: ListID(row.id), title: title, rowCount: list.rowCount, total: list.total,
        glyph: list.glyph, colour: list.colour)
      self.init(index: row.index, content: .list(summary))
    case .item(let item):
      let summary = ItemSummary(id: ItemID(row.id), title: title, item)
      self.init(index: row.index, content: .item(summary))
    }
  }

  /// Calls the body with borrowed texts of this row.
  package func lend<Value>(_ body: (BorrowedRow) -> Value) -> Value {
    var lent = LentTexts()
    switch content {
    case .list(let list):
      lent.add(list.title)
      return lent.withTexts { texts in
        body(
          BorrowedRow(
            index: index, id: id, title: texts[0],
            content: .list(
              BorrowedRow.List(
                rowCount: list.rowCount, total: list.total, glyph: list.glyph, colour: list.colour))
          ))
      }
    case .item(let item):
      let car: Car? = if case .car(let car) = item.subject { car } else { nil }
      let places = [
        item.title, item.name, item.serialNumber,
        item.tags.isEmpty ? nil : item.tags.joined(separator: "\n"), car?.make, car?.model,
      ].map { lent.add($0) }
      return lent.withTexts { texts in
        let found = places.map { $0.map { texts[$0] } }
        return body(
          BorrowedRow(
            index: index, id: id, title: found[0] ?? BorrowedRow.Text(start: nil, count: 0),
            content: .item(
              BorrowedRow.Item(
                car: car.map {
                  BorrowedRow.Car(
                    make: found[4], model: found[5], year: $0.year, fuelAmount: $0.fuelAmount)
                }, name: found[1], serialNumber: found[2], value: item.value,
                quantity: item.quantity, tags: found[3], contentsListID: item.contentsListID,
                photo: item.photo))))
      }
    }
  }
}

extension ItemSummary {
  /// A copy of a row's texts. Repairs invalid UTF-8.
  package init(id: ItemID, title: String, _ item: BorrowedRow.Item) {
    func copy(_ text: BorrowedRow.Text?) -> String? {
      text.map { String(decoding: $0, as: UTF8.self) }
    }
    let subject: ItemSubject =
      item.car.map {
        .car(
          Car(
            make: copy($0.make), model: copy($0.model), year: $0.year, fuelAmount: $0.fuelAmount))
      } ?? .thing
    self.init(
      id: id, subject: subject, name: copy(item.name), serialNumber: copy(item.serialNumber),
      value: item.value, quantity: item.quantity,
      tags: item.tags?.split(separator: UInt8(ascii: "\n")).map {
        String(decoding: $0, as: UTF8.self)
      } ?? [],
      contentsListID: item.contentsListID, photo: item.photo, title: title)
  }
}

/// Texts one after another in one piece of memory.
private struct LentTexts {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  /// Adds a text and returns its number; nil for no text.
  @discardableResult
  mutating func add(_ text: String?) -> Int? {
    guard let text else { return nil }
    bytes.append(contentsOf: text.utf8)
    ends.append(bytes.count)
    return ends.count - 1
  }

  func withTexts<Value>(_ body: ([BorrowedRow.Text]) -> Value) -> Value {
    bytes.withUnsafeBufferPointer { memory in
      var start = 0
      return body(
        ends.map { end in
          defer { start = end }
          return BorrowedRow.Text(rebasing: memory[start..<end])
        })
    }
  }
}
