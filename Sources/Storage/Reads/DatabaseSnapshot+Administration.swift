import Inventory
import SQL

extension DatabaseSnapshot {
  func home() throws(InventoryError) -> (inventory: InventoryID, root: ListID) {
    try reading { (access) throws(StorageError) in
      return (try access.inventoryID(), ListID(try access.id(of: access.root)))
    }
  }

  func tokens() throws(InventoryError) -> [Token] {
    guard caller.role >= .owner else { throw .roleForbids(needed: .owner) }
    return try reading { (access) throws(StorageError) in
      try TokenTable(db: db).visible(to: access)
    }
  }

  func invitations() throws(InventoryError) -> [Invitation] {
    guard caller.role >= .owner else { throw .roleForbids(needed: .owner) }
    return try reading { (access) throws(StorageError) in
      try InvitationTable(db: db).visible(to: access)
    }
  }

  func invitation(_ code: InvitationCode) throws(InventoryError) -> (Invitation, title: String) {
    try reading { () throws(StorageError) in
      guard let found = try InvitationTable(db: db).find(code) else {
        throw .refused(.invitationInvalid)
      }
      // A snapshot has no clock. The caller has looked whether the invitation is open.
      let madeAt = Timestamp(seconds: found.acceptBy.seconds - Invitation.lifetime)
      let (access, _) = try found.access(in: db, now: madeAt)
      return (found, try access.list(.root).details.title)
    }
  }

  func inventories() throws(InventoryError) -> [InventoryDescription] {
    guard caller.role >= .admin else { throw .roleForbids(needed: .admin) }
    return try reading { () throws(StorageError) in
      try db.sql(
        InventoryDescription.columns,
        "WHERE hidden = 0 ORDER BY coalesce(stands_for, inventory.key)"
      ).all(InventoryDescription.init)
    }
  }

  func inventory() throws(InventoryError) -> InventoryDescription {
    try reading { (access) throws(StorageError) in try access.description() }
  }
}

extension Access {
  /// - Throws: `notFound` if the caller sees only a part of the inventory.
  func description() throws(StorageError) -> InventoryDescription {
    guard root == inventoryRoot else { throw .refused(.notFound(.inventory)) }
    let found = try db.sql(InventoryDescription.columns, "WHERE inventory.key = ?1")
      .bind(inventory).one(InventoryDescription.init)
    guard let found else { throw .broken("inventory \(inventory) is gone") }
    return found
  }
}

extension InventoryDescription {
  fileprivate static let columns: StaticString = """
    SELECT inventory.id, row.id, title, inventory.revision, inventory.created_at, depth_limit
    FROM inventory JOIN row ON row.key = inventory.root
    """

  fileprivate init(_ row: Statement) {
    self.init(
      id: InventoryID(row.uuid(0)), rootListID: ListID(row.uuid(1)), title: row.string(2),
      revision: Revision(row.int64(3)), createdAt: row.time(4),
      depthLimit: row.int64OrNil(5).flatMap { DepthLimit(level: Int($0)) })
  }
}
