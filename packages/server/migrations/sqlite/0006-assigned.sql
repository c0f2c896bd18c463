-- Whom a pending question names, to find what waits for a person.
CREATE TABLE assigned (
  org_id       TEXT NOT NULL,
  responder_id TEXT NOT NULL,
  id           TEXT NOT NULL,
  PRIMARY KEY (org_id, responder_id, id)
) STRICT, WITHOUT ROWID;

INSERT OR IGNORE INTO assigned (org_id, responder_id, id)
  SELECT org_id, value, interactions.id FROM interactions, json_each(record, '$.responder.assignees')
  WHERE status = 'pending' AND json_valid(record);
