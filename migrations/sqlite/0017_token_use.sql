-- From this time on the token is refused; null: never.
ALTER TABLE token ADD COLUMN expires_at INTEGER;
-- The hour in which a request last used the token; null: never. Background work writes it, some time later.
ALTER TABLE token ADD COLUMN last_used_at INTEGER;
