-- An isolated tree with exactly one root list.
CREATE TABLE inventory (
  key INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  -- The root list's key in row; null only while both are being made.
  root INTEGER,
  -- The number of its last change; 0 before the first.
  revision INTEGER NOT NULL DEFAULT 0,
  -- The log reaches back to this revision: deltas can start here or later.
  history_start INTEGER NOT NULL DEFAULT 0,
  -- All that row holds of it, what is in the trash too.
  list_count INTEGER NOT NULL DEFAULT 0,
  item_count INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;

-- Every list and every item. Those that stand in a list have a place in its order (leaf, pos).
-- The columns up to contents are what a row shows; notes and fields may be long and come last, so
-- that reading rows never touches their overflow pages.
CREATE TABLE row (
  -- Never given twice: the log and the trash name lists by key, also when they are gone.
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  inventory INTEGER NOT NULL REFERENCES inventory,
  -- The list it stands in; a contents list's: its item. Null for a root list and what was deleted.
  parent INTEGER REFERENCES row,
  leaf INTEGER,
  pos INTEGER,
  -- 0 list, 1 thing, 2 car
  kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2),
  id BLOB NOT NULL CHECK (length(id) = 16),
  -- A list's title; a thing's name; a car's year, make and model, as its row shows it.
  title TEXT NOT NULL,
  -- The rest is an item's.
  -- A car's own name; a thing's is its title.
  name TEXT,
  serial_number TEXT,
  -- In cents.
  value INTEGER,
  quantity INTEGER,
  -- One a line; null if there are none.
  tags TEXT,
  make TEXT,
  model TEXT,
  year INTEGER,
  -- In hundredths of a litre.
  fuel INTEGER,
  -- Its contents list's key; without a foreign key, which would search all items at each deletion.
  contents INTEGER,
  -- Seconds since 1970. A list's revision and last update are in list.
  created_at INTEGER NOT NULL,
  updated_at INTEGER,
  revision INTEGER,
  -- A JSON object as it came; null for an empty one.
  fields TEXT,
  notes TEXT,
  CHECK ((leaf IS NULL) = (pos IS NULL)),
  CHECK (leaf IS NULL OR parent IS NOT NULL)
) STRICT;

CREATE UNIQUE INDEX row_by_id ON row (inventory, id);
CREATE UNIQUE INDEX row_by_place ON row (parent, leaf, pos);
CREATE INDEX row_sublists ON row (parent) WHERE kind = 0;
CREATE INDEX row_with_contents ON row (parent) WHERE contents IS NOT NULL;

-- What only lists have; the key is the same as in row.
CREATE TABLE list (
  key INTEGER PRIMARY KEY REFERENCES row,
  row_count INTEGER NOT NULL DEFAULT 0,
  -- Value times quantity over its own items, in cents, as the halves of a 128-bit number.
  total_high INTEGER NOT NULL DEFAULT 0,
  total_low INTEGER NOT NULL DEFAULT 0,
  revision INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- The counted tree of its rows: while height is 0, root is the one leaf and node has nothing of it.
  root INTEGER NOT NULL DEFAULT 0,
  height INTEGER NOT NULL DEFAULT 0,
  next_node INTEGER NOT NULL DEFAULT 1,
  -- 0 any, 1 things, 2 cars
  item_kind INTEGER NOT NULL DEFAULT 0 CHECK (item_kind BETWEEN 0 AND 2),
  -- 1 add, 2 edit, 4 move, 8 delete
  permissions INTEGER NOT NULL DEFAULT 15 CHECK (permissions BETWEEN 0 AND 15),
  sentinel_visible INTEGER NOT NULL DEFAULT 1 CHECK (sentinel_visible IN (0, 1)),
  sentinel_text TEXT,
  delete_label TEXT
) STRICT;

-- The nodes below each list's root. Children of a node are in the order of pos, which counts inside
-- that node only; count is the number of rows below.
CREATE TABLE node (
  list INTEGER NOT NULL REFERENCES list,
  parent INTEGER NOT NULL,
  pos INTEGER NOT NULL,
  id INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (list, parent, pos)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX node_by_id ON node (list, id);

-- Who changed what, and when: one for each revision.
CREATE TABLE change (
  inventory INTEGER NOT NULL REFERENCES inventory,
  revision INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  request_id TEXT NOT NULL,
  action TEXT NOT NULL,
  PRIMARY KEY (inventory, revision)
) STRICT, WITHOUT ROWID;

-- The steps of a change, list by list; each says enough to be applied and to be turned round.
CREATE TABLE operation (
  inventory INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  list INTEGER NOT NULL,
  -- 0 insert, 1 delete, 2 move, 3 reload, 4 permute, 5 the list's own fields
  kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 5),
  -- The row's id, which outlives the row.
  row BLOB,
  -- The index before (delete, move, reload); for own fields, which of them as bits.
  source INTEGER,
  -- The index after (insert, move).
  target INTEGER,
  -- For permute: where the row now at each place stood, as 32-bit little-endian numbers.
  places BLOB,
  PRIMARY KEY (inventory, revision, sequence)
) STRICT, WITHOUT ROWID;

CREATE INDEX operation_by_list ON operation (list, revision, sequence);

-- What a change did to the fields of a list or an item, value by value.
CREATE TABLE edit (
  inventory INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  row BLOB NOT NULL,
  field TEXT NOT NULL,
  before ANY,
  after ANY,
  PRIMARY KEY (inventory, revision, row, field)
) STRICT, WITHOUT ROWID;

-- The tops of what was deleted, and where they stood.
CREATE TABLE trash (
  row INTEGER PRIMARY KEY REFERENCES row,
  inventory INTEGER NOT NULL REFERENCES inventory,
  list INTEGER NOT NULL,
  place INTEGER NOT NULL,
  -- The ids of its neighbours.
  previous BLOB,
  next BLOB,
  revision INTEGER NOT NULL,
  deleted_at INTEGER NOT NULL,
  actor TEXT NOT NULL
) STRICT;

CREATE INDEX trash_by_time ON trash (inventory, deleted_at);
