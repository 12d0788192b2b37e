-- The words of the index begin with the number of their row's inventory, as "12xladder" does: what a search
-- costs is not to depend on what stands in other inventories, nor to tell of it. The function scoped_words is the
-- program's own. Rows never change their inventory.
DROP TRIGGER row_edited;
DROP TRIGGER row_deleted;
DROP TABLE search;
DROP VIEW searchable;
DROP VIEW searched_before;
DROP TABLE search_backlog;

CREATE VIEW searchable AS
SELECT key, inventory, title, name, serial_number, tags, notes,
  replace(replace(replace(replace(replace(replace(replace(fields,
    '\\', ' '), '\n', ' '), '\t', ' '), '{"', ''), '"}', ''), '":"', ': '), '","', ', ') AS fields
FROM row;

CREATE VIEW scoped AS
SELECT key, scoped_words(inventory, title) AS title, scoped_words(inventory, name) AS name,
  scoped_words(inventory, serial_number) AS serial_number, scoped_words(inventory, tags) AS tags,
  scoped_words(inventory, fields) AS fields, scoped_words(inventory, notes) AS notes
FROM searchable;

CREATE VIRTUAL TABLE search USING fts5 (
  title, name, serial_number, tags, fields, notes,
  content = 'scoped', content_rowid = 'key', tokenize = "unicode61 remove_diacritics 2"
);

INSERT INTO search (search, rank) VALUES ('automerge', 16);

CREATE TABLE search_backlog (
  key INTEGER PRIMARY KEY,
  inventory INTEGER,
  title TEXT,
  name TEXT,
  serial_number TEXT,
  tags TEXT,
  fields TEXT,
  notes TEXT
) STRICT;

CREATE VIEW searched_before AS
SELECT key, inventory, title, name, serial_number, tags, notes,
  replace(replace(replace(replace(replace(replace(replace(fields,
    '\\', ' '), '\n', ' '), '\t', ' '), '{"', ''), '"}', ''), '":"', ': '), '","', ', ') AS fields
FROM search_backlog;

CREATE VIEW scoped_before AS
SELECT key, scoped_words(inventory, title) AS title, scoped_words(inventory, name) AS name,
  scoped_words(inventory, serial_number) AS serial_number, scoped_words(inventory, tags) AS tags,
  scoped_words(inventory, fields) AS fields, scoped_words(inventory, notes) AS notes
FROM searched_before;

CREATE TRIGGER row_edited AFTER UPDATE OF title, name, serial_number, tags, fields, notes ON row
WHEN (new.title, new.name, new.serial_number, new.tags, new.fields, new.notes)
    IS NOT (old.title, old.name, old.serial_number, old.tags, old.fields, old.notes)
  AND old.key <= (SELECT max(id) FROM search_docsize)
BEGIN
  INSERT INTO search_backlog
  VALUES (old.key, old.inventory, old.title, old.name, old.serial_number, old.tags, old.fields,
    old.notes)
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER row_deleted AFTER DELETE ON row
WHEN old.key <= (SELECT max(id) FROM search_docsize)
BEGIN
  INSERT INTO search_backlog
  VALUES (old.key, old.inventory, old.title, old.name, old.serial_number, old.tags, old.fields,
    old.notes)
  ON CONFLICT DO NOTHING;
END;

INSERT INTO search (search) VALUES ('rebuild');
