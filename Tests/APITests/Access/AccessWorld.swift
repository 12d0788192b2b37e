import Foundation
import HTTP
import Inventory
import JSON
import Storage
import Support
import Testing

@testable import API

/// A database for the table of who may do what: the list `Shelf` with what requests name, a list beside it,
/// another inventory, and a token for each caller. Copies of it are what requests are sent to.
///
/// Whatever is outside of `Shelf` has the marker in its texts, or in its id.
final class AccessWorld: Sendable {
  /// The ids that the names in requests stand for.
  typealias Names = [String: String]

  static let marker = "zyzzyva"
  static let idMarker = "bad0bad0"

  let folder: TemporaryFolder
  let tokens: [AccessCaller: String]
  let navigators: [AccessCaller: String]
  /// What is in `Shelf`, and the same of the list beside it.
  let inside: Names
  let outside: Names
  /// Ids of rows outside, which a caller cannot choose.
  let outsideIDs: Set<String>
  /// Exports of the list that is named, and of the one outside.
  let export: String
  let outsideExport: String

  /// Ids of a kind's own, recognisable.
  private static func id(_ number: Int, isInside: Bool) -> String {
    (isInside ? "600d600d" : idMarker) + "-0000-7000-8000-0000000000"
      + (number < 10 ? "0" : "") + String(number)
  }

  static let shelf = id(0, isInside: true)
  static let bin = id(0, isInside: false)
  /// A list that was in `Shelf` and has been moved to the list beside it.
  let drifted = AccessWorld.id(30, isInside: true)

  init() throws {
    folder = try TemporaryFolder()
    let store = try DatabaseStore(DatabaseStore.Configuration(path: folder.database))
    defer { store.close() }
    var builder = Builder(
      service: try Service(asking: store) { $0.isOpen = true })
    try builder.build()
    inside = builder.names[true] ?? [:]
    outside = builder.names[false] ?? [:]
    tokens = builder.tokens
    navigators = builder.navigators
    outsideIDs = builder.outsideIDs
    export = builder.exports[true] ?? ""
    outsideExport = builder.exports[false] ?? ""
  }

  /// Makes the database by the API itself.
  private struct Builder {
    let service: Service
    var names: [Bool: Names] = [:]
    var tokens: [AccessCaller: String] = [:]
    var navigators: [AccessCaller: String] = [:]
    var outsideIDs: Set<String> = []
    var exports: [Bool: String] = [:]

    /// A write that has to succeed, of whose request the log tells nothing if it is outside.
    @discardableResult
    private func write(
      _ method: HTTP.Method, _ path: String, _ body: JSONValue? = nil, isInside: Bool = false,
      _ fields: Fields = [:]
    ) throws -> Answer {
      var fields = fields
      if !isInside { fields.append("X-Request-Id", "\(marker)-request") }
      let answer =
        try body.map { try service.send(method, path, $0, fields) }
        ?? service.send(method, path, fields: fields)
      try #require((200...204).contains(answer.status), "\(method.name) \(path)")
      return answer
    }

    private func title(_ text: String, isInside: Bool) -> JSONValue {
      .string(isInside ? text : "Zyzzyva \(text)")
    }

    mutating func build() throws {
      try write(.patch, "/v1/lists/root", ["title": "Zyzzyva Home"])
      for isInside in [true, false] {
        let title = title("Shelf", isInside: isInside)
        try write(
          .post, "/v1/lists", ["id": .string(id(0, isInside: isInside)), "title": title],
          isInside: isInside)
      }
      for isInside in [true, false] { try fill(isInside: isInside) }
      try makeTokens()
      try makeNavigators()
      try drift()
      let me = try service.get("/v1/me")
      outsideIDs.insert(try #require(me.text("/rootListId")))
      let inventory = try #require(me.text("/inventoryId"))
      names[true]?["INVENTORY"] = inventory
      names[false]?["INVENTORY"] = AccessWorld.id(20, isInside: false)
      for isInside in [true, false] {
        let list = AccessWorld.id(1, isInside: isInside)
        let answer = try service.download("/v1/export?listId=\(list)")
        exports[isInside] = String(decoding: answer.body, as: UTF8.self)
      }
    }

    /// A drawer with two items, a photo, contents, something deleted and something edited.
    private mutating func fill(isInside: Bool) throws {
      func id(_ number: Int) -> String { AccessWorld.id(number, isInside: isInside) }
      func title(_ text: String) -> JSONValue { self.title(text, isInside: isInside) }
      func make(_ number: Int, _ name: String, in list: String) throws {
        try write(
          .post, "/v1/lists/\(list)/items",
          [
            "id": .string(id(number)), "name": title(name), "serialNumber": title("S"),
            "notes": title("Notes"), "tags": [title("tag")], "valueInDollars": 12,
            "fields": ["colour": title("red")],
          ], isInside: isInside)
      }
      try write(
        .post, "/v1/lists",
        ["id": .string(id(1)), "parentId": .string(id(0)), "title": title("Drawer")],
        isInside: isInside)
      try make(2, "Lamp", in: id(1))
      try make(3, "Orb", in: id(1))
      try make(4, "Fork", in: id(1))
      try write(
        .post, "/v1/items/\(id(2))/contents", ["id": .string(id(5))], isInside: isInside)
      try make(6, "Bulb", in: id(5))
      let photo = try service.send(
        .post, "/v1/items/\(id(2))/photos?id=\(id(7))", bytes: SampleImage.jpeg())
      try #require(photo.status == 201)
      try write(.delete, "/v1/items/\(id(4))", isInside: isInside)
      let edit = try write(
        .patch, "/v1/items/\(id(3))", ["notes": title("Edited")], isInside: isInside)
      let token = try makeToken("guest", .reader, list: id(1), isInside: isInside)
      if !isInside { outsideIDs.insert(token.id) }
      names[isInside] = [
        "LIST": id(1), "ITEM": id(2), "OTHER": id(3), "TRASHED": id(4), "PHOTO": id(7),
        "REVISION": String(try #require(edit.number("/receipt/revision"))), "TOKEN": token.id,
      ]
    }

    private func makeToken(
      _ name: String, _ role: Role, list: String?, isInside: Bool, _ fields: Fields = [:]
    ) throws -> (text: String, id: String) {
      let made = try write(
        .post, "/v1/tokens",
        [
          "name": title(name, isInside: isInside), "role": .string("\(role)"),
          "listId": list.map { .string($0) } ?? .null,
        ], isInside: isInside, fields)
      return (try #require(made.text("/token")), try #require(made.text("/id")))
    }

    private mutating func makeTokens() throws {
      let second = AccessWorld.id(20, isInside: false)
      let made = try write(
        .post, "/v1/inventories", ["id": .string(second), "title": "Zyzzyva second"])
      outsideIDs.insert(try #require(made.text("/rootListId")))
      tokens[.garbage] =
        "rh_\(String(repeating: "0", count: 32))_\(String(repeating: "f", count: 64))"
      for caller in AccessCaller.allCases where caller != .anonymous && caller != .garbage {
        let isInside = caller.reach == .inside
        let list: String? =
          switch caller.reach {
          case .inside: AccessWorld.id(0, isInside: true)
          case .beside: AccessWorld.id(0, isInside: false)
          default: nil
          }
        let fields: Fields = caller.reach == .elsewhere ? ["Rowhouse-Inventory": second] : [:]
        let token = try makeToken(
          caller.rawValue, caller.role, list: list, isInside: isInside, fields)
        tokens[caller] = token.text
        if !isInside { outsideIDs.insert(token.id) }
        if caller == .revoked { try write(.delete, "/v1/tokens/\(token.id)") }
      }
    }

    /// One for each caller; of those inside it shows what is going to be moved out.
    private mutating func makeNavigators() throws {
      try write(
        .post, "/v1/lists",
        [
          "id": .string(AccessWorld.id(30, isInside: true)),
          "parentId": .string(AccessWorld.id(0, isInside: true)), "title": "Drifting",
        ], isInside: true)
      for caller in AccessCaller.allCases where caller.reach != .none {
        var stack: [JSONValue] = [["listId": "root"]]
        if caller.reach == .inside {
          stack.append(["listId": .string(AccessWorld.id(30, isInside: true))])
        }
        let made = try write(
          .post, "/v1/navigators",
          [
            "name": title("Phone", isInside: caller.reach == .inside),
            "tabs": [
              ["id": "a", "title": "A", "stack": .array(stack)],
              ["id": "b", "stack": [["about": true]]],
            ],
          ], isInside: true, ["Authorization": "Bearer \(tokens[caller] ?? "")"])
        let id = try #require(made.text("/id"))
        navigators[caller] = id
        if caller.reach != .inside { outsideIDs.insert(id) }
      }
    }

    /// Moves a list that was inside to the one beside, and has more happen to it there.
    private func drift() throws {
      let list = AccessWorld.id(30, isInside: true)
      try write(
        .post, "/v1/rows/\(list)/move", ["listId": .string(AccessWorld.id(0, isInside: false))],
        isInside: true)
      try write(.patch, "/v1/lists/\(list)", ["title": "Zyzzyva drifted"])
      try write(.post, "/v1/lists/\(list)/items", ["name": "Zyzzyva flotsam"])
    }
  }
}
