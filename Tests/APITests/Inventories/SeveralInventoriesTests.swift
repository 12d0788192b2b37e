import HTTP
import JSON
import Storage
import Support
import Testing

@Suite("Inventories beside each other")
struct SeveralInventoriesTests {
  private let folder: TemporaryFolder
  private let store: DatabaseStore
  private let service: Service
  /// The inventory besides the default one.
  private let second: String

  init() throws {
    folder = try TemporaryFolder()
    store = try DatabaseStore(DatabaseStore.Configuration(path: folder.database))
    service = try Service(asking: store) { $0.isOpen = true }
    let made = try service.send(.post, "/v1/inventories", ["title": "Second home"])
    second = try #require(made.text("/id"))
  }

  @Test(arguments: ["/v1/lists/root", "/v1/lists/root/rows", "/v1/appearance"])
  func `the entity tag of one is none of another's`(path: String) throws {
    let there: Fields = ["Rowhouse-Inventory": second]
    let home = try service.get(path)
    let away = try service.get(path, there)
    let tags = [try #require(home.fields["etag"]), try #require(away.fields["etag"])]
    #expect(tags[0] != tags[1])
    #expect(try service.get(path, ["If-None-Match": tags[0]]).status == 304)
    for (tag, status) in zip(tags, [200, 304]) {
      let fields: Fields = ["Rowhouse-Inventory": second, "If-None-Match": tag]
      #expect(try service.get(path, fields).status == status)
    }
  }

  @Test func `an inventory cannot have the id of what belongs to none`() throws {
    let zeros = "00000000-0000-0000-0000-000000000000"
    let answer = try service.send(
      .post, "/v1/inventories", ["title": "Third", "id": .string(zeros)])
    #expect(answer.status == 422)
    #expect(answer.faults == ["/id"])
  }

  @Test func `tokens of two inventories have tags of their own`() throws {
    let paths = ["/v1/lists/root", "/v1/lists/root/rows"]
    var tags: [Set<String>] = []
    let fields: [Fields] = [[:], ["Rowhouse-Inventory": second]]
    let tokens = try fields.map { fields in
      let made = try service.send(.post, "/v1/tokens", ["name": "Sam", "role": "owner"], fields)
      return try #require(made.text("/token"))
    }
    for path in paths {
      tags.append(
        Set(
          try tokens.map { token in
            try #require(
              try service.get(path, ["Authorization": "Bearer \(token)"]).fields["etag"])
          }))
    }
    #expect(tags.map(\.count) == [2, 2])
  }

  @Test func `Vary names the header field that chooses it`() throws {
    for path in ["/v1/lists/root", "/v1/lists", "/v1/lists/x"] {
      let vary = try service.get(path).fields["vary"] ?? ""
      let names = vary.split(separator: ",").map { $0.filter { $0 != " " } }
      #expect(
        Set(names).isSuperset(of: ["Authorization", "Accept-Language", "Rowhouse-Inventory"]))
    }
  }
}
