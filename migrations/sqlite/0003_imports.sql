-- 1: nobody sees it: it is being staged to take another's place, or another has taken its place and
-- it is being cleared away.
ALTER TABLE inventory ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1));
-- The key of the first inventory in whose place it stands by now: the default is the lowest.
ALTER TABLE inventory ADD COLUMN stands_for INTEGER;

-- Trees that come in, out of sight.
CREATE TABLE staging (
  id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
  -- For whom.
  inventory INTEGER NOT NULL REFERENCES inventory,
  -- The list at whose end it is to stand; null: it replaces the inventory.
  list INTEGER,
  -- What its rows are in: the inventory itself, or a hidden one.
  home INTEGER NOT NULL REFERENCES inventory,
  top INTEGER NOT NULL REFERENCES row,
  -- What its rows get.
  revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Tables of items name them by serial number.
CREATE INDEX row_by_serial_number ON row (parent, serial_number) WHERE serial_number IS NOT NULL;

CREATE TABLE purge (
  row INTEGER PRIMARY KEY REFERENCES row,
  home INTEGER NOT NULL
) STRICT;
