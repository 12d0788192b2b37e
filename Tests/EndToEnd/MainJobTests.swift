import JSON
import Support
import Testing

@Suite("The main job: rows stay in the order that people leave them in")
struct MainJobTests {
  @Test func `a dragged row is where it was left after a restart`() throws {
    let folder = try TemporaryFolder()
    let seeding = try Rowhouse.run("seed", "--db", folder.database)
    try #require(seeding.ending == .exit(0))

    var server = try RunningServer(database: folder.database)
    var client = try server.connect()
    #expect(try client.titles(of: "root") == ["Home", "Garage"])
    let kitchen = try #require(
      try client.get("/v1/resolve?path=/Home/Kitchen").text("/id"))
    let before = try client.titles(of: kitchen)
    #expect(before == ["Drawer by the window", "Espresso machine", "Kettle", "Mixer"])

    let receipt = try client.moveRow(of: kitchen, from: 3, to: 1)
    #expect(receipt.status == 200)
    #expect(receipt.at("/deltas/0/moves") == [["from": 3, "to": 1]])
    let after = ["Drawer by the window", "Mixer", "Espresso machine", "Kettle"]
    #expect(try client.titles(of: kitchen) == after)

    #expect(try server.stop() == .exit(0))
    server = try RunningServer(database: folder.database)
    client = try server.connect()
    #expect(try client.titles(of: kitchen) == after)
    let rows = try client.get("/v1/lists/\(kitchen)/rows")
    #expect(rows.number("/revision") == receipt.number("/revision"))
    #expect(rows.rows.last?.title == "No more items!")
    #expect(try server.stop() == .exit(0))
    #expect(try Rowhouse.run("check", "--db", folder.database).ending == .exit(0))
  }

  @Test func `seeding twice adds nothing the second time`() throws {
    let folder = try TemporaryFolder()
    _ = try Rowhouse.run("seed", "--db", folder.database)
    let again = try Rowhouse.run("seed", "--db", folder.database)
    #expect(again.ending == .exit(0))
    let server = try RunningServer(database: folder.database)
    let client = try server.connect()
    #expect(try client.titles(of: "root") == ["Home", "Garage"])
  }

  @Test func `a backpack holds a wallet, and cars know their make`() throws {
    let folder = try TemporaryFolder()
    _ = try Rowhouse.run("seed", "--db", folder.database)
    let server = try RunningServer(database: folder.database)
    let client = try server.connect()
    let backpack = try client.get("/v1/resolve?path=/Home/Study/Backpack")
    #expect(backpack.text("/type") == "item")
    let contents = try #require(backpack.text("/item/contentsListId"))
    #expect(try client.titles(of: contents) == ["Wallet", "Laptop", "Notebook"])
    let wallet = try client.get("/v1/resolve?path=/Home/Study/Backpack/Wallet")
    #expect(wallet.text("/item/listId") == contents)
    let garage = try #require(try client.get("/v1/resolve?path=/Garage").text("/id"))
    #expect(
      try client.titles(of: garage) == [
        "1966 Morris Minor", "2011 Toyota Yaris", "2023 Renault Kangoo",
      ])
  }

  @Test func `a list is deleted with all that is below it, as fast as asked`() throws {
    let folder = try TemporaryFolder()
    let seeding = try Rowhouse.run("seed", "--rows", "20000", "--db", folder.database)
    try #require(seeding.ending == .exit(0))
    let server = try RunningServer(database: folder.database)
    let client = try server.connect()
    let list = try #require(try client.rows(of: "root").first?.id)
    let page = try client.get("/v1/lists/\(list)/rows?offset=19990")
    #expect(page.number("/count") == 20_000)
    #expect(page.rows.map(\.index) == Array(19_990...20_000))
    let row = try #require(page.rows.first?.id)

    let refused = try client.send("DELETE", "/v1/lists/\(list)")
    #expect(refused.status == 409)
    #expect(refused.text("/code") == "list_not_empty")
    #expect(refused.number("/count") == 20_000)

    let receipt = try client.send("DELETE", "/v1/lists/\(list)?recursive=true")
    #expect(receipt.status == 200)
    #expect(receipt.at("/deltas/0/deletes") == [0])
    #expect(try client.rows(of: "root").isEmpty)
    for target in ["/v1/lists/\(list)", "/v1/items/\(row)", "/v1/rows/\(row)"] {
      let gone = try client.get(target)
      #expect(gone.status == 410)
      #expect(gone.text("/code") == "in_trash")
      #expect(gone.text("/trashId") == list)
    }
    #expect(try server.stop() == .exit(0))
    #expect(try Rowhouse.run("check", "--db", folder.database).ending == .exit(0))
  }
}
