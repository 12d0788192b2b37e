-- In the mode `add`: list, thing or car; null: what the list usually takes.
ALTER TABLE navigator_screen ADD COLUMN added TEXT;
-- On the bar of a client's own screen: a line above the title, and a button.
ALTER TABLE navigator_screen ADD COLUMN prompt TEXT;
ALTER TABLE navigator_screen ADD COLUMN trailing_action TEXT;
-- Null: what the action is called in the reader's language.
ALTER TABLE navigator_screen ADD COLUMN trailing_title TEXT;
ALTER TABLE navigator_screen ADD COLUMN trailing_enabled INTEGER;
