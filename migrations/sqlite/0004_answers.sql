-- What writes with a key were answered, each kept for a day so that it can be given again.
CREATE TABLE answer (
  key INTEGER PRIMARY KEY,
  -- A digest of who asked, by which method and at which path.
  scope BLOB NOT NULL CHECK (length(scope) = 32),
  -- The client's own key.
  name TEXT NOT NULL,
  -- A digest of what was sent.
  fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
  -- Seconds since 1970.
  at INTEGER NOT NULL,
  bytes BLOB NOT NULL
) STRICT;

CREATE UNIQUE INDEX answer_by_name ON answer (scope, name);
CREATE INDEX answer_by_time ON answer (at);
