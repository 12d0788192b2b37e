-- What a search looks through. Custom fields are JSON: its signs between words become what people
-- write there, and escapes of white space become spaces, or they would cling to the next word.
CREATE VIEW searchable AS
SELECT key, title, name, serial_number, tags, notes,
  replace(replace(replace(replace(replace(replace(replace(fields,
    '\\', ' '), '\n', ' '), '\t', ' '), '{"', ''), '"}', ''), '":"', ': '), '","', ', ') AS fields
FROM row;

-- An index of words over it, which keeps no text of its own: https://www.sqlite.org/fts5.html
CREATE VIRTUAL TABLE search USING fts5 (
  title, name, serial_number, tags, fields, notes,
  content = 'searchable', content_rowid = 'key', tokenize = "unicode61 remove_diacritics 2"
);

-- The rows whose text has changed in this transaction, with the text that the index knows of them;
-- the index catches up before the commit, once for all changes, since it writes its pages anew each
-- time. Empty between transactions.
CREATE TABLE search_backlog (
  key INTEGER PRIMARY KEY,
  -- Whether the index has the row, by the text that follows.
  is_indexed INTEGER NOT NULL,
  title TEXT,
  name TEXT,
  serial_number TEXT,
  tags TEXT,
  fields TEXT,
  notes TEXT
) STRICT;

CREATE VIEW searched_before AS
SELECT key, title, name, serial_number, tags, notes,
  replace(replace(replace(replace(replace(replace(replace(fields,
    '\\', ' '), '\n', ' '), '\t', ' '), '{"', ''), '"}', ''), '":"', ': '), '","', ', ') AS fields
FROM search_backlog WHERE is_indexed;

CREATE TRIGGER row_inserted AFTER INSERT ON row BEGIN
  INSERT INTO search_backlog (key, is_indexed) VALUES (new.key, 0) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER row_edited AFTER UPDATE OF title, name, serial_number, tags, fields, notes ON row
WHEN (new.title, new.name, new.serial_number, new.tags, new.fields, new.notes)
  IS NOT (old.title, old.name, old.serial_number, old.tags, old.fields, old.notes)
BEGIN
  INSERT INTO search_backlog
  VALUES (old.key, 1, old.title, old.name, old.serial_number, old.tags, old.fields, old.notes)
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER row_deleted AFTER DELETE ON row BEGIN
  INSERT INTO search_backlog
  VALUES (old.key, 1, old.title, old.name, old.serial_number, old.tags, old.fields, old.notes)
  ON CONFLICT DO NOTHING;
END;

-- The tags in use, without looking at the items that have none.
CREATE INDEX row_by_tags ON row (inventory, tags, parent) WHERE tags IS NOT NULL;

INSERT INTO search (search) VALUES ('rebuild');
