import Inventory
import Navigation
import Testing

@Suite("What navigators do to a stack")
struct StackTests {
  private static func navigator(_ targets: [ScreenTarget]) -> NavigatorDetails {
    NavigatorDetails(
      tabs: [
        Tab(id: TabID("a"), stack: targets.map { ScreenReference($0) }),
        Tab(id: TabID("b"), stack: [ScreenReference(list(1)), ScreenReference(list(99))]),
      ], selectedTab: TabID("a"))
  }

  private func targets(_ navigator: NavigatorDetails) -> [ScreenTarget] {
    // Only the selected tab's stack is ever touched.
    #expect(navigator.tabs[1].stack.map(\.target) == [list(1), list(99)])
    return navigator.stack.map(\.target)
  }

  @Test func `a push puts a screen on top, also one that is already there`() throws {
    var navigator = Self.navigator([list(1)])
    try navigator.push(ScreenReference(list(2)))
    try navigator.push(ScreenReference(item(3)))
    try navigator.push(ScreenReference(list(2)))
    #expect(targets(navigator) == [list(1), list(2), item(3), list(2)])
  }

  @Test func `the sixty-fifth screen is refused`() throws {
    var navigator = Self.navigator((1...63).map(list))
    try navigator.push(ScreenReference(list(64)))
    let full = navigator
    #expect(throws: InventoryError.stackFull(limit: 64)) {
      try navigator.push(ScreenReference(list(65)))
    }
    #expect(navigator == full)
  }

  @Test func `all stacks together have at most 128 screens`() throws {
    var navigator = Self.navigator((1...64).map(list))
    let (first, last) = (navigator.selectedTab, TabID("last"))
    func tabs(_ count: Int) -> [NewTab] {
      [NewTab(id: first), NewTab(id: last, stack: (1...count).map { ScreenReference(list($0)) })]
    }
    #expect(throws: InventoryError.self) {
      try navigator.setTabs(
        tabs(60) + [NewTab(id: TabID("third"), stack: (1...5).map { ScreenReference(list($0)) })],
        root: ListID(row(1)))
    }
    try navigator.setTabs(tabs(63), root: ListID(row(1)))
    try navigator.select(last)
    try navigator.push(ScreenReference(list(64)))
    try navigator.setTabs(
      tabs(62) + [NewTab(id: TabID("third"))], root: ListID(row(1)))
    try navigator.push(ScreenReference(list(63)))
    #expect(throws: InventoryError.stackFull(limit: 63)) {
      try navigator.push(ScreenReference(list(64)))
    }
    #expect(throws: InventoryError.self) {
      try navigator.setStack((1...64).map { ScreenReference(list($0)) })
    }
    navigator.open((1...70).map { PathStep(id: row($0), title: "x", isList: true) })
    #expect(navigator.stack.count == 63)
  }

  @Test func `a momentary screen goes as the next is pushed, and back leads past it`() throws {
    var navigator = Self.navigator([list(1)])
    try navigator.push(ScreenReference(list(2), isMomentary: true))
    #expect(targets(navigator) == [list(1), list(2)])
    try navigator.push(ScreenReference(list(3)))
    #expect(targets(navigator) == [list(1), list(3)])
    #expect(navigator.pop()?.target == list(3))
    #expect(targets(navigator) == [list(1)])
  }

  @Test func `a momentary screen takes the place of another, and leaves room on a full stack`()
    throws
  {
    var navigator = Self.navigator((1...63).map(list))
    try navigator.push(ScreenReference(.custom(name: "splash", title: "x"), isMomentary: true))
    try navigator.push(ScreenReference(.about, isMomentary: true))
    #expect(navigator.stack.count == 64)
    #expect(navigator.stack.last?.target == .about)
    try navigator.push(ScreenReference(list(64)))
    #expect(navigator.stack.map(\.target) == (1...64).map(list))
  }

  @Test func `a row of momentary screens goes whole`() throws {
    var navigator = Self.navigator([list(1)])
    try navigator.setStack([
      ScreenReference(list(1)), ScreenReference(list(2), isMomentary: true),
      ScreenReference(list(3)), ScreenReference(list(4), isMomentary: true),
      ScreenReference(list(5), isMomentary: true),
    ])
    try navigator.push(ScreenReference(list(6)))
    #expect(targets(navigator) == [list(1), list(3), list(6)])
    try navigator.push(ScreenReference(list(7), isMomentary: true))
    navigator.leaveOutMomentary()
    #expect(targets(navigator) == [list(1), list(3), list(6)])
  }

  @Test func `a pop takes the top off, and at the root does nothing`() {
    var navigator = Self.navigator([list(1), item(2)])
    #expect(navigator.pop() == ScreenReference(item(2)))
    let atRoot = navigator
    #expect(navigator.pop() == nil)
    #expect(navigator == atRoot)
  }

  @Test(arguments: [(0, 1), (1, 2), (3, 4)])
  func `popping to a place keeps it and what is below`(index: Int, count: Int) throws {
    var navigator = Self.navigator([list(1), list(2), list(3), list(4)])
    try navigator.pop(to: index)
    #expect(targets(navigator) == (1...count).map(list))
  }

  @Test(arguments: [4, 5, -1, .max, .min])
  func `popping to no place is refused`(index: Int) {
    var navigator = Self.navigator([list(1), list(2), list(3), list(4)])
    #expect(throws: InventoryError.notFound(.screen)) { try navigator.pop(to: index) }
    #expect(navigator.stack.count == 4)
  }

  @Test func `popping to a screen finds the nearest to the top, by what it is of alone`() throws {
    var navigator = Self.navigator([list(1), list(2), list(1), item(3)])
    navigator.updateTop {
      $0.mode = .edit
      $0.state = CustomFields(json: #"{"y":7}"#)
    }
    try navigator.pop(to: item(3))
    #expect(navigator.stack.count == 4)
    try navigator.pop(to: list(1))
    #expect(navigator.stack.count == 3)
    #expect(throws: InventoryError.notFound(.screen)) { try navigator.pop(to: item(3)) }
    // An item and its photos are two screens; a list and an item of one id do not exist.
    #expect(throws: InventoryError.notFound(.screen)) { try navigator.pop(to: item(2)) }
  }

  @Test func `a client's own screen goes by its name`() throws {
    var navigator = Self.navigator([list(1), .custom(name: "help", title: "Help"), .about])
    try navigator.pop(to: .custom(name: "help", title: "Hilfe"))
    #expect(navigator.stack.count == 2)
    #expect(throws: InventoryError.notFound(.screen)) {
      try navigator.pop(to: .custom(name: "splash", title: "Help"))
    }
  }

  @Test func `popping to the root keeps the root alone`() {
    var navigator = Self.navigator([list(1), list(2), list(3)])
    navigator.popToRoot()
    #expect(targets(navigator) == [list(1)])
    navigator.popToRoot()
    #expect(targets(navigator) == [list(1)])
  }

  @Test func `a stack is set whole, of one to sixty-four screens`() throws {
    var navigator = Self.navigator([list(1)])
    for count in [1, 64] {
      try navigator.setStack((0..<count).map { ScreenReference(list($0)) })
      #expect(targets(navigator) == (0..<count).map(list))
    }
    let before = navigator
    for screens in [
      [], (0..<65).map { ScreenReference(list($0)) },
      [ScreenReference(list(1), isMomentary: true), ScreenReference(list(2))],
    ] {
      #expect(throws: InventoryError.self) { try navigator.setStack(screens) }
      #expect(navigator == before)
    }
  }

  @Test func `of a stack that is set whole momentary screens stay only on top`() throws {
    var navigator = Self.navigator([list(1)])
    let splash = ScreenReference(.about, isMomentary: true)
    let first = ScreenReference(list(1))
    try navigator.setStack([first, splash, splash, ScreenReference(list(2)), splash])
    #expect(navigator.stack == [first, ScreenReference(list(2)), splash])
    try navigator.setStack([first, splash, ScreenReference(list(3))])
    #expect(targets(navigator) == [list(1), list(3)])
    // One can't pop down to what is not there.
    #expect(throws: InventoryError.notFound(.screen)) { try navigator.pop(to: .about) }
    try navigator.setTabs(
      [NewTab(id: TabID("a"), stack: [first, splash, ScreenReference(list(4)), splash])],
      root: ListID(row(1)))
    #expect(navigator.stack == [first, ScreenReference(list(4)), splash])
  }

  @Test func `what is wrong with a stack is named`() {
    func paths(_ screens: [ScreenReference]) -> [[String]] {
      NavigatorDetails.fieldErrors(ofStack: screens, at: ["stack"]).map(\.path)
    }
    #expect(paths([]) == [["stack"]])
    #expect(paths([ScreenReference(list(1))]) == [])
    #expect(
      paths([ScreenReference](repeating: ScreenReference(.about, isMomentary: true), count: 65))
        == [["stack"], ["stack", "0", "momentary"]])
  }

  @Test(arguments: [1, 2, 64, 65, 200])
  func `opening sets the way down, of a deeper one the root and the last`(depth: Int) {
    var navigator = Self.navigator([list(9)])
    let path = (1...depth).map { PathStep(id: row($0), title: "x", isList: $0 < depth) }
    navigator.open(path)
    let shown = depth <= 64 ? Array(1...depth) : [1] + Array(depth - 62...depth)
    #expect(
      targets(navigator)
        == shown.map { $0 < depth ? list($0) : item($0) })
  }

  @Test func `the top keeps its mode and its state`() {
    var navigator = Self.navigator([list(1), list(2)])
    navigator.updateTop {
      $0.mode = .edit
      $0.state = CustomFields(json: #"{"y":7}"#)
    }
    #expect(
      navigator.stack == [
        ScreenReference(list(1)),
        ScreenReference(list(2), mode: .edit, state: CustomFields(json: #"{"y":7}"#)),
      ])
  }
}
