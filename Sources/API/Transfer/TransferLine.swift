import FoundationEssentials
import Inventory
import JSON

/// A parsed line of an import.
enum TransferLine {
  /// The appearance of the inventory; nil in files of older servers.
  case header(Appearance?)
  case record(TransferRecord)
  /// A photo with its size. Its bytes, in later lines, determine its type and dimensions.
  case photo(PhotoID, of: ItemID, size: Int, createdAt: Timestamp)
  case piece(of: PhotoID, number: Int, [UInt8])
  case end(lists: Int, items: Int, photos: Int)

  /// Parses a line's JSON object.
  ///
  /// - Throws: `invalid_lines` with all errors of the line.
  init(
    _ text: UnsafeBufferPointer<UInt8>, line: Int, isFirst: Bool, maximumDepth: Int, now: Timestamp
  ) throws(Problem) {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONReader.parse(text, maximumDepth: maximumDepth)
    } catch {
      throw .invalid(line: line, "\(error.reason.sentence) At byte \(error.offset) of the line.")
    }
    guard case .object(let object) = value else {
      throw .invalid(line: line, "A line is a JSON object.")
    }
    let faults = FieldErrors()
    let result = Self.read(object, isFirst: isFirst, now: now, faults)
    guard let result, faults.all.isEmpty else {
      throw .invalid(lines: faults.all.map { $0.on(line: line) })
    }
    self = result
  }

  private static func read(
    _ object: JSONObject, isFirst: Bool, now: Timestamp, _ faults: FieldErrors
  ) -> TransferLine? {
    if isFirst { return .header(header(object, faults)) }
    if object.contains("end") { return end(object, faults) }
    switch object["type"] {
    case .string("list"): return list(object, now, faults).map { .record(.list($0)) }
    case .string("item"): return item(object, now, faults).map { .record(.item($0)) }
    case .string("photo"): return photo(object, now, faults)
    case .string("piece"): return piece(object, faults)
    default:
      faults.note(
        .member(["type"], "The type must be \"list\", \"item\", \"photo\" or \"piece\"."))
      return nil
    }
  }

  private static func header(_ object: JSONObject, _ faults: FieldErrors) -> Appearance? {
    if object["format"] != .string(TransferFormat.name) {
      faults.note(
        .member(["format"], "The first line must be {\"format\":\"\(TransferFormat.name)\", …}."))
    } else if object["version"] != JSONValue.number(JSONNumber(Int64(TransferFormat.version))) {
      faults.note(.member(["version"], "This server reads only version \(TransferFormat.version)."))
    }
    // Later servers may write more members, so unknown ones are ignored.
    func names(_ object: JSONObject?) -> [String] { object?.members.map(\.key) ?? [] }
    return Members(object, known: names(object), faults)
      .members("appearance", known: names(object["appearance"]?.object)).map { Appearance($0) }
  }

  private static func end(_ object: JSONObject, _ faults: FieldErrors) -> TransferLine? {
    let members = Members(object, known: ["end", "lists", "items", "photos"], faults)
    if !members.flag("end", default: false) { members.note("end", "The value must be true.") }
    guard let lists = members.whole("lists"), let items = members.whole("items") else {
      members.note("lists", "The last line must have the numbers of lists and items.")
      return nil
    }
    return .end(
      lists: Int(lists), items: Int(items), photos: Int(members.whole("photos") ?? 0))
  }

  private static func photo(
    _ object: JSONObject, _ now: Timestamp, _ faults: FieldErrors
  ) -> TransferLine? {
    let members = Members(
      object, known: ["type", "id", "itemId", "size", "createdAt"],
      // Determined from the bytes, so the given values are ignored.
      readOnly: ["mediaType", "width", "height", "orientation"], faults)
    let id = members.identifier("id", as: PhotoID.self, missing: "An id is required: a UUID.")
    let item = members.identifier("itemId", as: ItemID.self, missing: "The item's id is required.")
    let size = members.whole("size", missing: "The number of bytes is required.")
    if let size, size < 1 { members.note("size", "A photo must have at least one byte.") }
    let createdAt = members.time("createdAt") ?? now
    guard let id, let item, let size else { return nil }
    return .photo(id, of: item, size: Int(size), createdAt: createdAt)
  }

  private static func piece(_ object: JSONObject, _ faults: FieldErrors) -> TransferLine? {
    let members = Members(object, known: ["type", "photoId", "number", "base64"], faults)
    let photo = members.identifier(
      "photoId", as: PhotoID.self, missing: "The photo's id is required.")
    let number = members.whole(
      "number", missing: "The number of the piece is required: 0, 1, 2, …")
    guard let text = members.text("base64"), let bytes = Base64.decode(text) else {
      members.note("base64", "Bytes in base64 with padding (RFC 4648 §4) are required.")
      return nil
    }
    guard let photo, let number else { return nil }
    return .piece(of: photo, number: Int(number), bytes)
  }

  private static func list(
    _ object: JSONObject, _ now: Timestamp, _ faults: FieldErrors
  ) -> TransferredList? {
    let members = Members(
      object,
      known: ["type", "id", "parentId", "itemId", "createdAt", "updatedAt"] + ListDetails.writable,
      faults)
    let id: ListID? = members.identifier("id", missing: "An id is required: a UUID.")
    let parent: ListID? = members.identifier("parentId")
    let item: ItemID? = members.identifier("itemId")
    if parent != nil, item != nil {
      members.note("itemId", "A list has a parent or an item, not both.")
    }
    // An existing row keeps what its line omits. The store refuses a new one without a name.
    let details = ListDetails(members, isPart: true)
    let createdAt = members.time("createdAt") ?? now
    guard let id else { return nil }
    var list = TransferredList(
      id: id, holder: parent.map { .list($0) } ?? item.map { .item($0) } ?? .nothing,
      details: details, createdAt: createdAt, updatedAt: members.time("updatedAt") ?? now)
    list.absent = absent(in: object)
    for (name, permission) in Permissions.named where isAbsent(["permissions", name], in: object) {
      list.absentPermissions.insert(permission)
    }
    return list
  }

  private static func item(
    _ object: JSONObject, _ now: Timestamp, _ faults: FieldErrors
  ) -> TransferredItem? {
    let members = Members(
      object, known: ["type", "id", "listId", "createdAt", "updatedAt"] + ItemDetails.writable,
      faults)
    let id: ItemID? = members.identifier("id", missing: "An id is required: a UUID.")
    let list: ListID? = members.identifier("listId", missing: "The list's id is required.")
    let details = ItemDetails(members, kind: nil, isPart: true)
    let createdAt = members.time("createdAt") ?? now
    let updatedAt = members.time("updatedAt") ?? now
    guard let id, let list else { return nil }
    var item = TransferredItem(
      id: id, list: list, details: details, createdAt: createdAt, updatedAt: updatedAt)
    item.absent = absent(in: object)
    if object.contains("car") { item.absent.remove(.kind) }
    return item
  }

  /// The omitted fields of a line, which a merge leaves unchanged.
  private static func absent<Field: RawRepresentable<String> & CaseIterable & Hashable>(
    in object: JSONObject
  ) -> Set<Field> {
    Set(
      Field.allCases.filter { field in
        isAbsent(field.rawValue.split(separator: ".").map(String.init), in: object)
      })
  }

  /// Null stands for all parts of a member, so they are not omitted.
  private static func isAbsent(_ path: [String], in object: JSONObject) -> Bool {
    guard path.count == 2, let whole = object[path[0]] else { return !object.contains(path[0]) }
    if case .object(let parts) = whole { return !parts.contains(path[1]) }
    return false
  }
}
