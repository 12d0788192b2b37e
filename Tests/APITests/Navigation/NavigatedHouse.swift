import HTTP
import JSON
import Testing

/// A kitchen with a drawer in it, and a navigator on the root list.
struct NavigatedHouse {
  let service: Service
  let kitchen: Service.MadeList
  let drawer: Service.MadeList
  let root: String
  let path: String

  init() throws {
    service = try Service()
    kitchen = try service.makeList("Kitchen", things: ["Kettle"])
    drawer = try service.makeList("Drawer", in: kitchen.id, things: ["Spoon"])
    root = try #require(try service.get("/v1/lists/root").text("/id"))
    let made = try service.send(.post, "/v1/navigators", ["name": "Phone"])
    path = "/v1/navigators/\(try #require(made.text("/id")))"
  }
}

/// A suite whose tests begin there.
protocol NavigatedHome {
  var house: NavigatedHouse { get }
}

extension NavigatedHome {
  var service: Service { house.service }
  var kitchen: Service.MadeList { house.kitchen }
  var drawer: Service.MadeList { house.drawer }
  var root: String { house.root }
  /// The navigator's.
  var path: String { house.path }

  // Screens of the house.

  var list: JSONValue { ["listId": .string(kitchen.id)] }
  var sublist: JSONValue { ["listId": .string(drawer.id)] }
  var spoon: JSONValue { ["itemId": .string(drawer.rows[0])] }

  func post(_ call: String, _ body: JSONValue, _ fields: Fields = Fields()) throws -> Answer {
    try service.send(.post, path + "/" + call, body, fields)
  }

  func push(_ screen: JSONValue) throws -> Answer { try post("push", ["screen": screen]) }

  func setStack(_ stack: [JSONValue]) throws -> Answer {
    try service.send(.put, path + "/stack", ["stack": .array(stack)])
  }

  /// The titles on the bars of a tab's stack.
  func titles(_ answer: Answer, tab: Int = 0) -> [String] {
    guard case .array(let screens) = answer["/tabs/\(tab)/stack"] else { return [] }
    return screens.indices.compactMap {
      answer.text("/tabs/\(tab)/stack/\($0)/navigationBar/title")
    }
  }
}
