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
    let found = try db.sql(
      """
      SELECT maker, inventory, root, role, token_expires_at, name, expires_at FROM invitation
      WHERE digest = ?1
      """
    ).bind(code.digest).one { row in
      Invitation(
        code: code, name: row.isNull(5) ? nil : row.string(5),
        role: Role(rawValue: row.int(3)) ?? .reader,
        inventory: row.isNull(1) ? nil : InventoryID(row.uuid(1)),
        root: row.isNull(2) ? nil : ListID(row.uuid(2)),
        maker: row.isNull(0) ? nil : TokenID(row.uuid(0)), acceptBy: row.time(6),
        expiresAt: row.int64OrNil(4).map { Timestamp(seconds: $0) })
    }
    try db.sql("DELETE FROM invitation WHERE digest = ?1").bind(code.digest).perform()
    return found
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
