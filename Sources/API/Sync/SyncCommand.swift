import FoundationEssentials
import Inventory
import JSON

/// One command of an offline client.
struct SyncCommand: Sendable {
  let number: Int64
  let command: Command
  /// The size of its JSON, in bytes.
  let size: Int
  /// The SHA-256 digest of its JSON without the number.
  let digest: [UInt8]
  /// What an edit found when it was made. Nil for other commands.
  private(set) var merge: EditMerge?
  /// The row that it deletes.
  private(set) var deleted: RowID?

  private enum Kind: String, CaseIterable {
    case createList, createItem, editList, editItem, moveRows, delete, restore

    var members: [String] {
      switch self {
      case .createList: ["listId", "position", "list"]
      case .createItem: ["listId", "position", "item"]
      case .editList, .editItem: ["id", "patch", "from"]
      case .moveRows: ["ids", "listId", "position"]
      case .delete: ["id", "recursive"]
      case .restore: ["id", "listId", "position"]
      }
    }
  }

  /// The commands of a body. Notes an error unless their numbers rise by one.
  static func all(in members: Members) -> [SyncCommand] {
    let objects =
      members.array(
        "commands", of: "an object", missing: "Send an array of commands.", \.object) ?? []
    let limit = Limits.syncCommands
    if members["commands"] != nil, !(1...limit).contains(objects.count) {
      members.note("commands", "Send 1 to \(limit) commands.")
    }
    var commands: [SyncCommand] = []
    var first: Int64?
    for (index, object) in objects.prefix(limit) where !members.faults.isFull {
      let path = ["commands", String(index)]
      let number = number(
        in: object, expected: first.map { $0 + Int64(index) }, path, members.faults)
      first = first ?? number.map { $0 - Int64(index) }
      if let command = SyncCommand(number: number ?? 0, object, at: path, members.faults) {
        commands.append(command)
      }
    }
    return commands
  }

  /// The number of a command. Nil if it cannot be read.
  private static func number(
    in object: JSONObject, expected: Int64?, _ path: [String], _ faults: FieldErrors
  ) -> Int64? {
    let range = 1...Limits.syncNumber
    guard let number = object["sequence"]?.int64, range.contains(number) else {
      faults.note(
        .member(path + ["sequence"], "Send a whole number from 1 to \(range.upperBound)."))
      return nil
    }
    if let expected, number != expected {
      faults.note(
        .member(path + ["sequence"], "Send \(expected). The numbers of a batch rise by one."))
    }
    return number
  }

  /// Nil only after it has noted an error.
  private init?(number: Int64, _ object: JSONObject, at path: [String], _ faults: FieldErrors) {
    self.number = number
    guard let kind = object["type"]?.text.flatMap(Kind.init) else {
      let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      faults.note(.member(path + ["type"], "Send the kind of command, one of: \(kinds)."))
      return nil
    }
    let members = Members(object, at: path, known: ["sequence", "type"] + kind.members, faults)
    size = object.members.reduce(0) { $0 + $1.value.approximateSize }
    var unnumbered = object
    unnumbered["sequence"] = nil
    digest = SHA256.digest(of: JSONValue.object(unnumbered).canonicalBytes)
    let command: Command?
    switch kind {
    case .createList: command = Self.creation(ofList: members)
    case .createItem: command = Self.creation(ofItem: members)
    case .editList, .editItem:
      let merge = EditMerge(members)
      self.merge = merge
      command = kind == .editList ? merge?.edit(list: members) : merge?.edit(item: members)
    case .moveRows: command = Self.move(members)
    case .delete:
      deleted = members.identifier("id", missing: Self.rowExpected)
      let isRecursive = members.flag("recursive", default: false)
      command = deleted.map { .deleteRow($0, kind: .any, isRecursive: isRecursive) }
    case .restore:
      let row: RowID? = members.identifier("id", missing: Self.rowExpected)
      let (list, position) = (members.list("listId"), members.position(takesIndex: false))
      command = row.map { .restore($0, into: list, position) }
    }
    guard let command else { return nil }
    self.command = command
  }

  private static let rowExpected = "Send a row's id."

  /// The list that a command names. It is required, because a client knows where its rows are.
  private static func list(_ members: Members) -> ListReference? {
    if members["listId"] == nil {
      members.note("listId", "Send a list's id, or \"root\".")
      return nil
    }
    return members.list("listId")
  }

  private static func creation(ofList members: Members) -> Command? {
    let (parent, position) = (list(members), members.position(takesIndex: false) ?? .last)
    guard let (object, id) = content("list", of: members), let parent else { return nil }
    let own = FieldErrors()
    let details = ListDetails(
      Members(
        object, known: ["id"] + ListDetails.writable, readOnly: ListDetails.readOnly, own))
    if let refusal = refusal(in: parent, own, below: "list") { return refusal }
    return .createList(
      NewList(id: ListID(id), parent: parent, details: details, position: position))
  }

  private static func creation(ofItem members: Members) -> Command? {
    let (list, position) = (list(members), members.position(takesIndex: false) ?? .last)
    guard let (object, id) = content("item", of: members), let list else { return nil }
    let own = FieldErrors()
    let given = Members(
      object, known: ["id", "createdAt"] + ItemDetails.writable, readOnly: ItemDetails.readOnly,
      own)
    let item = NewItem(
      id: ItemID(id), details: ItemDetails(given, kind: nil), createdAt: given.time("createdAt"))
    return refusal(in: list, own, below: "item") ?? .createItem(item, in: list, position)
  }

  /// The object of a new row, with the id that the client has chosen.
  private static func content(
    _ name: String, of members: Members
  ) -> (object: JSONObject, id: RowID)? {
    guard let object = members.object(name, missing: "Send an object.") else { return nil }
    guard let id = object["id"]?.text.flatMap({ RowID(text: $0) }) else {
      members.faults.note(
        .member(members.path + [name, "id"], "Send the id that the client has chosen: a UUID."))
      return nil
    }
    return (object, id)
  }

  /// A write that the store refuses with the errors, after it has looked for the list. Nil without errors.
  private static func refusal(
    in list: ListReference, _ faults: FieldErrors, below name: String
  ) -> Command? {
    guard !faults.all.isEmpty else { return nil }
    let errors = faults.all.map { FieldError([name] + $0.path, $0.detail) }
    return .editList(list) { _ throws(InventoryError) in throw .invalid(errors) }
  }

  private static func move(_ members: Members) -> Command? {
    let rows = members.rows("ids", missing: "Send an array of row ids.") ?? []
    if members["ids"] != nil, !(1...Limits.rowsMovedAtOnce).contains(rows.count) {
      members.note("ids", "Send 1 to \(Limits.rowsMovedAtOnce) ids.")
    }
    var seen: Set<RowID> = []
    for (index, row) in rows where !seen.insert(row).inserted {
      members.faults.note(
        .member(members.path + ["ids", String(index)], "Given more than once."))
    }
    let position = members.position(takesIndex: false) ?? .last
    return list(members).map { .moveRows(rows.map(\.element), into: $0, position) }
  }
}

extension JSONValue {
  /// About the size of its JSON, in bytes.
  fileprivate var approximateSize: Int {
    switch self {
    case .null, .bool, .number: 8
    case .string(let text): text.utf8.count + 3
    case .array(let elements): elements.reduce(2) { $0 + $1.approximateSize }
    case .object(let object):
      object.members.reduce(2) { $0 + $1.key.utf8.count + 3 + $1.value.approximateSize }
    }
  }
}
