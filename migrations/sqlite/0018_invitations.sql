-- Invitations that can still be accepted. Each gives one token, and is deleted with it.
CREATE TABLE invitation (
  -- SHA-256 of the code. The code itself is not stored.
  digest BLOB PRIMARY KEY NOT NULL CHECK (length(digest) = 32),
  -- The id of the token that made it; null for an administrator without one. It is deleted with that token.
  maker BLOB CHECK (length(maker) = 16),
  -- The inventory, list, role and expiry of the future token, as in the table token.
  inventory BLOB CHECK (length(inventory) = 16),
  root BLOB CHECK (length(root) = 16),
  role INTEGER NOT NULL,
  token_expires_at INTEGER,
  -- Whom or what it is for; null: only the device's name is known.
  name TEXT,
  -- From this time on it is refused.
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX invitation_by_expiry ON invitation (expires_at);
