import Foundation
import JSON

/// An answer as it came over the wire.
struct Answer: Sendable {
  let status: Int
  let fields: [(name: String, value: String)]
  var body: [UInt8] = []

  /// Reads the status line and the fields, with the empty line that ends them.
  init(head: [UInt8]) throws {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    guard words.first == "HTTP/1.1", words.count > 1, let status = Int(words[1]) else {
      throw Client.Fault.malformed(String(lines.first ?? ""))
    }
    self.status = status
    fields = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (
        name: parts[0].lowercased(),
        value: parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
      )
    }
  }

  /// Where the body begins; nil while the head is not whole.
  static func headEnd(in bytes: [UInt8]) -> Int? {
    let mark: [UInt8] = [13, 10, 13, 10]
    guard bytes.count >= mark.count else { return nil }
    return (0...bytes.count - mark.count).first { bytes[$0..<$0 + 4].elementsEqual(mark) }
      .map { $0 + 4 }
  }

  /// The first field of that name, in lower case.
  subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  var json: JSONValue? { try? JSONReader.parse(body) }

  /// The value in the body at a JSON Pointer.
  func at(_ pointer: String) -> JSONValue? {
    json.flatMap { JSONPointer(text: pointer)?.evaluate($0) }
  }

  func text(_ pointer: String) -> String? { at(pointer)?.text }
  func number(_ pointer: String) -> Int? { at(pointer)?.number }

  /// The rows of a page.
  var rows: [Row] { at("/rows")?.elements.compactMap(Row.init) ?? [] }

  /// The target of the link with that relation.
  func link(_ relation: String) -> String? {
    for link in self["link"]?.components(separatedBy: ", ") ?? [] {
      let parts = link.components(separatedBy: "; ")
      if parts.last == "rel=\"\(relation)\"" { return String(parts[0].dropFirst().dropLast()) }
    }
    return nil
  }
}

/// One row of a page, as far as the tests compare it.
struct Row: Sendable, Equatable {
  var index: Int
  var type: String
  /// Nil for the sentinel.
  var id: String?
  var title: String

  init?(_ value: JSONValue) {
    guard let index = value["index"]?.number, let type = value["type"]?.text,
      let title = value["title"]?.text
    else { return nil }
    self.index = index
    self.type = type
    id = value["id"]?.text
    self.title = title
  }
}

extension JSONValue {
  subscript(key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }
  var number: Int? {
    if case .number(let number) = self { number.int64.map(Int.init) } else { nil }
  }
  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
}

extension JSONValue {
  init(_ number: Int) { self = .number(JSONNumber(Int64(number))) }
}
