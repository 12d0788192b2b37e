import Inventory
import SQL

/// Writes the last uses of tokens, which requests only note in memory, and deletes expired invitations.
struct TokenUse: Chore {
  let tokens: TokenDirectory
  private static let atOnce = 100

  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    try InvitationTable(db: db).removeExpired(at: now, atMost: Self.atOnce)
    let uses = tokens.takeUses(atMost: Self.atOnce)
    for use in uses { try TokenTable(db: db).setLastUse(of: use.token, to: use.time) }
    return uses.count == Self.atOnce
  }
}
