-- The revision that last gave the row its place: made it, moved it, or put it back.
ALTER TABLE row ADD COLUMN placed INTEGER NOT NULL DEFAULT 0;

-- About how many bytes the change takes in the log, and all of an inventory's from history_start on.
ALTER TABLE change ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
ALTER TABLE inventory ADD COLUMN history_size INTEGER NOT NULL DEFAULT 0;

UPDATE change SET size = 128 + length(actor) + length(request_id)
  + (SELECT coalesce(sum(64 + coalesce(length(places), 0)), 0) FROM operation
      WHERE operation.inventory = change.inventory AND operation.revision = change.revision)
  + (SELECT coalesce(sum(64 + coalesce(length(before), 0) + coalesce(length(after), 0)), 0) FROM edit
      WHERE edit.inventory = change.inventory AND edit.revision = change.revision);
UPDATE inventory SET history_size = (
  SELECT coalesce(sum(size), 0) FROM change
  WHERE change.inventory = inventory.key AND change.revision > inventory.history_start);

-- Whether its inverse can be made. Changes from before rows knew who placed them last stay as they are.
ALTER TABLE change ADD COLUMN undoable INTEGER NOT NULL DEFAULT 0;

-- 1: the list that it stood in is gone for good, and list is what held that one.
ALTER TABLE trash ADD COLUMN rehomed INTEGER NOT NULL DEFAULT 0;

CREATE INDEX trash_by_list ON trash (list);
CREATE INDEX trash_by_revision ON trash (inventory, revision);
