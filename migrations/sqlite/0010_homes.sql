-- What is gone for good is found by the list that it stood in, which may go before it.
CREATE INDEX purge_by_home ON purge (home);

-- Where a list had gone first, what had been deleted from below the other named it still.
UPDATE purge SET home = coalesce(
  (SELECT root FROM inventory JOIN row ON row.inventory = inventory.key WHERE row.key = purge.row), row)
WHERE home NOT IN (SELECT key FROM row WHERE kind = 0);

UPDATE trash SET rehomed = 1, list = coalesce(
  (SELECT root FROM inventory WHERE inventory.key = trash.inventory), row)
WHERE list NOT IN (SELECT key FROM row WHERE kind = 0);
