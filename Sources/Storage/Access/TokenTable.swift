import FoundationEssentials
import Inventory
import SQLite

/// The tokens as a table.
struct TokenTable {
  let db: Connection

  func insert(
    _ token: Token, digest: [UInt8]
  ) throws(StorageError) {
    try db.sql(
      """
      INSERT INTO token (id, digest, inventory, root, role, name, created_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """
    ).bind(token.id).bind(digest).bind(token.inventory.map { RowID($0.uuid) })
      .bind(token.root.map { RowID($0) }).bind(
        token.role.rawValue
      )
      .bind(token.name).bind(token.createdAt.seconds).perform()
  }

  func remove(_ id: TokenID) throws(StorageError) {
    try db.sql("DELETE FROM token WHERE id = ?1").bind(id).perform()
  }

  /// Throws `tokenRevoked` if the caller has shown a token that is gone.
  ///
  /// Every write asks this in its own transaction: its token may have been revoked while it waited.
  func requireToken(of caller: Caller) throws(StorageError) {
    guard let token = caller.token else { return }
    let isThere = try db.sql("SELECT 1 FROM token WHERE id = ?1").bind(token).one { _ in true }
    guard isThere != nil else { throw .refused(.tokenRevoked) }
  }

  /// Removes up to `limit` tokens of a list that is gone for good, with their navigators: a list that is made with its id
  /// later is another. Returns whether there were any.
  func remove(ofList id: RowID, inventory: Int64, limit: Int) throws(StorageError) -> Bool {
    try remove(
      try db.sql(
        """
        SELECT id FROM token
        WHERE root = ?1 AND inventory = (SELECT id FROM inventory WHERE key = ?2) LIMIT ?3
        """
      ).bind(id).bind(inventory).bind(limit)) > 0
  }

  /// Removes the tokens of lists that are not there, as `remove(ofList:inventory:limit:)` does: behind what puts other lists in
  /// the place of many.
  func removeOrphans() throws(StorageError) {
    _ = try remove(
      try db.sql(
        """
        SELECT id FROM token WHERE root IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM inventory JOIN row ON row.inventory = inventory.key
          WHERE inventory.id = token.inventory AND row.id = token.root AND row.kind = 0)
        """))
  }

  private func remove(_ ids: Statement) throws(StorageError) -> Int {
    var gone: [TokenID] = []
    try ids.each { gone.append(TokenID($0.uuid(0))) }
    for id in gone {
      try remove(id)
      try NavigatorRecord.giveUpAll(of: id, in: db)
    }
    return gone.count
  }

  var count: Int {
    get throws(StorageError) { try db.sql("SELECT count(*) FROM token").one { $0.int(0) } ?? 0 }
  }

  /// Calls the body with each token and its digest, oldest first.
  func each(_ body: (Token, [UInt8]) -> Void) throws(StorageError) {
    try db.sql(
      """
      SELECT id, digest, inventory, root, role, name, created_at FROM token
      ORDER BY created_at, id
      """
    ).each { row in
      let token = Token(
        id: TokenID(row.uuid(0)), name: row.string(5),
        role: Role(rawValue: row.int(4)) ?? .reader,
        inventory: row.isNull(2) ? nil : InventoryID(row.uuid(2)),
        root: row.isNull(3) ? nil : ListID(row.uuid(3)),
        createdAt: Timestamp(seconds: row.int64(6)))
      body(token, row.bytesOrNil(1) ?? [])
    }
  }

  /// The tokens that a caller may see and revoke.
  func visible(to access: Access) throws(StorageError) -> [Token] {
    var tokens: [Token] = []
    try each { token, _ in tokens.append(token) }
    let caller = access.caller
    if caller.role == .admin, caller.inventory == nil { return tokens }
    let inventory = try access.inventoryID()
    var visible: [Token] = []
    for token in tokens where token.inventory == inventory {
      if try access.reaches(token.root) { visible.append(token) }
    }
    return visible
  }
}

extension Access {
  /// Whether a token's root is at or below the caller's own; one in the trash still is, and one that is gone is below
  /// the inventory's.
  fileprivate func reaches(_ id: ListID?) throws(StorageError) -> Bool {
    guard let id else { return root == inventoryRoot }
    guard let entry = try find(RowID(id)) else { return root == inventoryRoot }
    return switch try reach(entry.key, entry.parent) {
    case .live, .inTrash: true
    case .purged: root == inventoryRoot
    case .outside, .arriving: false
    }
  }
}
