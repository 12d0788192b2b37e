-- The lowest level on which lists may come to stand, the root list's being 1; null: any.
ALTER TABLE inventory ADD COLUMN depth_limit INTEGER
  CHECK (depth_limit BETWEEN 1 AND 10000);

-- On how many levels the tree has lists, its top's being the first.
ALTER TABLE staging ADD COLUMN levels INTEGER NOT NULL DEFAULT 1;
