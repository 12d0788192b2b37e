import Inventory
import Navigation
import Testing

@Suite("What navigators do to their tabs")
struct TabTests {
  private let root = ListID(row(1))

  private func navigator(_ names: [String], selected: String? = nil) -> NavigatorDetails {
    NavigatorDetails(
      tabs: names.enumerated().map { index, name in
        Tab(
          id: TabID(name), title: name,
          stack: [ScreenReference(list(1)), ScreenReference(list(10 + index))])
      }, selectedTab: TabID(selected ?? names[0]))
  }

  private func ids(_ navigator: NavigatorDetails) -> [String] { navigator.tabs.map(\.id.text) }

  @Test func `a new navigator has one tab on the root list`() {
    let navigator = NavigatorDetails(root: root, tab: TabID("a"))
    #expect(navigator.tabs == [Tab(id: TabID("a"), stack: [ScreenReference(list(1))])])
    #expect(navigator.selectedTab == TabID("a"))
  }

  @Test func `selecting another tab leaves all stacks as they are`() throws {
    var navigator = navigator(["a", "b"])
    let tabs = navigator.tabs
    try navigator.select(TabID("b"))
    #expect(navigator.selectedTab == TabID("b"))
    #expect(navigator.tabs == tabs)
  }

  @Test func `selecting the selected tab pops it to its root, and no other`() throws {
    var navigator = navigator(["a", "b"], selected: "b")
    try navigator.select(TabID("b"))
    #expect(navigator.tabs.map(\.stack.count) == [2, 1])
    #expect(navigator.selectedTab == TabID("b"))
  }

  @Test func `a tab that is not there can't be selected`() {
    var navigator = navigator(["a"])
    #expect(throws: InventoryError.notFound(.tab)) { try navigator.select(TabID("b")) }
  }

  @Test func `tabs keep their stacks by id, new ones start on the root list`() throws {
    var navigator = navigator(["a", "b"])
    try navigator.setTabs(
      [
        NewTab(id: TabID("c"), title: "new"), NewTab(id: TabID("b"), image: "star"),
        NewTab(id: TabID("a"), stack: [ScreenReference(.about)]),
      ], root: root)
    #expect(
      navigator.tabs == [
        Tab(id: TabID("c"), title: "new", stack: [ScreenReference(list(1))]),
        Tab(
          id: TabID("b"), image: "star",
          stack: [ScreenReference(list(1)), ScreenReference(list(11))]
        ),
        Tab(id: TabID("a"), stack: [ScreenReference(.about)]),
      ])
    #expect(navigator.selectedTab == TabID("a"))
  }

  @Test func `where the selected tab is gone the first is selected`() throws {
    var navigator = navigator(["a", "b", "c"], selected: "b")
    try navigator.setTabs([NewTab(id: TabID("c")), NewTab(id: TabID("a"))], root: root)
    #expect(navigator.selectedTab == TabID("c"))
  }

  @Test func `what can't be tabs is named, and changes nothing`() {
    func paths(_ tabs: [NewTab]) -> [[String]] {
      NavigatorDetails.fieldErrors(ofTabs: tabs, at: ["tabs"]).map(\.path)
    }
    let many = (0...Limits.tabs).map { NewTab(id: TabID("\($0)")) }
    #expect(paths([]) == [["tabs"]])
    #expect(paths(many) == [["tabs"]])
    #expect(paths(Array(many.dropLast())) == [])
    #expect(
      paths([NewTab(id: TabID("a")), NewTab(id: TabID("a"), stack: [])])
        == [["tabs", "1", "id"], ["tabs", "1", "stack"]])
    for tabs in [[], many] {
      var navigator = navigator(["a"])
      #expect(throws: InventoryError.self) { try navigator.setTabs(tabs, root: root) }
      #expect(navigator == self.navigator(["a"]))
    }
  }

  @Test func `a reorder names every tab once`() throws {
    var navigator = navigator(["a", "b", "c"], selected: "b")
    let stacks = Dictionary(uniqueKeysWithValues: navigator.tabs.map { ($0.id, $0.stack) })
    try navigator.reorderTabs(["c", "a", "b"].map { TabID($0) })
    #expect(ids(navigator) == ["c", "a", "b"])
    #expect(navigator.selectedTab == TabID("b"))
    #expect(navigator.tabs.allSatisfy { stacks[$0.id] == $0.stack })
    #expect(
      throws: InventoryError.notThePresentTabs(
        missing: [TabID("b")], unknown: [TabID("x")], duplicate: [TabID("a"), TabID("x")])
    ) { try navigator.reorderTabs(["a", "x", "a", "c", "x"].map { TabID($0) }) }
    #expect(ids(navigator) == ["c", "a", "b"])
  }

  @Test(arguments: [(1, 0), (4, 0), (5, 0), (6, 2), (20, 16)])
  func `the first five show; with more the first four, and the rest are behind more`(
    count: Int, hidden: Int
  ) {
    let names = (0..<count).map { "tab \($0)" }
    #expect(navigator(names).more.map(\.text) == Array(names.suffix(hidden)))
  }
}
