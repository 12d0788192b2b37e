-- Finds the steps that moved, deleted or restored a row. From now on `source` of an insertion is 0 if the row is new, and
-- null if it existed before the change. Most insertions are of new rows, and cost nothing here.
CREATE INDEX operation_by_row ON operation (row, revision)
WHERE kind = 1 OR kind = 0 AND source IS NULL;
