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

-- Each commit writes a piece of its own to the index; larger ones are made of sixteen such, not four.
INSERT INTO search (search, rank) VALUES ('automerge', 16);

-- The rows that the index has by a text that is no longer theirs, and that text. The index catches up
-- before the commit, once for all changes, since it writes its pages anew each time: the table is
-- empty between transactions. New rows need no mention: the index has none with a key so high, and
-- keys are never given twice.
CREATE TABLE search_backlog (
  key INTEGER PRIMARY KEY,
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
FROM search_backlog;

-- search_docsize has a row for each that the index has: https://www.sqlite.org/fts5.html
CREATE TRIGGER row_edited AFTER UPDATE OF title, name, serial_number, tags, fields, notes ON row
WHEN (new.title, new.name, new.serial_number, new.tags, new.fields, new.notes)
    IS NOT (old.title, old.name, old.serial_number, old.tags, old.fields, old.notes)
  AND old.key <= (SELECT max(id) FROM search_docsize)
BEGIN
  INSERT INTO search_backlog
  VALUES (old.key, old.title, old.name, old.serial_number, old.tags, old.fields, old.notes)
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER row_deleted AFTER DELETE ON row
WHEN old.key <= (SELECT max(id) FROM search_docsize)
BEGIN
  INSERT INTO search_backlog
  VALUES (old.key, old.title, old.name, old.serial_number, old.tags, old.fields, old.notes)
  ON CONFLICT DO NOTHING;
END;

-- The tags in use, without looking at the items that have none.
CREATE INDEX row_by_tags ON row (inventory, tags, parent) WHERE tags IS NOT NULL;

INSERT INTO search (search) VALUES ('rebuild');
