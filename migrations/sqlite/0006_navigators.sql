-- A device's place: tabs, and for each tab a stack of screens.
CREATE TABLE navigator (
  key INTEGER PRIMARY KEY,
  -- The inventory's id, which outlives its being replaced.
  inventory BLOB NOT NULL CHECK (length(inventory) = 16),
  id BLOB NOT NULL CHECK (length(id) = 16),
  -- The id of the token that made it, as text; empty where none was needed.
  owner TEXT NOT NULL,
  name TEXT,
  -- The id of one of its tabs.
  selected_tab TEXT NOT NULL,
  -- Counts its changes, from 1.
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX navigator_by_id ON navigator (inventory, id);
CREATE INDEX navigator_by_owner ON navigator (inventory, owner, last_used_at);

CREATE TABLE navigator_tab (
  navigator INTEGER NOT NULL REFERENCES navigator,
  -- Its index among the tabs.
  place INTEGER NOT NULL,
  id TEXT NOT NULL,
  title TEXT,
  image TEXT,
  PRIMARY KEY (navigator, place)
) STRICT, WITHOUT ROWID;

-- What a screen names may be gone: it is looked for when the navigator is read.
CREATE TABLE navigator_screen (
  navigator INTEGER NOT NULL REFERENCES navigator,
  -- The tab's place.
  tab INTEGER NOT NULL,
  -- Counts from the root screen's 0.
  place INTEGER NOT NULL,
  -- 0 list, 1 item, 2 an item's photos, 3 about, 4 the client's own
  kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 4),
  -- The id of the list or item.
  target BLOB CHECK (length(target) = 16),
  -- Of the client's own.
  name TEXT,
  title TEXT,
  mode TEXT,
  is_momentary INTEGER NOT NULL CHECK (is_momentary IN (0, 1)),
  -- A JSON object as it came.
  state TEXT,
  PRIMARY KEY (navigator, tab, place),
  CHECK ((kind <= 2) = (target IS NOT NULL)),
  CHECK ((kind = 4) = (name IS NOT NULL AND title IS NOT NULL))
) STRICT, WITHOUT ROWID;

-- The tints that somebody has set, each as 0xRRGGBB.
CREATE TABLE appearance (
  -- The inventory's id, which outlives its being replaced.
  inventory BLOB PRIMARY KEY CHECK (length(inventory) = 16),
  version INTEGER NOT NULL,
  navigation_bar INTEGER NOT NULL,
  toolbar INTEGER NOT NULL,
  tab_bar INTEGER NOT NULL,
  button INTEGER NOT NULL,
  title INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
