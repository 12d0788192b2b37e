import FoundationEssentials
import Inventory
import SQL

/// The table of tokens.
///
/// A mark replaces the last token when it is removed with its list, or revoked by a caller who is not an administrator.
/// It keeps the server closed: only an administrator who revokes the last token opens the server again. The mark has an
/// id of zeros and is no token: no credential matches it.
struct TokenTable {
  let db: Connection

  func insert(_ token: Token, digest: [UInt8]) throws(StorageError) {
    try db.sql("DELETE FROM token WHERE id = zeroblob(16)").perform()
    try db.sql(
      """
      INSERT INTO token (id, digest, inventory, root, role, name, created_at, expires_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """
    ).bind(token.id).bind(digest).bind(token.inventory).bind(token.root)
      .bind(token.role.rawValue).bind(token.name).bind(token.createdAt.seconds)
      .bind(token.expiresAt?.seconds).perform()
  }

  /// The expiry of a caller's token; nil without a token or if it never expires.
  func expiry(of caller: Caller) throws(StorageError) -> Timestamp? {
    guard let token = caller.token else { return nil }
    let seconds = try db.sql("SELECT expires_at FROM token WHERE id = ?1").bind(token)
      .one { $0.int64OrNil(0) }
    return (seconds ?? nil).map { Timestamp(seconds: $0) }
  }

  /// The list that a token's holder sees as root; nil for the root list, and for a token that is gone.
  func root(of id: TokenID) throws(StorageError) -> ListID? {
    let root = try db.sql("SELECT root FROM token WHERE id = ?1").bind(id).one { row in
      row.isNull(0) ? nil : ListID(row.uuid(0))
    }
    return root ?? nil
  }

  func setLastUse(of id: TokenID, to time: Timestamp) throws(StorageError) {
    try db.sql("UPDATE token SET last_used_at = ?2 WHERE id = ?1").bind(id).bind(time.seconds)
      .perform()
  }

  func setName(of id: TokenID, to name: String) throws(StorageError) {
    try db.sql("UPDATE token SET name = ?2 WHERE id = ?1").bind(id).bind(name).perform()
  }

  /// Removes a token and its invitations. Leaves its navigators and offline clients to chores.
  func remove(_ id: TokenID) throws(StorageError) {
    try db.sql("DELETE FROM token WHERE id = ?1").bind(id).perform()
    try NavigatorRecord.releaseAll(of: id, in: db)
    try SyncStore.releaseAll(of: id, in: db)
    try InvitationTable(db: db).removeAll(of: id)
  }

  /// Throws `tokenRevoked` or `tokenMissing` if the caller's grant is no longer valid.
  ///
  /// Nearly every write calls this in its transaction; abandoning an import does not. While the write waited, its token
  /// may have been revoked or have expired, or the first token may have been created.
  ///
  /// - Returns: when the token expires; nil for never.
  @discardableResult
  func requireGrant(of caller: Caller, now: Timestamp) throws(StorageError) -> Timestamp? {
    switch caller.grant {
    case .token(let token):
      let end = try db.sql(
        "SELECT expires_at FROM token WHERE id = ?1 AND (expires_at IS NULL OR expires_at > ?2)"
      ).bind(token).bind(now.seconds).one { $0.int64OrNil(0) }
      guard let end else { throw .refused(.tokenRevoked) }
      return end.map { Timestamp(seconds: $0) }
    case .openServer: guard try isEmpty else { throw .refused(.tokenMissing) }
    case .unconditional: break
    }
    return nil
  }

  /// Removes the tokens of purged lists, and the invitations to them.
  ///
  /// Call this in the transaction that purges or replaces lists: a list created later with the same id is another list.
  ///
  /// - Parameter roots: lists, by inventory, whose tokens and invitations are removed although the lists exist.
  func removeOrphans(
    andThoseOf roots: [(inventory: InventoryID, list: ListID)] = []
  ) throws(StorageError) {
    // Each an inventory and a list.
    var missing = Set(roots.map { [$0.inventory.uuid, $0.list.uuid] })
    var found:
      [(inventory: UUID, list: UUID, inventoryRoot: RowKey, key: RowKey, parent: RowKey?)] =
        []
    try db.sql(
      """
      SELECT token.inventory, token.root, inventory.root, row.key, row.parent
      FROM (SELECT inventory, root FROM token WHERE root IS NOT NULL
        UNION SELECT inventory, root FROM invitation WHERE root IS NOT NULL) AS token
      LEFT JOIN inventory ON inventory.id = token.inventory
      LEFT JOIN row ON row.inventory = inventory.key AND row.id = token.root AND row.kind = 0
      """
    ).each { row in
      let (inventory, list) = (row.uuid(0), row.uuid(1))
      if let root: RowKey = row.keyOrNil(2), let key: RowKey = row.keyOrNil(3) {
        found.append((inventory, list, root, key, row.keyOrNil(4)))
      } else {
        missing.insert([inventory, list])
      }
    }
    var caches: [RowKey: AncestorCache] = [:]
    for (inventory, list, root, key, parent) in found {
      let ancestors = caches[root] ?? AncestorCache(to: root, inventoryRoot: root, in: db)
      caches[root] = ancestors
      do throws(StorageError) {
        switch try ancestors.visibility(key, parent) {
        case .live, .inTrash: break
        case .purged, .arriving, .outside: missing.insert([inventory, list])
        }
      } catch {
        // A damaged tree must not keep the store from opening; `check` reports it.
        guard case .broken = error else { throw error }
      }
    }
    guard !missing.isEmpty else { return }
    var tokens: [TokenID] = []
    try db.sql("SELECT inventory, root, id FROM token WHERE root IS NOT NULL").each {
      if missing.contains([$0.uuid(0), $0.uuid(1)]) { tokens.append(TokenID($0.uuid(2))) }
    }
    for token in tokens { try remove(token) }
    for list in missing { try InvitationTable(db: db).removeAll(inventory: list[0], root: list[1]) }
    // A server that needed no token before needs none now.
    if !tokens.isEmpty { try stayClosed() }
  }

  /// Inserts the mark if the last token is gone.
  func stayClosed() throws(StorageError) {
    guard try isEmpty else { return }
    try db.sql(
      """
      INSERT INTO token (id, digest, inventory, role, name, created_at)
      VALUES (zeroblob(16), zeroblob(32), zeroblob(16), 0, '', 0)
      """
    ).perform()
  }

  /// Whether the table has neither a token nor the mark.
  var isEmpty: Bool {
    get throws(StorageError) {
      try db.sql("SELECT 1 FROM token LIMIT 1").one { _ in true } == nil
    }
  }

  var count: Int {
    get throws(StorageError) {
      try db.sql("SELECT count(*) FROM token WHERE id <> zeroblob(16)").one { $0.int(0) } ?? 0
    }
  }

  /// The number of an inventory's tokens. Administrators' tokens belong to no inventory.
  func count(of inventory: InventoryID) throws(StorageError) -> Int {
    try db.sql("SELECT count(*) FROM token WHERE inventory = ?1").bind(inventory)
      .one { $0.int(0) } ?? 0
  }

  /// Calls the body with each token, its digest and its last use, oldest first.
  func each(_ body: (Token, [UInt8], _ lastUse: Timestamp?) -> Void) throws(StorageError) {
    try db.sql(
      """
      SELECT id, digest, inventory, root, role, name, created_at, expires_at, last_used_at
      FROM token
      WHERE id <> zeroblob(16) ORDER BY created_at, id
      """
    ).each { row in
      let token = Token(
        id: TokenID(row.uuid(0)), name: row.string(5),
        role: Role(rawValue: row.int(4)) ?? .reader,
        inventory: row.isNull(2) ? nil : InventoryID(row.uuid(2)),
        root: row.isNull(3) ? nil : ListID(row.uuid(3)),
        createdAt: row.time(6),
        expiresAt: row.int64OrNil(7).map { Timestamp(seconds: $0) })
      body(
        token, row.bytesOrNil(1) ?? [], row.int64OrNil(8).map { Timestamp(seconds: $0) })
    }
  }

  /// The tokens that a caller may see and revoke.
  func visible(to access: Access) throws(StorageError) -> [Token] {
    var tokens: [Token] = []
    try each { token, _, _ in tokens.append(token) }
    let own = try access.inventoryID()
    var visible: [Token] = []
    for token in tokens {
      // An administrator's own token has no inventory, even if the administrator has chosen one for this request.
      var isVisible = token.id == access.caller.token
      if !isVisible { isVisible = try access.mayRevoke(token.inventory, token.root, own: own) }
      if isVisible { visible.append(token) }
    }
    return visible
  }
}

extension Access {
  /// Whether the caller may revoke a token of an inventory and a list that is not the caller's own.
  ///
  /// - Parameter own: the caller's inventory.
  func mayRevoke(
    _ inventory: InventoryID?, _ root: ListID?, own: InventoryID
  ) throws(StorageError) -> Bool {
    if caller.role == .admin, caller.inventory == nil { return true }
    guard inventory == own else { return false }
    return try reaches(root)
  }

  /// Whether a token's root is at or below the caller's root. This includes rows in the trash. Purged rows count as
  /// below the inventory's root.
  fileprivate func reaches(_ id: ListID?) throws(StorageError) -> Bool {
    guard let id else { return root == inventoryRoot }
    guard let entry = try find(RowID(id)) else { return root == inventoryRoot }
    return switch try visibility(entry.key, entry.parent) {
    case .live, .inTrash: true
    case .purged: root == inventoryRoot
    case .outside, .arriving: false
    }
  }
}
