import API
import HTTP
import Inventory
import JSON
import Storage
import Support
import Testing

/// A list of things over arrays or over a database, and a client that was offline.
final class SyncWorld {
  enum Backing: CaseIterable { case arrays, database }

  let service: Service
  let list: Service.MadeList
  private let folder: TemporaryFolder
  private let database: DatabaseStore?

  init(_ backing: Backing = .arrays, things: [String] = ["a", "b", "c"]) throws {
    folder = try TemporaryFolder()
    let database =
      backing == .database
      ? try DatabaseStore(DatabaseStore.Configuration(path: folder.database)) : nil
    self.database = database
    service = try Service(asking: database) { $0.isOpen = true }
    list = try service.makeList("Shelf", things: things)
  }

  deinit { database?.close() }

  static let client = "c0000000-0000-4000-8000-000000000001"

  /// A new id.
  static func id() -> String { RowID(.version7()).description }

  /// Sends commands, numbered from `first` on.
  @discardableResult
  func sync(
    _ commands: [JSONValue], from first: Int = 1, client: String = client,
    _ fields: Fields = Fields()
  ) throws -> Answer {
    try service.send(
      .post, "/v1/sync", Self.batch(commands, from: first, client: client), fields)
  }

  static func batch(
    _ commands: [JSONValue], from first: Int = 1, client: String = client
  ) -> JSONValue {
    let numbered = commands.enumerated().map { index, command -> JSONValue in
      guard case .object(var object) = command else { return command }
      object.set("sequence", to: JSONValue(first + index))
      return .object(object)
    }
    return ["clientId": .string(client), "commands": .array(numbered)]
  }

  func edit(
    _ item: String, _ patch: JSONValue, from: JSONValue, type: String = "editItem"
  ) -> JSONValue {
    ["type": .string(type), "id": .string(item), "patch": patch, "from": from]
  }

  func create(_ name: String, id: String = id(), at position: JSONValue = "last") -> JSONValue {
    [
      "type": "createItem", "listId": .string(list.id), "position": position,
      "item": ["id": .string(id), "name": .string(name)],
    ]
  }

  func move(_ rows: [String], to position: JSONValue) -> JSONValue {
    [
      "type": "moveRows", "ids": .array(rows.map(JSONValue.string)), "listId": .string(list.id),
      "position": position,
    ]
  }

  func delete(_ row: String, recursive: Bool = false) -> JSONValue {
    ["type": "delete", "id": .string(row), "recursive": .bool(recursive)]
  }

  func titles() throws -> [String] { try service.titles(of: list) }
  func revision() throws -> Int? {
    try service.send(.put, "/v1/appearance", Self.calm).fields["rowhouse-revision"].flatMap {
      Int($0)
    }
  }

  private static let calm: JSONValue = [
    "navigationBar": "#ffffff", "toolbar": "#ffffff", "tabBar": "#ffffff", "button": "#000000",
    "title": "#000000",
  ]
}

extension Answer {
  /// The outcomes of a sync by name.
  var outcomes: [String] { texts("/outcomes", "outcome") }
  /// The codes of refused commands.
  var refusals: [String] {
    all("/outcomes", "problem").compactMap { problem in
      if case .string(let code)? = problem?["code"] { code } else { nil }
    }
  }
}
