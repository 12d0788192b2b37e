import Inventory
import Testing

@Suite struct `An item's details` {
  static let thing = ItemDetails(name: "Fluffy Spork")
  static let car = ItemDetails(subject: .car(Car(make: "Saab", model: "900", year: 1985)))

  static func thing(_ change: (inout ItemDetails) -> Void) -> ItemDetails {
    var details = thing
    change(&details)
    return details
  }

  static func car(_ car: Car, name: String? = nil) -> ItemDetails {
    ItemDetails(subject: .car(car), name: name)
  }

  static let long = String(repeating: "é", count: 200)

  static let allowed: [ItemDetails] = [
    thing, car,
    thing { $0.name = String(repeating: "é", count: 500) },
    thing { $0.serialNumber = "" }, thing { $0.serialNumber = long },
    thing { $0.value = Cents(0) }, thing { $0.value = Cents(99_999_999_999_999) },
    thing { $0.quantity = 0 }, thing { $0.quantity = 1_000_000_000 },
    thing { $0.notes = "" }, thing { $0.notes = "two\nlines" },
    thing { $0.notes = String(repeating: "a", count: 65_536) },
    thing { $0.tags = (0..<50).map { "tag \($0)" } },
    thing { $0.tags = [String(repeating: "é", count: 100)] },
    thing { $0.fields = CustomFields(json: String(repeating: " ", count: 16_384)) },
    car(Car(make: long, model: long)), car(Car(year: 1885)), car(Car(year: 2027)),
    car(Car(), name: "Herbie"), car(Car(make: "Saab", fuelAmount: 0)),
    car(Car(make: "Saab", fuelAmount: 1_000_000)),
  ]

  @Test(arguments: allowed) func `at the limits are allowed`(details: ItemDetails) {
    #expect(details.fieldErrors(currentYear: 2026).isEmpty)
  }

  static let refused: [(ItemDetails, [[String]])] = [
    (ItemDetails(), [["name"]]), (thing { $0.name = "" }, [["name"]]),
    (thing { $0.name = String(repeating: "é", count: 501) }, [["name"]]),
    (thing { $0.name = "a\nb" }, [["name"]]),
    (thing { $0.serialNumber = long + "é" }, [["serialNumber"]]),
    (thing { $0.value = Cents(-1) }, [["valueInDollars"]]),
    (thing { $0.value = Cents(100_000_000_000_000) }, [["valueInDollars"]]),
    (thing { $0.quantity = -1 }, [["quantity"]]),
    (thing { $0.quantity = 1_000_000_001 }, [["quantity"]]),
    (thing { $0.notes = String(repeating: "é", count: 32_769) }, [["notes"]]),
    (thing { $0.tags = (0..<51).map { "tag \($0)" } }, [["tags"]]),
    (thing { $0.tags = ["red", "", "red"] }, [["tags", "1"], ["tags"]]),
    (thing { $0.tags = ["red", String(repeating: "é", count: 101)] }, [["tags", "1"]]),
    (
      thing { $0.fields = CustomFields(json: String(repeating: " ", count: 16_385)) },
      [["fields"]]
    ),
    (car(Car()), [["car"]]), (car(Car(make: "")), [["car", "make"]]),
    (car(Car(make: long + "é", model: "a\tb")), [["car", "make"], ["car", "model"]]),
    (car(Car(year: 1884)), [["car", "year"]]), (car(Car(year: 2028)), [["car", "year"]]),
    (car(Car(make: "Saab", fuelAmount: -1)), [["car", "fuelAmount"]]),
    (car(Car(make: "Saab", fuelAmount: 1_000_001)), [["car", "fuelAmount"]]),
    (
      thing {
        $0.name = ""
        $0.quantity = -1
        $0.value = Cents(-1)
      }, [["name"], ["valueInDollars"], ["quantity"]]
    ),
  ]

  @Test(arguments: refused)
  func `past the limits are refused, every field of them`(
    details: ItemDetails, paths: [[String]]
  ) {
    #expect(details.fieldErrors(currentYear: 2026).map(\.path) == paths)
  }

  @Test func `are normalized by trimming the one-line texts alone`() {
    let details = ItemDetails(
      subject: .car(Car(make: " Saab ", model: " 900 ")), name: " a ", serialNumber: " b ",
      notes: " c ", tags: [" d "], fields: CustomFields(json: " {} "))
    let expected = ItemDetails(
      subject: .car(Car(make: "Saab", model: "900")), name: "a", serialNumber: "b",
      notes: " c ", tags: ["d"], fields: CustomFields(json: " {} "))
    #expect(details.normalized() == expected)
  }

  @Test(arguments: [
    (thing, "Fluffy Spork"), (car, "1985 Saab 900"), (car(Car(year: 1985)), "1985"),
    (car(Car(make: "Saab"), name: "Herbie"), "Saab"), (car(Car(), name: "Herbie"), "Herbie"),
    (car(Car()), ""),
  ])
  func `give the row its title`(details: ItemDetails, title: String) {
    #expect(details.title == title)
  }

  @Test func `at both limits have a total past 64 bits`() {
    let details = Self.thing {
      $0.value = Cents(99_999_999_999_999)
      $0.quantity = 1_000_000_000
    }
    let total = TotalCents(Int128(99_999_999_999_999) * 1_000_000_000)
    #expect(details.total == total)
    #expect(total.amount > Int128(Int64.max))
    #expect(
      (0..<1_000).reduce(.zero) { sum, _ in sum + details.total }.amount == total.amount * 1_000)
    #expect(total - total == .zero)
  }

  @Test func `without a value have no total`() {
    #expect(Self.thing { $0.quantity = 7 }.total == .zero)
  }
}

@Suite struct `A list's details` {
  static let plain = ListDetails(title: "Garage")

  static func list(_ change: (inout ListDetails) -> Void) -> ListDetails {
    var details = plain
    change(&details)
    return details
  }

  @Test(
    arguments: [
      (plain, []), (list { $0.title = "" }, [["title"]]),
      (list { $0.title = String(repeating: "é", count: 500) }, []),
      (list { $0.title = String(repeating: "é", count: 501) }, [["title"]]),
      (list { $0.title = "a\nb" }, [["title"]]),
      (list { $0.sentinel.text = "" }, []),
      (list { $0.sentinel.text = String(repeating: "é", count: 500) }, []),
      (list { $0.sentinel.text = String(repeating: "é", count: 501) }, [["sentinel", "text"]]),
      (list { $0.deleteLabel = "" }, [["deleteLabel"]]),
      (list { $0.deleteLabel = String(repeating: "é", count: 200) }, []),
      (list { $0.deleteLabel = String(repeating: "é", count: 201) }, [["deleteLabel"]]),
      (list { $0.glyph = "🔧" }, []), (list { $0.glyph = "K" }, []), (list { $0.glyph = "家" }, []),
      // Several scalars that readers see as one: a flag, a keycap, a family, a kiss with skin tones of 35 bytes.
      (list { $0.glyph = "🇸🇦" }, []), (list { $0.glyph = "1\u{FE0F}\u{20E3}" }, []),
      (list { $0.glyph = "👨‍👩‍👧‍👦" }, []), (list { $0.glyph = "👩🏽‍❤️‍💋‍👨🏿" }, []),
      (list { $0.glyph = "" }, [["glyph"]]), (list { $0.glyph = "🔧🔨" }, [["glyph"]]),
      (list { $0.glyph = "ab" }, [["glyph"]]), (list { $0.glyph = "\u{200D}" }, [["glyph"]]),
      (list { $0.glyph = "\u{301}" }, [["glyph"]]), (list { $0.glyph = "\u{202E}" }, [["glyph"]]),
      (list { $0.glyph = "\n" }, [["glyph"]]), (list { $0.glyph = "\u{E000}" }, [["glyph"]]),
      (list { $0.glyph = "e" + String(repeating: "\u{301}", count: 19) }, []),
      (list { $0.glyph = "e" + String(repeating: "\u{301}", count: 20) }, [["glyph"]]),
      (
        list {
          $0.title = ""
          $0.sentinel.text = "a\tb"
          $0.deleteLabel = "\u{7F}"
        }, [["title"], ["sentinel", "text"], ["deleteLabel"]]
      ),
    ] as [(ListDetails, [[String]])])
  func `are held to their limits`(details: ListDetails, paths: [[String]]) {
    #expect(details.fieldErrors.map(\.path) == paths)
  }

  @Test func `are normalized by trimming`() {
    let details = Self.list {
      $0.title = " Garage "
      $0.sentinel.text = "  "
      $0.deleteLabel = " Sell "
      $0.glyph = " 🔧\u{3000}"
    }
    let expected = Self.list {
      $0.sentinel.text = ""
      $0.deleteLabel = "Sell"
      $0.glyph = "🔧"
    }
    #expect(details.normalized() == expected)
  }

  @Test(
    arguments: [
      (list { $0.title = "x" }, .title), (list { $0.itemKind = .car }, .itemKind),
      (list { $0.permissions = [.add] }, .permissions),
      (list { $0.sentinel.isVisible = false }, .sentinel),
      (list { $0.sentinel.text = "x" }, .sentinel), (list { $0.deleteLabel = "x" }, .deleteLabel),
      (list { $0.glyph = "🔧" }, .glyph), (list { $0.colour = .red }, .colour),
      (plain, ListFields()),
    ] as [(ListDetails, ListFields)])
  func `differ in the fields that differ`(details: ListDetails, fields: ListFields) {
    #expect(ListFields(between: Self.plain, and: details) == fields)
  }
}
