-- The clients that work offline. A client numbers its writes, and each is done in one transaction with its number.
CREATE TABLE sync_client (
  key INTEGER PRIMARY KEY,
  -- The id of the client's token, as text; empty where none was needed.
  owner TEXT NOT NULL,
  -- The inventory's id, which outlives its being replaced.
  inventory BLOB NOT NULL CHECK (length(inventory) = 16),
  -- The id that the client chose.
  id BLOB NOT NULL CHECK (length(id) = 16),
  -- The number of the last write that was done or refused.
  last INTEGER NOT NULL CHECK (last >= 0),
  -- The bytes of its stored results.
  size INTEGER NOT NULL CHECK (size >= 0),
  -- Seconds since 1970; 0 once its token is gone.
  used_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX sync_client_by_id ON sync_client (owner, inventory, id);
CREATE INDEX sync_client_by_use ON sync_client (used_at);

-- The results of a client's last batch, for a client that did not get the answer.
CREATE TABLE sync_result (
  client INTEGER NOT NULL REFERENCES sync_client,
  number INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (client, number)
) STRICT, WITHOUT ROWID;
