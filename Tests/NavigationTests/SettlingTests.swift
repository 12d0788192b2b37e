import Inventory
import Navigation
import Testing

@Suite("What becomes of screens whose list or item is gone")
struct SettlingTests {
  /// A stack, what is gone of 1 to 9, and what is left; where a root is gone, 1 is its ancestor.
  struct Case: Sendable {
    let stack: [ScreenTarget]
    let gone: [Int]
    let left: [ScreenTarget]
  }

  static let help = ScreenTarget.custom(name: "help", title: "Help")
  static let photos = ScreenTarget.photos(ItemID(row(4)))

  static let cases = [
    Case(stack: [list(1), list(2), item(3)], gone: [], left: [list(1), list(2), item(3)]),
    Case(stack: [list(1), list(2), item(3)], gone: [3], left: [list(1), list(2)]),
    Case(stack: [list(1), list(2), item(3)], gone: [2, 3], left: [list(1)]),
    // What was pushed from it goes with it, up to the next list or item that is left.
    Case(stack: [list(1), list(2), help, .about], gone: [2], left: [list(1)]),
    Case(stack: [list(1), item(4), photos, help], gone: [4], left: [list(1)]),
    Case(
      stack: [list(1), list(2), help, list(3), .about], gone: [2], left: [list(1), list(3), .about]),
    Case(stack: [list(1), help, list(2)], gone: [2], left: [list(1), help]),
    // The root went: its ancestor becomes the root screen.
    Case(stack: [list(2), item(3)], gone: [2, 3], left: [list(1)]),
    Case(stack: [list(2), .about, list(5)], gone: [2], left: [list(1), list(5)]),
    Case(stack: [list(2), list(1), list(5)], gone: [2], left: [list(1), list(5)]),
    Case(stack: [help, list(2)], gone: [2], left: [help]),
    Case(stack: [photos, list(1), list(1)], gone: [4], left: [list(1), list(1)]),
  ]

  @Test(arguments: cases)
  func `they go, down to the nearest ancestor that is left`(line: Case) {
    let tab = Tab(id: TabID("a"), stack: line.stack.map { ScreenReference($0) })
    let other = Tab(id: TabID("b"), stack: [ScreenReference(list(1)), ScreenReference(list(2))])
    var navigator = NavigatorDetails(tabs: [other, tab], selectedTab: TabID("b"))
    let gone = Set(line.gone.map(row))
    navigator.settle({ $0.row.map { !gone.contains($0) } ?? true }, nearest: { _ in list(1) })
    #expect(navigator.tabs[1].stack.map(\.target) == line.left)
    #expect(
      navigator.tabs[0].stack.map(\.target)
        == (line.gone.contains(2) ? [list(1)] : [list(1), list(2)]))
    // Nothing more changes when it is done again.
    let settled = navigator
    navigator.settle({ $0.row.map { !gone.contains($0) } ?? true }, nearest: { _ in list(1) })
    #expect(navigator == settled)
  }

  @Test func `momentary screens that an earlier version kept below others go, too`() {
    let splash = ScreenReference(Self.help, isMomentary: true)
    func settled(_ gone: [RowID]) -> [ScreenReference] {
      let stack = [ScreenReference(list(1)), splash, ScreenReference(list(2)), splash]
      var navigator = NavigatorDetails(
        tabs: [Tab(id: TabID("a"), stack: stack)], selectedTab: TabID("a"))
      navigator.settle({ $0.row.map { !gone.contains($0) } ?? true }, nearest: { _ in list(1) })
      return navigator.stack
    }
    #expect(settled([]) == [ScreenReference(list(1)), ScreenReference(list(2)), splash])
    #expect(settled([row(2)]) == [ScreenReference(list(1))])
  }

  @Test func `the ancestor asked for is the root screen's own`() {
    var navigator = NavigatorDetails(root: ListID(row(7)), tab: TabID("a"))
    navigator.settle(
      { _ in false },
      nearest: { id in
        #expect(id == row(7))
        return item(8)
      })
    #expect(navigator.stack == [ScreenReference(item(8))])
  }

  @Test func `a root screen is never momentary`() {
    var navigator = NavigatorDetails(
      tabs: [
        Tab(
          id: TabID("a"),
          stack: [ScreenReference(list(2)), ScreenReference(list(1), isMomentary: true)])
      ], selectedTab: TabID("a"))
    navigator.settle({ $0 != list(2) }, nearest: { _ in list(1) })
    #expect(navigator.stack == [ScreenReference(list(1))])
  }
}

@Suite("How a stack's screens are drawn")
struct StackScreenTests {
  private let subjects = [
    row(1): ScreenSubject(title: "Home", can: .all),
    row(2): ScreenSubject(title: "Kitchen", can: .all, accepts: .car),
    row(3): ScreenSubject(title: "Kettle", can: .edit),
  ]

  private func screens(_ stack: [ScreenReference], maySave: Bool = true) -> [Screen] {
    NavigatorDetails.screens(of: stack, subjects, maySave: maySave, .sample)
  }

  @Test func `an add scene is of its kind, else of what the list usually takes`() {
    let drawn = screens([
      ScreenReference(list(1)), ScreenReference(list(2), mode: .add, added: .list),
      ScreenReference(list(1), mode: .add, added: .car), ScreenReference(list(2), mode: .add),
    ])
    #expect(drawn.map(\.navigationBar.title) == ["Home", "Add list", "Add car", "Add car"])
  }

  @Test func `the first and later screens follow from the stack, whatever the tree`() {
    let drawn = screens([
      ScreenReference(list(2)), ScreenReference(list(1)), ScreenReference(item(3)),
      ScreenReference(.photos(ItemID(row(3)))), ScreenReference(.about),
      ScreenReference(.custom(name: "help", title: "Help")),
    ])
    #expect(
      drawn.map(\.navigationBar.title) == [
        "Kitchen", "Home", "Kettle", "Kettle", "About Rowhouse", "Help",
      ])
    #expect(
      drawn.map { $0.navigationBar.leading?.title } == [
        nil, "Kitchen", "Home", "Kettle", "Kettle", "About Rowhouse",
      ])
    #expect(drawn.map(\.level) == [1, 2, 3, 4, 5, 6])
    #expect(drawn.map(\.shortcuts.count) == [0, 0, 0, 3, 4, 4])
  }

  @Test func `each is in its mode`() {
    let drawn = screens(
      [
        ScreenReference(list(1), mode: .edit), ScreenReference(list(2), mode: .details),
        ScreenReference(list(2), mode: .add), ScreenReference(item(3), mode: .edit),
        ScreenReference(list(1), mode: .browse), ScreenReference(item(3)),
      ], maySave: false)
    #expect(
      drawn.map(\.navigationBar.trailing?.action) == [.done, .save, .save, .save, .edit, .edit])
    #expect(drawn[1].navigationBar.trailing?.isEnabled == false)
    // What a list of cars takes is a car.
    #expect(drawn[2].navigationBar.title == "Add car")
    // Back leads to a title, not to what was done there.
    #expect(drawn[4].navigationBar.leading?.title == "Kettle")
    // No toolbar on a stack: which items are around is asked for by itself.
    #expect(drawn.allSatisfy { $0.toolbar == nil })
  }
}
