import FoundationEssentials
import Inventory
import JSON

/// A line of an import.
enum TransferLine {
  case header
  case record(TransferRecord)
  case end(lists: Int, items: Int)

  /// Reads the JSON object that the line is to be.
  ///
  /// - Throws: `invalid_lines` with all that is wrong with it.
  init(
    _ text: UnsafeBufferPointer<UInt8>, line: Int, isFirst: Bool, now: Timestamp
  ) throws(Problem) {
    let value: JSONValue
    do throws(JSONSyntaxError) { value = try JSONReader.parse(text) } catch {
      throw .invalid(lines: [
        LineFault(line, nil, "\(error.reason.sentence) At byte \(error.offset) of the line.")
      ])
    }
    guard case .object(let object) = value else {
      throw .invalid(lines: [LineFault(line, nil, "A line is a JSON object.")])
    }
    let faults = Faults()
    let result = Self.read(object, isFirst: isFirst, now: now, faults)
    guard let result, faults.all.isEmpty else {
      throw .invalid(lines: faults.all.map { LineFault(line, $0) })
    }
    self = result
  }

  private static func read(
    _ object: JSONObject, isFirst: Bool, now: Timestamp, _ faults: Faults
  ) -> TransferLine? {
    if isFirst {
      checkHeader(object, faults)
      return .header
    }
    if object.contains("end") { return end(object, faults) }
    switch object["type"] {
    case .string("list"): return list(object, now, faults).map { .record(.list($0)) }
    case .string("item"): return item(object, now, faults).map { .record(.item($0)) }
    default:
      faults.note(.member(["type"], "It is to be \"list\" or \"item\"."))
      return nil
    }
  }

  private static func checkHeader(_ object: JSONObject, _ faults: Faults) {
    if object["format"] != .string(TransferFormat.name) {
      faults.note(
        .member(["format"], "The first line says {\"format\":\"\(TransferFormat.name)\", …}."))
    } else if object["version"] != JSONValue.number(JSONNumber(Int64(TransferFormat.version))) {
      faults.note(.member(["version"], "Only version \(TransferFormat.version) can be read here."))
    }
  }

  private static func end(_ object: JSONObject, _ faults: Faults) -> TransferLine? {
    let members = Members(object, known: ["end", "lists", "items"], faults)
    if !members.flag("end", default: false) { members.note("end", "It is to be true.") }
    guard let lists = members.whole("lists"), let items = members.whole("items") else {
      members.note("lists", "The last line tells how many lists and items there are.")
      return nil
    }
    return .end(lists: Int(lists), items: Int(items))
  }

  private static func list(
    _ object: JSONObject, _ now: Timestamp, _ faults: Faults
  ) -> TransferredList? {
    let members = Members(
      object,
      known: ["type", "id", "parentId", "itemId", "createdAt", "updatedAt"] + ListDetails.writable,
      faults)
    let id: ListID? = members.identifier("id")
    if members["id"] == nil { members.note("id", "It is required: a UUID.") }
    let parent: ListID? = members.identifier("parentId")
    let item: ItemID? = members.identifier("itemId")
    if parent != nil, item != nil {
      members.note("itemId", "A list has a parent or holds an item's contents, not both.")
    }
    let details = ListDetails(members, faults)
    let createdAt = members.time("createdAt") ?? now
    guard let id else { return nil }
    return TransferredList(
      id: id, holder: parent.map { .list($0) } ?? item.map { .item($0) } ?? .nothing,
      details: details, createdAt: createdAt, updatedAt: members.time("updatedAt") ?? now)
  }

  private static func item(
    _ object: JSONObject, _ now: Timestamp, _ faults: Faults
  ) -> TransferredItem? {
    let members = Members(
      object, known: ["type", "id", "listId", "createdAt", "updatedAt"] + ItemDetails.writable,
      faults)
    let id: ItemID? = members.identifier("id")
    if members["id"] == nil { members.note("id", "It is required: a UUID.") }
    let list: ListID? = members.identifier("listId")
    if members["listId"] == nil { members.note("listId", "It is required: its list's id.") }
    let details = ItemDetails(members, kind: nil, faults)
    let createdAt = members.time("createdAt") ?? now
    let updatedAt = members.time("updatedAt") ?? now
    guard let id, let list else { return nil }
    return TransferredItem(
      id: id, list: list, details: details, createdAt: createdAt, updatedAt: updatedAt)
  }
}
