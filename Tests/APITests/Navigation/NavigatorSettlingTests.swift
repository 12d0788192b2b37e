import HTTP
import Inventory
import JSON
import Testing

@Suite("A navigator whose lists go away")
struct NavigatorSettlingTests: NavigatedHome {
  let house: NavigatedHouse

  init() throws { house = try NavigatedHouse() }

  @Test func `a list that another client deletes takes its screens with it, at the next read`()
    throws
  {
    _ = try push(list)
    _ = try push(sublist)
    _ = try push(spoon)
    _ = try push(["custom": "help", "title": "Help"])
    let version = try service.get(path)["/version"]
    _ = try service.send(.delete, drawer.path + "?recursive=true")
    let settled = try service.get(path)
    #expect(titles(settled) == ["Home", "Kitchen"])
    #expect(settled["/version"] != version)
    #expect(try service.get(path).body == settled.body)
  }

  @Test func `what is restored before anybody looks has lost no screen`() throws {
    _ = try push(list)
    _ = try push(sublist)
    let before = try push(spoon)
    _ = try service.send(.delete, kitchen.path + "?recursive=true")
    _ = try service.send(.post, "/v1/trash/\(kitchen.id)/restore")
    let after = try service.get(path)
    #expect(titles(after) == ["Home", "Kitchen", "Drawer", "Spoon"])
    #expect(after["/version"] == before["/version"])
    // Somebody who looks in between sees them go, and gone they stay.
    _ = try service.send(.delete, kitchen.path + "?recursive=true")
    #expect(titles(try service.get(path)) == ["Home"])
    _ = try service.send(.post, "/v1/trash/\(kitchen.id)/restore")
    #expect(titles(try service.get(path)) == ["Home"])
  }

  @Test func `it is read, and shown without what is gone, while nothing can be written`() throws {
    _ = try push(list)
    _ = try push(sublist)
    _ = try service.send(.delete, drawer.path + "?recursive=true")
    let before = service.store.copy()
    for error in [InventoryError.storageFull, .overloaded] {
      let full = try Service(
        store: service.store, asking: RefusingStore(error, reading: service.store))
      let shown = try full.get(path)
      #expect(shown.status == 200)
      #expect(titles(shown) == ["Home", "Kitchen"])
      #expect(shown.fields["etag"] == nil)
      #expect(try full.send(.post, path + "/pop").status >= 500)
    }
    #expect(try Service(store: before).get(path)["/version"] == service.get(path)["/version"])
    #expect(try service.get(path).fields["etag"] != nil)
  }

  @Test func `back from a list that is gone leads one back, not two`() throws {
    _ = try push(list)
    _ = try push(sublist)
    _ = try service.send(.delete, drawer.path + "?recursive=true")
    let popped = try post("pop", [:])
    #expect(popped["/popped/listId"] == .string(drawer.id))
    #expect(titles(popped) == ["Home", "Kitchen"])
  }

  @Test func `where the root screen goes, its nearest ancestor takes its place`() throws {
    _ = try setStack([sublist, spoon])
    _ = try service.send(.delete, drawer.path + "?recursive=true")
    #expect(titles(try service.get(path)) == ["Kitchen"])
    _ = try setStack([["itemId": .string(kitchen.rows[0])]])
    _ = try service.send(.delete, kitchen.path + "?recursive=true")
    #expect(titles(try service.get(path)) == ["Home"])
  }

  @Test func `a tab that is not selected is settled too`() throws {
    let tabs: JSONValue = [["id": "a"], ["id": "b", "stack": [list, sublist]]]
    _ = try service.send(.put, path + "/tabs", ["tabs": tabs])
    _ = try service.send(.delete, kitchen.path + "?recursive=true")
    #expect(titles(try service.get(path), tab: 1) == ["Home"])
  }

  @Test func `what is read for a client takes that client's turn`() throws {
    let store = LaterStore(service.store)
    let later = try Service(store: service.store, asking: store)
    for target in [path, "/v1/items/\(drawer.rows[0])", "/v1/lists/root/events"] {
      let (_, source) = try later.exchange(.get, target, peer: Peer(family: .v4, high: 7))
      source?.ended(.complete)
    }
    #expect(store.turns.withLock { $0 } == [.address(7)])
  }

  @Test func `a store that answers later answers all the same`() throws {
    let later = try Service(store: service.store, asking: LaterStore(service.store))
    _ = try push(sublist)
    #expect(titles(try later.get(path)) == ["Home", "Drawer"])
    _ = try service.send(.delete, drawer.path + "?recursive=true")
    #expect(titles(try later.get(path)) == ["Home"])
    #expect(try later.get("/v1/navigators/\(root)").status == 404)
  }
}
