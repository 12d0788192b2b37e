import Foundation
import JSON
import Testing

extension Client {
  /// Makes a list at the end of the root list; its id.
  func makeList(_ title: String, in parent: String = "root") throws -> String {
    let answer = try send(
      "POST", "/v1/lists", ["title": .string(title), "parentId": .string(parent)])
    try #require(answer.status == 201)
    return try #require(answer.text("/id"))
  }

  /// Puts a thing at the end of a list; its id.
  @discardableResult
  func makeThing(_ name: String, in list: String) throws -> String {
    let answer = try send("POST", "/v1/lists/\(list)/items", ["name": .string(name)])
    try #require(answer.status == 201)
    return try #require(answer.text("/id"))
  }

  func moveRow(of list: String, from: Int, to: Int) throws -> Answer {
    try send("POST", "/v1/lists/\(list)/move-row", ["from": .init(from), "to": .init(to)])
  }

  /// All rows of a list of at most 1,000, without the sentinel.
  func rows(of list: String) throws -> [Row] {
    let answer = try get("/v1/lists/\(list)/rows?sentinel=false&limit=1000")
    try #require(answer.status == 200)
    return answer.rows
  }

  func titles(of list: String) throws -> [String] { try rows(of: list).map(\.title) }
}

/// A new id, as a client that works offline makes one.
func newID() -> String { UUID().uuidString.lowercased() }
