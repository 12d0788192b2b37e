-- What lets clients in. The secret is not here, only its SHA-256.
CREATE TABLE token (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  -- The inventory's id, which outlives its being replaced; null for an administrator's, which reaches
  -- all inventories.
  inventory BLOB CHECK (length(inventory) = 16),
  -- The id of the list that its holder sees as root, which may be gone; null for the root list.
  root BLOB CHECK (length(root) = 16),
  -- 0 reader, 1 editor, 2 owner, 3 admin
  role INTEGER NOT NULL CHECK (role BETWEEN 0 AND 3),
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  CHECK (inventory IS NOT NULL OR role = 3)
) STRICT, WITHOUT ROWID;
