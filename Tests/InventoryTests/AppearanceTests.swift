import Inventory
import Testing

@Suite("Whether titles can be read on their bars")
struct AppearanceTests {
  /// As WCAG's own formula has them, worked out elsewhere.
  static let ratios: [(String, String, Double)] = [
    ("#000000", "#FFFFFF", 21), ("#FFFFFF", "#000000", 21), ("#777777", "#FFFFFF", 4.478),
    ("#767676", "#FFFFFF", 4.542), ("#FF0000", "#FFFFFF", 3.998), ("#0000FF", "#FFFFFF", 8.592),
    ("#00FF00", "#FFFFFF", 1.372), ("#123456", "#123456", 1), ("#0A0A0A", "#000000", 1.061),
  ]

  @Test(arguments: ratios)
  func `contrast is as WCAG has it`(one: String, other: String, ratio: Double) throws {
    let (one, other) = (try #require(Tint(text: one)), try #require(Tint(text: other)))
    #expect(abs(one.contrast(with: other) - ratio) < 0.001)
    #expect(one.contrast(with: other) == other.contrast(with: one))
  }

  @Test(arguments: [
    "", "#", "#12345", "#1234567", "123456", "#12345G", "#+12345", "#-12345", "# 12345",
  ])
  func `an invalid tint is refused`(text: String) { #expect(Tint(text: text) == nil) }

  @Test func `a tint is written in upper case with all six digits`() {
    #expect(Tint(text: "#00aBc9")?.description == "#00ABC9")
    #expect(Tint(0).description == "#000000")
  }

  @Test func `the calm scheme can be read`() { #expect(Appearance.calm.warnings.isEmpty) }

  @Test func `a garage's sky, mocha and white are warned of for the title alone`() {
    let garage = Appearance(
      navigationBar: Tint(0x66CCFF), toolbar: Tint(0x66CCFF), tabBar: Tint(0x66CCFF),
      button: Tint(0x804000), title: Tint(0xFFFFFF))
    #expect(garage.warnings.map(\.member) == ["title"])
  }

  @Test func `a title is looked at on the navigation bar, a button on all three`() {
    func members(_ change: (inout Appearance) -> Void) -> [String] {
      var appearance = Appearance.calm
      change(&appearance)
      return appearance.warnings.map(\.member)
    }
    #expect(members { $0.title = $0.navigationBar } == ["title"])
    #expect(members { $0.button = $0.navigationBar } == ["button"])
    #expect(members { $0.toolbar = $0.button } == ["button"])
    #expect(members { $0.tabBar = $0.button } == ["button"])
    #expect(members { $0.toolbar = $0.title } == ["button"])
    #expect(members { $0.navigationBar = Tint(0) } == ["title", "button"])
    // Grey on white, on either side of 3.
    #expect(
      members {
        $0.navigationBar = Tint(0xFFFFFF); $0.title = Tint(0x949494)
      } == [])
    #expect(
      members {
        $0.navigationBar = Tint(0xFFFFFF); $0.title = Tint(0x959595)
      } == ["title"])
  }
}
