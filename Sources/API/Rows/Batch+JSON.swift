import FoundationEssentials
import Inventory
import JSON

extension JSONWriter {
  /// The result of each operation of a batch, and one receipt.
  mutating func batch(_ results: BatchResults, _ receipt: Receipt, for context: ResponseContext) {
    object { writer in
      writer.object("results") { writer in
        writer.objects("deletes", results.deletions) { writer, deletion in
          writer.member("id", deletion.id)
          writer.member("index", deletion.index.value)
        }
        writer.objects("inserts", results.insertions) { $0.resourceMembers($1, for: context) }
        writer.objects("moves", results.moves) { writer, move in
          writer.member("id", move.id)
          writer.member("from", move.from.value)
          writer.member("to", move.to.value)
        }
        writer.objects("updates", results.updates) { $0.resourceMembers($1, for: context) }
      }
      writer.key("receipt")
      writer.receipt(receipt, for: context)
    }
  }

  /// The members of a list, an item or a photo in a write's response, with its `index`.
  mutating func resourceMembers(_ resource: Outcome.Resource, for context: ResponseContext) {
    switch resource {
    case .list(let list, let index):
      listMembers(list, for: context)
      member("index", index?.value)
    case .item(let item, let index):
      itemMembers(item)
      member("index", index.value)
    case .photo(let photo, _, let index): photoMembers(photo, index: index)
    // Responses with these have no receipt.
    case .navigator, .appearance, .inventory: break
    }
  }
}

extension Batch {
  static let members = ["deletes", "inserts", "moves", "updates"]

  /// Parses a batch from a body's members.
  init(_ members: Members, isRecursive: Bool, _ faults: FieldErrors) {
    self.init(isRecursive: isRecursive)
    deletions = Self.each("deletes", of: members, known: ["index", "id"], faults) {
      Subject($0, index: "index")
    }
    insertions = Self.each(
      "inserts", of: members, known: ["index", "item", "list"], faults, Self.insertion)
    moves = Self.each("moves", of: members, known: ["from", "id", "to"], faults) { members in
      let subject = Subject(members, index: "from")
      let to = members.index("to")
      guard let subject, let to else { return nil }
      return Move(subject, to: to)
    }
    updates = Self.each("updates", of: members, known: ["id", "patch"], faults, Self.update)
  }

  /// Whether an operation names a row or place by index only, and so depends on the revision that the client saw.
  var trustsIndices: Bool {
    func isBare(_ subject: Subject) -> Bool {
      if case .index(_, nil) = subject { true } else { false }
    }
    return !insertions.isEmpty || deletions.contains(where: isBare)
      || moves.contains { isBare($0.subject) }
  }

  /// Parses the operations of one kind. Each one's errors get its path as a prefix.
  private static func each<Operation>(
    _ name: String, of members: Members, known: [String], _ faults: FieldErrors,
    _ read: (Members) -> Operation?
  ) -> [Operation] {
    var operations: [Operation] = []
    for (number, object) in members.array(name, of: "an object", \.object) ?? []
    where !faults.isFull {
      let own = FieldErrors()
      if let operation = read(Members(object, known: known, own)) { operations.append(operation) }
      faults.note(own, below: [name, String(number)])
    }
    return operations
  }

  private static func insertion(_ members: Members) -> Insertion? {
    let index = members.index("index")
    let new: New?
    switch (members["item"], members["list"]) {
    case (.some, nil):
      new = members.separately("item") { object, faults in
        let members = Members(
          object, known: ["id", "createdAt"] + ItemDetails.writable,
          readOnly: ItemDetails.readOnly, faults)
        let id: ItemID? = members.identifier("id")
        return .item(
          NewItem(
            id: id ?? ItemID(.version7()), details: ItemDetails(members, kind: nil),
            createdAt: members.time("createdAt")))
      }
    case (nil, .some):
      new = members.separately("list") { object, faults in
        let members = Members(
          object, known: ["id"] + ListDetails.writable, readOnly: ListDetails.readOnly, faults)
        let id: ListID? = members.identifier("id")
        return .list(id ?? ListID(.version7()), ListDetails(members))
      }
    default:
      members.note("item", "Send item or list.")
      new = nil
    }
    guard let index, let new else { return nil }
    return Insertion(index: index, new: new)
  }

  private static func update(_ members: Members) -> Update? {
    let id: RowID? = members.identifier("id", missing: "Send a row's id.")
    if members["patch"] == nil { members.note("patch", "Send an object.") }
    let patch = members.separately("patch") { patch, faults in
      // The row's kind is unknown until the change is made. Refuses what fits neither kind.
      let (item, list) = (FieldErrors(), FieldErrors())
      ItemDetails.check(patch: patch, item)
      ListDetails.check(patch: patch, list)
      if !item.all.isEmpty, !list.all.isEmpty {
        faults.note(list.all.count < item.all.count ? list : item, below: [])
      }
      return patch
    }
    guard let id, let patch else { return nil }
    return Update(
      id,
      item: { (details) throws(InventoryError) in try details.patched(by: patch) },
      list: { (details) throws(InventoryError) in try details.patched(by: patch) })
  }
}

extension Batch.Subject {
  /// Parses a row named by an index, an id, or both.
  fileprivate init?(_ members: Members, index name: String) {
    let id: RowID? = members.identifier("id")
    guard members[name] != nil else {
      if members["id"] == nil { members.note(name, "Send index or id.") }
      guard let id else { return nil }
      self = .id(id)
      return
    }
    guard let index = members.index(name) else { return nil }
    self = .index(index, expecting: id)
  }
}
