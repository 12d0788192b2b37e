-- The key of the newest row when the change was made, so that what came later is told from what was there, whatever
-- its id; null: nobody knows.
ALTER TABLE change ADD COLUMN newest INTEGER;
