-- The SHA-256 digest of a command, so that another command with its number can be told. Null in results that were
-- stored before.
ALTER TABLE sync_result ADD COLUMN digest bytea CHECK (length(digest) = 32);
