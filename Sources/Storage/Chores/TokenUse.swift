import Inventory
import SQLite

/// Writes the last uses of tokens, which requests only note in memory.
struct TokenUse: Chore {
  let tokens: TokenDirectory
  private static let atOnce = 100

  func step(in db: Connection, now: Timestamp) throws(StorageError) -> Bool {
    let uses = tokens.takeUses(atMost: Self.atOnce)
    for use in uses { try TokenTable(db: db).setLastUse(of: use.token, to: use.time) }
    return uses.count == Self.atOnce
  }
}
