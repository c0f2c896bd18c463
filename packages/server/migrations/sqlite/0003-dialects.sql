-- A thread changes, so it has a version. Until now none had; a record ends with when it was made, and is not parsed,
-- because it may hold what only JavaScript takes for JSON.
ALTER TABLE threads ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
UPDATE threads SET record =
  substr(record, 1, length(record) - 1) || ',"version":1,"updatedAt":' || substr(record, -27, 26) || '}'
  WHERE record LIKE '%,"createdAt":"________________________"}';

CREATE INDEX messages_by_thread ON messages (org_id, thread_id, id);
