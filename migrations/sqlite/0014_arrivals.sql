-- Trees that came in out of sight and are in place since a revision, by their tops' keys, which may be gone by now.
CREATE TABLE arrival (
  top INTEGER PRIMARY KEY,
  inventory INTEGER NOT NULL REFERENCES inventory ON DELETE CASCADE,
  revision INTEGER NOT NULL
) STRICT;

CREATE INDEX arrival_by_revision ON arrival (inventory, revision);

-- The arrival that brought a list; null where none did. While the tree is out of sight, there is none yet.
ALTER TABLE list ADD COLUMN arrival INTEGER;
