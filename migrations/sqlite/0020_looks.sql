-- What front ends show beside a list's title: one character, and a colour.
ALTER TABLE list ADD COLUMN glyph TEXT;
ALTER TABLE list ADD COLUMN colour TEXT CHECK (
  colour IN ('red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'grey'));

-- The ISO 4217 code of the currency of an inventory's values; null: US dollars.
ALTER TABLE appearance ADD COLUMN currency TEXT CHECK (length(currency) = 3);
