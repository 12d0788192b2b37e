-- The id of an item's first photo, as its row shows it.
ALTER TABLE row ADD COLUMN photo BLOB;

-- The photos of items; their bytes are in photo_piece.
CREATE TABLE photo (
  -- Never given twice: who is being sent its bytes must not get another's.
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  inventory INTEGER NOT NULL REFERENCES inventory,
  -- An upload's own while it arrives; at random once it is to be cleared away.
  id BLOB NOT NULL CHECK (length(id) = 16),
  -- The item's key; without a foreign key, since an item that goes for good does not wait for its photos.
  item INTEGER NOT NULL,
  -- 0 arriving, 1 one of the item's, 2 taken away by a change that can be undone, 3 to be cleared away
  state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
  -- Its place among the item's photos, from 0 on.
  place INTEGER,
  -- jpeg, png, webp, heic or gif
  type TEXT,
  -- In bytes.
  size INTEGER NOT NULL DEFAULT 0,
  width INTEGER,
  height INTEGER,
  orientation INTEGER,
  -- The revisions that added it and that last took it away.
  added INTEGER,
  removed INTEGER,
  created_at INTEGER NOT NULL,
  CHECK ((state = 1) = (place IS NOT NULL)),
  CHECK (state <> 1 OR type IS NOT NULL)
) STRICT;

CREATE UNIQUE INDEX photo_by_id ON photo (inventory, id);
CREATE INDEX photo_by_item ON photo (item, place);
CREATE INDEX photo_out_of_sight ON photo (state, removed) WHERE state <> 1;

-- The bytes of a photo, 64 KiB in each piece but the last. A piece never changes.
CREATE TABLE photo_piece (
  photo INTEGER NOT NULL REFERENCES photo,
  number INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (photo, number)
) STRICT, WITHOUT ROWID;

-- Photos go with their item, however it goes.
CREATE TRIGGER photo_without_item AFTER DELETE ON row WHEN OLD.kind > 0 BEGIN
  UPDATE photo SET state = 3, place = NULL, id = randomblob(16) WHERE item = OLD.key;
END;
