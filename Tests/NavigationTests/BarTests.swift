import Inventory
import Testing

@testable import Navigation

@Suite("Titles, shortcuts and toolbars")
struct BarTests {
  private func back(to title: String, limit: Int = 16) -> String? {
    var style = ScreenStyle.sample
    style.backTitleLimit = limit
    let list = ScreenSubject(title: "Here", can: .all)
    return Screen(.list(list, .browse), below: [Crumb(id: row(1), title: title)], style)
      .navigationBar.leading?.title
  }

  // A family of four is one grapheme cluster of seven scalars.
  @Test(arguments: [
    ("Kitchen", 16, "Kitchen"), ("Sixteen clusters", 16, "Sixteen clusters"),
    ("Seventeen cluster", 16, "Back"), ("Kitchen", 7, "Kitchen"), ("Kitchen", 6, "Back"),
    ("Kitchen", 0, "Back"),
    (String(repeating: "👨‍👩‍👧‍👦", count: 16), 16, String(repeating: "👨‍👩‍👧‍👦", count: 16)),
    (String(repeating: "👨‍👩‍👧‍👦", count: 17), 16, "Back"),
    ("e\u{301}e\u{301}", 2, "e\u{301}e\u{301}"),
  ])
  func `a back button has the previous screen's title, or none of it`(
    title: String, limit: Int, shown: String
  ) {
    #expect(back(to: title, limit: limit) == shown)
  }

  @Test func `going back leads to the screen just below`() {
    let list = ScreenSubject(title: "Here", can: .all)
    let screen = Screen(.list(list, .browse), below: crumbs(3), .sample)
    #expect(screen.navigationBar.leading?.title == "Screen 3")
  }

  @Test(arguments: [0, 1, 29, 30, 31, 500], ["x", "e\u{301}", "👨‍👩‍👧‍👦"])
  func `a title of up to thirty clusters fits, and a longer one is there in full`(
    length: Int, cluster: String
  ) {
    let title = String(repeating: cluster, count: length)
    let bar = Screen(
      .list(ScreenSubject(title: title, can: .all), .browse), below: [], .sample
    ).navigationBar
    #expect(bar.title == title)
    #expect(bar.titleFits == (length <= 30))
  }

  @Test func `whether it fits goes by the title that is shown`() {
    let list = ScreenSubject(title: String(repeating: "x", count: 28), can: .all)
    let bar = Screen(.list(list, .details(maySave: true)), below: [], .sample).navigationBar
    #expect(bar.title.count == 33)
    #expect(!bar.titleFits)
  }

  @Test(arguments: 0...13)
  func `shortcuts come with the fourth screen: the root and the eight nearest`(below: Int) {
    let screen = Screen(.about, below: crumbs(below), .sample)
    let numbers =
      switch below {
      case 0...2: [Int]()
      case 3...9: Array(1...below)
      default: [1] + Array(below - 7...below)
      }
    #expect(
      screen.shortcuts == numbers.map { Crumb(id: row($0), title: "Screen \($0)") })
  }

  @Test func `there is no shortcut to what has no id`() {
    var below = crumbs(4)
    below[2].id = nil
    #expect(Screen(.about, below: below, .sample).shortcuts.map(\.id) == [row(1), row(2), row(4)])
  }

  @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
  func `an item's toolbar leads where there are items`(hasPrevious: Bool, hasNext: Bool) throws {
    let step = PathStep(id: row(1), title: "x", isList: false)
    let neighbours = Neighbours(
      previous: hasPrevious ? step : nil, next: hasNext ? step : nil, index: 0, count: 1)
    let subject = ScreenSubject(title: "x", can: [])
    let screen = Screen(.item(subject, .browse(neighbours)), below: crumbs(1), .sample)
    let toolbar = try #require(screen.toolbar)
    #expect(toolbar.previous == BarButton(.previous, .sample, isEnabled: hasPrevious))
    #expect(toolbar.photos == BarButton(.photos, .sample))
    #expect(toolbar.next == BarButton(.next, .sample, isEnabled: hasNext))
  }

  @Test func `buttons are titled in the language, each with an image`() {
    let titles = BarAction.allCases.map { BarButton($0, .sample).title }
    #expect(
      titles == [
        "Back", "Add", "Cancel", "Edit", "Done", "Save", "Move", "Previous", "Photos", "Next",
      ])
    for action in BarAction.allCases {
      #expect(!BarButton(action, .sample).image.isEmpty)
    }
  }

  @Test func `images of arrows turn round with the direction of writing, the rest stays`() {
    let turned: Set<BarAction> = [.back, .previous, .next]
    for action in BarAction.allCases {
      let images = WritingDirection.allCases.map { BarButton(action, .sample($0)).image }
      #expect((images[0] != images[1]) == turned.contains(action))
    }
    let previous = BarButton(.previous, .sample(.rightToLeft))
    #expect(previous.action == .previous)
    #expect(previous.image == BarButton(.next, .sample(.leftToRight)).image)
  }

  @Test func `leading and trailing stay what they are in either direction`() {
    let list = ScreenSubject(title: "x", can: .all)
    let screens = WritingDirection.allCases.map {
      Screen(.list(list, .browse), below: crumbs(1), .sample($0))
    }
    #expect(screens[0].navigationBar.leading?.action == screens[1].navigationBar.leading?.action)
    #expect(screens.map(\.direction) == [.leftToRight, .rightToLeft])
  }
}

@Suite("Where a row may be moved to")
struct MoveTargetTests {
  private let open = ScreenSubject(title: "x", can: .all)

  private func isAccepted(
    _ kind: ItemKind? = .thing, home: Int? = 1, can: Permissions = .all,
    by subject: ScreenSubject? = nil, path: [Int] = [1, 9], isTooDeep: Bool = false
  ) -> Bool {
    (subject ?? open).acceptsMove(
      of: row(5), kind, from: home.map { ListID(row($0)) }, permitting: can, isTooDeep: isTooDeep,
      along: path.map(row))
  }

  @Test func `anywhere that nothing speaks against`() {
    #expect(isAccepted())
    #expect(isAccepted(nil))
    #expect(isAccepted(can: .move))
  }

  @Test func `not out of a list that does not let its rows go`() {
    #expect(!isAccepted(can: [.add, .edit, .delete]))
    #expect(!isAccepted(home: nil))
  }

  @Test func `not into a list that takes nothing`() {
    #expect(!isAccepted(by: ScreenSubject(title: "x", can: [.edit, .move, .delete])))
  }

  @Test func `within its own list no more than moving is needed`() {
    #expect(isAccepted(home: 9, by: ScreenSubject(title: "x", can: .move, accepts: .car)))
  }

  @Test func `not into itself, nor into what is below it`() {
    #expect(!isAccepted(nil, path: [1, 5, 7, 9]))
    #expect(!isAccepted(path: [1, 5, 9]))
  }

  @Test func `not too far down`() {
    #expect(!isAccepted(nil, isTooDeep: true))
    #expect(!isAccepted(.thing, isTooDeep: true))
  }

  @Test func `not into a list of the wrong kind; lists go into any`() {
    let cars = ScreenSubject(title: "x", can: .all, accepts: .car)
    #expect(!isAccepted(.thing, by: cars))
    #expect(isAccepted(.car, by: cars))
    #expect(isAccepted(nil, by: cars))
  }
}
