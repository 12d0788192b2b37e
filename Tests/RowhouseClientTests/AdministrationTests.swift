import Foundation
import RowhouseClient
import RowhouseTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Inventories, tints, tabs, and items that are put whole.
@Suite struct AdministrationTests {
  let server: RowhouseTestServer
  var rowhouse: Rowhouse { server.rowhouse }

  init() throws { server = try makeServer() }

  @Test func `One server has several inventories`() async throws {
    let home = try #require(try await rowhouse.inventories().first)
    #expect(try await rowhouse.me().inventoryID == home.id)
    let chosen = Inventory.ID(rawValue: UUID().uuidString)
    let shop = try await rowhouse.createInventory(title: "Shop", id: chosen, depthLimit: 2)
    #expect(shop.id == chosen)
    #expect(shop.depthLimit == 2)
    #expect(
      try await rowhouse.inventories().map(\.title).sorted() == [home.title, "Shop"].sorted())

    let inside = rowhouse.entering(shop.id)
    #expect(try await inside.me().inventoryID == shop.id)
    #expect(try await inside.list().id == shop.rootListID)
    try await inside.createItem(ItemDraft(name: "Till"))
    #expect(try await rowhouse.rows().count == 0)
    #expect(try await inside.entering(nil).rows().count == 0)
    #expect(try await inside.rows().count == 1)

    let shelf = try await inside.createList(ListDraft(title: "Shelf")).resource.id
    let tooDeep = await #expect(throws: RowhouseError.self) {
      try await inside.createList(ListDraft(title: "Box", in: shelf))
    }
    #expect(tooDeep?.code == .tooDeep)
    #expect(try await rowhouse.limitDepth(of: shop.id, to: nil).depthLimit == nil)
    try await inside.createList(ListDraft(title: "Box", in: shelf))
    #expect(try await rowhouse.limitDepth(of: shop.id, to: 3).depthLimit == 3)
    #expect(try await rowhouse.inventory(shop.id).depthLimit == 3)

    let again = await #expect(throws: RowhouseError.self) {
      try await rowhouse.createInventory(title: "Shop", id: chosen)
    }
    #expect(again?.code == .idTaken)
  }

  @Test func `Each inventory has events and mirrors of its own`() async throws {
    let shop = try await rowhouse.createInventory(title: "Shop")
    let inside = rowhouse.entering(shop.id)
    var updates = ListMirror(of: .root, at: inside).updates().makeAsyncIterator()
    #expect(try await updates.next()?.list.id == shop.rootListID)
    try await rowhouse.createItem(ItemDraft(name: "At home"))
    try await inside.createItem(ItemDraft(name: "Till"))
    #expect(try await updates.next()?.rows.map(\.title) == ["Till", "No more items!"])
  }

  @Test func `A token has its inventory and its id`() async throws {
    let admin = try await rowhouse.createToken(for: "Admin", role: .admin)
    #expect(admin.inventoryID == nil)
    let beside = Rowhouse(at: server.url, token: admin.token)
    let shop = try await beside.createInventory(title: "Shop")
    let clerk = try await beside.entering(shop.id).createToken(for: "Clerk", role: .editor)
    #expect(clerk.inventoryID == shop.id)
    let me = try await Rowhouse(at: server.url, token: clerk.token).me()
    #expect(me.inventoryID == shop.id)
    #expect(me.tokenID == clerk.id)
  }

  @Test func `About has the server's name, licence and counts`() async throws {
    let about = try await rowhouse.about()
    #expect(about.name == "Rowhouse")
    #expect(about.licence == "MIT")
    #expect(about.legal == nil)
    #expect(about.counts.lists >= 1)
  }

  @Test func `Bars are tinted`() async throws {
    let start = try await rowhouse.appearance()
    var tints = Tints(start)
    tints.button = "#1B2A38"
    tints.currency = "EUR"
    let set = try await rowhouse.setAppearance(tints, ifAt: start.version)
    #expect(set.button == "#1B2A38")
    #expect(set.currency == "EUR")
    #expect(set.navigationBar == start.navigationBar)
    #expect(try await rowhouse.appearance() == set)
    let late = await #expect(throws: RowhouseError.self) {
      try await rowhouse.setAppearance(tints, ifAt: start.version)
    }
    #expect(late?.code == .preconditionFailed)
    #expect(set.warnings == [])
    tints.title = tints.navigationBar
    let dim = try await rowhouse.setAppearance(tints)
    #expect(dim.title == dim.navigationBar)
    #expect(dim.warnings.map(\.pointer) == ["/title"])
    tints.title = "red"
    let refusal = await #expect(throws: RowhouseError.self) {
      try await rowhouse.setAppearance(tints)
    }
    #expect(refusal?.code == .invalid)
    #expect(Tints(try await rowhouse.setAppearance(Tints())) == Tints(start))
  }

  @Test func `Tabs keep their stacks`() async throws {
    let list = try await rowhouse.createList(ListDraft(title: "Cellar")).resource.id
    let made = try await rowhouse.createNavigator(
      name: "phone",
      tabs: [
        TabDraft(id: "home", title: "Home"),
        TabDraft(id: "about", image: "info", stack: [ScreenReference(.about)]),
      ])
    #expect(made.tabs.map(\.id) == ["home", "about"])
    #expect(made.selectedTab == "home")
    #expect(made.tabs.map(\.title) == ["Home", nil])
    #expect(made.tabs.map(\.image) == [nil, "info"])
    #expect(made.tabs[1].stack.map(\.reference.target) == [.about])
    try await rowhouse.push(ScreenReference(.list(list), state: ["y": 1]), in: made.id)
    try await rowhouse.push(ScreenReference(.custom(name: "help", title: "Help")), in: made.id)
    let help = ScreenReference(
      .custom(name: "help", title: "Help"), prompt: "Drag rows.",
      trailing: ScreenReference.TrailingButton(.done, title: "Start"))
    let shown = try await rowhouse.push(help, in: made.id).tabs[0].stack.last
    #expect(shown?.reference == help)
    #expect(shown?.navigationBar.prompt == "Drag rows.")
    #expect(shown?.navigationBar.trailing?.title == "Start")
    let adding = ScreenReference(.list(list), mode: .add, kind: "car")
    let scene = try await rowhouse.push(adding, in: made.id).tabs[0].stack.last
    #expect(scene?.reference == adding)
    #expect(scene?.navigationBar.title == "Add car")
    try await rowhouse.pop(in: made.id)
    let popped = try await rowhouse.pop(to: ScreenReference(.list(list)), in: made.id)
    #expect(popped.tabs[0].stack.count == 2)
    #expect(popped.tabs[0].stack.last?.reference.state == ["y": 1])

    let set = try await rowhouse.setTabs(
      [
        TabDraft(id: "home", title: "House"), TabDraft(title: "New"),
        TabDraft(id: "list", stack: [ScreenReference(.list(list))]),
      ], in: made.id)
    #expect(set.tabs.map(\.title) == ["House", "New", nil])
    #expect(set.tabs[0].stack == popped.tabs[0].stack)
    #expect(set.tabs[1].stack.count == 1)
    let order = Array(set.tabs.map(\.id).reversed())
    let ordered = try await rowhouse.reorderTabs(order, in: made.id)
    #expect(ordered.tabs.map(\.id) == order)
    #expect(ordered.selectedTab == "home")
    #expect(try await rowhouse.selectTab("list", in: made.id).selectedTab == "list")
    let refusal = await #expect(throws: RowhouseError.self) {
      try await rowhouse.reorderTabs(["home"], in: made.id)
    }
    #expect(refusal?.code == .notThePresentTabs)
    #expect(try await rowhouse.navigator(made.id).tabs.map(\.id) == order)
  }

  @Test func `An item is put as it is to be`() async throws {
    var draft = ItemDraft(car: Car(make: "Saab", model: "900", year: 1988), name: "Old one")
    draft.notes = "Rust"
    draft.fields = ["doors": 3, "owners": ["first": "unknown"]]
    draft.tags = ["sold"]
    let made = try await rowhouse.createItem(draft).resource
    var item = made
    item.name = nil
    item.car?.year = nil
    item.notes = nil
    item.fields = ["doors": 5]
    let put = try await rowhouse.replace(item, ifAt: made.revision).resource
    #expect(put.name == nil)
    #expect(put.car == Car(make: "Saab", model: "900"))
    #expect(put.notes == nil)
    #expect(put.fields == ["doors": 5])
    #expect(put.tags == ["sold"])
    #expect(put.createdAt == made.createdAt)
    let late = await #expect(throws: RowhouseError.self) {
      try await rowhouse.replace(item, ifAt: made.revision)
    }
    #expect(late?.problem?.current == put)
    item.id = Item.ID(rawValue: UUID().uuidString)
    let nowhere = await #expect(throws: RowhouseError.self) { try await rowhouse.replace(item) }
    #expect(nowhere?.code == .notFound)
  }

  @Test func `Numbers of any size can be read, and put back`() async throws {
    var request = URLRequest(url: server.url.appendingPathComponent("v1/lists/root/items"))
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(
      #"{"name": "Star", "fields": {"mass": 1e200, "width": -1e-200, "count": 12.5}}"#.utf8)
    _ = try await URLSession(configuration: .ephemeral).data(for: request)
    let row = try #require(try await rowhouse.rows().rows.first)
    let item = try await rowhouse.item(Item.ID(rawValue: row.id.rawValue))
    #expect(
      item.fields == [
        "mass": .extremeNumber(1e200), "width": .extremeNumber(-1e-200),
        "count": .number(Decimal(12.5)),
      ])
    #expect(try await rowhouse.replace(item).resource.fields == item.fields)
  }

  @Test func `All tags can be read, page by page`() async throws {
    var draft = ItemDraft(name: "Everything")
    draft.tags = (0..<30).map { "a\($0 + 10)" }
    try await rowhouse.createItem(draft)
    draft.tags = (0..<30).map { "b\($0 + 10)" }
    try await rowhouse.createItem(draft)
    #expect(try await rowhouse.tags().count == 50)
    #expect(try await rowhouse.tags(offset: 50).count == 10)
    #expect(try await rowhouse.tags(limit: 1_000).count == 60)
    #expect(try await rowhouse.tags(beginningWith: "b", limit: 1_000).count == 30)
  }
}
