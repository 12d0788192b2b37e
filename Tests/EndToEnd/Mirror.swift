import JSON

/// A client that shows some lists and follows their events.
struct Mirror: Sendable {
  /// The rows of one list at one revision of it.
  struct Showing: Sendable, Hashable {
    let list: String
    let revision: Int
  }

  /// Whether it follows the inventory, or else the one list that it shows.
  let isOfInventory: Bool
  private(set) var lists: [String: MirroredList] = [:]
  /// The revision of the last event, to go on from.
  private(set) var lastID: Int?
  /// What it has shown on its way.
  private(set) var shown: [Showing: [JSONValue]] = [:]
  private(set) var eventCount = 0
  private(set) var cutCount = 0

  init(isOfInventory: Bool) { self.isOfInventory = isOfInventory }

  /// Follows until it has reached the last revision that `end` returns. `cut` says after which events the connection
  /// is dropped.
  ///
  /// - Throws: `Client.Fault` when the connection is lost; call it again with another.
  mutating func follow(
    _ names: [String], _ connect: () throws -> Client, cut: () -> Bool, until end: () -> Int?
  ) throws {
    let client = try connect()
    // Without the id of an event it can't resume, and rows read before this stream may have changed since.
    if lastID == nil { lists = [:] }
    let path = isOfInventory ? "/v1/events" : "/v1/lists/\(names[0])/events"
    var reader: EventReader
    if lists.isEmpty, !isOfInventory {
      // What the rows say is where the events are to begin.
      let list = try MirroredList(try Self.page(of: names[0], client))
      reader = try EventReader(try connect(), path + "?since=\(list.revision)")
      lists[names[0]] = list
    } else {
      reader = try EventReader(try connect(), path, after: lastID)
    }
    guard reader.head.status == 200 else {
      throw MirroredList.Fault("no stream: \(reader.head.status)")
    }
    for name in names where lists[name] == nil {
      lists[name] = try MirroredList(try Self.page(of: name, client))
    }
    for (name, list) in lists { show(name, list) }
    while end().map({ $0 > lastID ?? -1 }) ?? true {
      guard let event = try reader.nextBlock() else { throw Client.Fault.closed }
      if event.name != nil, event.name != "position" { try take(event, client) }
      if let id = event.id {
        guard id >= lastID ?? 0 else { throw MirroredList.Fault("\(id) after \(lastID ?? 0)") }
        lastID = id
      }
      if cut() {
        cutCount += 1
        reader = try EventReader(try connect(), path, after: lastID)
      }
    }
  }

  private mutating func take(_ event: EventReader.Event, _ client: Client) throws {
    eventCount += 1
    guard event.name == "change" else { throw MirroredList.Fault("unexpected: \(event)") }
    if let lastID, event.number("/fromRevision") != lastID, isOfInventory {
      throw MirroredList.Fault("a gap after \(lastID): \(event)")
    }
    for delta in event.at("/deltas")?.elements ?? [] {
      guard let name = delta["listId"]?.text, var list = lists[name] else { continue }
      guard let from = delta["fromRevision"]?.number, let to = delta["toRevision"]?.number else {
        throw MirroredList.Fault("no revisions: \(delta)")
      }
      if to <= list.revision { continue }
      if from == list.revision {
        try list.apply(delta)
      } else {
        // The rows were read in the midst of the event's span: from there to now there is a delta, too.
        let answer = try client.get("/v1/lists/\(name)/changes?since=\(list.revision)")
        guard answer.status == 200, from < list.revision, let rest = answer.at("/deltas/0") else {
          throw MirroredList.Fault("\(name) at \(list.revision): \(delta)")
        }
        try list.apply(rest)
      }
      lists[name] = list
      show(name, list)
    }
  }

  private mutating func show(_ name: String, _ list: MirroredList) {
    shown[Showing(list: name, revision: list.revision)] = list.rows
  }

  static func page(of list: String, _ client: Client) throws -> Answer {
    try client.get("/v1/lists/\(list)/rows?sentinel=false&limit=1000")
  }
}
