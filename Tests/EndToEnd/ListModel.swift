import JSON

/// What one client knows of a list that it alone writes to.
struct ListModel: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    var id: String
    var title: String
  }

  /// A write that, once answered, must be there.
  enum Write: Sendable {
    case insert(id: String, title: String, at: Int)
    case move(from: Int, to: Int)
    case rename(at: Int, to: String)
    case delete(at: Int)
  }

  var entries: [Entry] = []

  init() {}

  init(_ rows: [Row]) {
    entries = rows.map { Entry(id: $0.id ?? "", title: $0.title) }
  }

  mutating func apply(_ write: Write) {
    switch write {
    case .insert(let id, let title, let index):
      entries.insert(Entry(id: id, title: title), at: index)
    case .move(let from, let to): entries.insert(entries.remove(at: from), at: to)
    case .rename(let index, let title): entries[index].title = title
    case .delete(let index): entries.remove(at: index)
    }
  }

  func applying(_ write: Write?) -> ListModel {
    var result = self
    if let write { result.apply(write) }
    return result
  }

  /// A write that fits the list as it is; the list stays below 60 rows.
  func randomWrite(_ random: inout some RandomNumberGenerator) -> Write {
    let choice =
      entries.isEmpty ? 0 : entries.count >= 60 ? 9 : Int.random(in: 0..<10, using: &random)
    let index = Int.random(in: 0..<max(1, entries.count), using: &random)
    switch choice {
    case 0..<4:
      let place = Int.random(in: 0...entries.count, using: &random)
      return .insert(
        id: newID(), title: "Thing \(UInt16.random(in: 0...999, using: &random))", at: place)
    case 4..<7: return .move(from: index, to: Int.random(in: 0..<entries.count, using: &random))
    case 7..<9: return .rename(at: index, to: "Name \(UInt16.random(in: 0...999, using: &random))")
    default: return .delete(at: index)
    }
  }

  /// Asks the server for a write; the id of a row keeps it to what is meant.
  func send(_ write: Write, to list: String, over client: Client) throws -> Answer {
    switch write {
    case .insert(let id, let title, let index):
      try client.send(
        "POST", "/v1/lists/\(list)/items?strict=true",
        ["id": .string(id), "name": .string(title), "position": ["index": .init(index)]])
    case .move(let from, let to):
      try client.send(
        "POST", "/v1/lists/\(list)/move-row?strict=true",
        ["from": .init(from), "to": .init(to), "id": .string(entries[from].id)])
    case .rename(let index, let title):
      try client.send("PATCH", "/v1/items/\(entries[index].id)", ["name": .string(title)])
    case .delete(let index):
      try client.send(
        "DELETE", "/v1/lists/\(list)/rows/\(index)?id=\(entries[index].id)")
    }
  }
}
