-- Migration 0006 skipped pending questions whose text contains escapes that PostgreSQL does not accept in JSON (NUL, half a
-- surrogate pair). This row asks the server to add them; repair-assigned.ts parses them in JavaScript and then deletes it.
INSERT INTO meta (key, value) VALUES ('repair-assigned', '["",""]');
