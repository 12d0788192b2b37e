import FoundationEssentials
import Inventory
import SQL

/// The table of invitations.
struct InvitationTable {
  let db: Connection

  func insert(_ invitation: Invitation) throws(StorageError) {
    try db.sql(
      """
      INSERT INTO invitation
        (digest, maker, inventory, root, role, token_expires_at, name, expires_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """
    ).bind(invitation.code.digest).bind(invitation.maker).bind(invitation.inventory)
      .bind(invitation.root).bind(invitation.role.rawValue).bind(invitation.expiresAt?.seconds)
      .bind(invitation.name).bind(invitation.acceptBy.seconds).perform()
  }

  /// Removes an invitation and returns it. Nil if there is none with this code.
  func take(_ code: InvitationCode) throws(StorageError) -> Invitation? {
    let found = try find(code)
    try remove(code)
    return found
  }

  func remove(_ code: InvitationCode) throws(StorageError) {
    try db.sql("DELETE FROM invitation WHERE digest = ?1").bind(code.digest).perform()
  }

  func find(_ code: InvitationCode) throws(StorageError) -> Invitation? {
    try db.sql(Invitation.columns, "WHERE digest = ?1").bind(code.digest).one(Invitation.init)
  }

  /// The caller's own invitations, and those to tokens that the caller may revoke. Those that end last come last.
  func visible(to access: Access) throws(StorageError) -> [Invitation] {
    let own = try access.inventoryID()
    var visible: [Invitation] = []
    for invitation in try db.sql(Invitation.columns, "ORDER BY expires_at, digest")
      .all(Invitation.init)
    {
      var isVisible = invitation.maker != nil && invitation.maker == access.caller.token
      if !isVisible {
        isVisible = try access.mayRevoke(invitation.inventory, invitation.root, own: own)
      }
      if isVisible { visible.append(invitation) }
    }
    return visible
  }

  /// When each invitation expires.
  func all() throws(StorageError) -> [InvitationCode: Timestamp] {
    var all: [InvitationCode: Timestamp] = [:]
    try db.sql("SELECT digest, expires_at FROM invitation").each { row in
      all[InvitationCode(digest: row.bytesOrNil(0) ?? [])] = row.time(1)
    }
    return all
  }

  /// The number of an inventory's invitations, or of those to administrators' tokens.
  func count(of inventory: InventoryID?) throws(StorageError) -> Int {
    try db.sql("SELECT count(*) FROM invitation WHERE inventory IS NOT DISTINCT FROM ?1").bind(
      inventory
    )
    .one { $0.int(0) } ?? 0
  }

  func removeExpired(at now: Timestamp, atMost limit: Int) throws(StorageError) {
    try db.sql(
      """
      DELETE FROM invitation WHERE digest IN (
        SELECT digest FROM invitation WHERE expires_at <= ?1 LIMIT ?2)
      """
    ).bind(now.seconds).bind(limit).perform()
  }

  func removeAll(of maker: TokenID) throws(StorageError) {
    try db.sql("DELETE FROM invitation WHERE maker = ?1").bind(maker).perform()
  }

  func removeAll(inventory: UUID, root: UUID) throws(StorageError) {
    try db.sql("DELETE FROM invitation WHERE inventory = ?1 AND root = ?2")
      .bind(InventoryID(inventory)).bind(ListID(root)).perform()
  }
}

extension Invitation {
  fileprivate static let columns: StaticString = """
    SELECT digest, maker, inventory, root, role, token_expires_at, name, expires_at FROM invitation
    """

  fileprivate init(_ row: Statement) {
    self.init(
      code: InvitationCode(digest: row.bytesOrNil(0) ?? []),
      name: row.isNull(6) ? nil : row.string(6), role: Role(rawValue: row.int(4)) ?? .reader,
      inventory: row.isNull(2) ? nil : InventoryID(row.uuid(2)),
      root: row.isNull(3) ? nil : ListID(row.uuid(3)),
      maker: row.isNull(1) ? nil : TokenID(row.uuid(1)), acceptBy: row.time(7),
      expiresAt: row.int64OrNil(5).map { Timestamp(seconds: $0) })
  }
}
