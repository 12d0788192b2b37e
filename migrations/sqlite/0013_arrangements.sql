-- The new order of a long list. It is written in pieces that nobody sees, and takes effect at once:
-- when list.arrangement names it.
CREATE TABLE arrangement (
  -- Never given twice: those who write one find out by it that it is gone.
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  list INTEGER NOT NULL,
  -- Its tree's nodes have ids from first_node on and below end_node.
  first_node INTEGER NOT NULL,
  end_node INTEGER NOT NULL,
  -- 0 being written, 1 something is to be cleared away, 2 nothing is
  state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 2)
) STRICT;

-- The places of its rows, which count instead of those in row. A leaf that changes takes all of its
-- places back to row first: it has them all here, or none.
CREATE TABLE arranged_leaf (
  arrangement INTEGER NOT NULL,
  leaf INTEGER NOT NULL,
  pos INTEGER NOT NULL,
  row INTEGER NOT NULL,
  PRIMARY KEY (arrangement, leaf, pos)
) STRICT, WITHOUT ROWID;

-- The same places by row.
CREATE TABLE arranged_row (
  arrangement INTEGER NOT NULL,
  row INTEGER NOT NULL,
  leaf INTEGER NOT NULL,
  pos INTEGER NOT NULL,
  PRIMARY KEY (arrangement, row)
) STRICT, WITHOUT ROWID;

-- Null for most lists: the places of all their rows are in row.
ALTER TABLE list ADD COLUMN arrangement INTEGER;
