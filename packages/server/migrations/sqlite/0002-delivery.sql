-- What falls due, of every kind. Whoever takes one on moves `due_at` ahead, and keeps what it was in `claimed_from`.
-- Deadlines of interactions become timers.
CREATE TABLE timers (
  org_id       TEXT NOT NULL,
  kind         TEXT NOT NULL,
  id           TEXT NOT NULL,
  due_at       INTEGER NOT NULL,
  claimed_from INTEGER,
  PRIMARY KEY (org_id, kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX timers_claimed ON timers (claimed_from) WHERE claimed_from IS NOT NULL;
CREATE INDEX timers_by_due ON timers (kind, due_at, org_id, id);
CREATE INDEX timers_of_org ON timers (org_id, kind, due_at, id);

INSERT INTO timers (org_id, kind, id, due_at)
  SELECT org_id, 'interaction', id, deadline_at FROM interactions
  WHERE status = 'pending' AND deadline_at IS NOT NULL;
DROP INDEX interactions_due;
ALTER TABLE interactions DROP COLUMN deadline_at;

CREATE TABLE documents (
  org_id   TEXT NOT NULL,
  type     TEXT NOT NULL,
  id       TEXT NOT NULL,
  revision TEXT NOT NULL,
  alias    TEXT,
  record   TEXT NOT NULL,
  PRIMARY KEY (org_id, type, id)
) STRICT;
CREATE UNIQUE INDEX documents_by_alias ON documents (org_id, type, alias) WHERE alias IS NOT NULL;

CREATE TABLE deliveries (
  org_id     TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  id         TEXT NOT NULL,
  status     TEXT NOT NULL,
  record     TEXT NOT NULL,
  PRIMARY KEY (org_id, webhook_id, id)
) STRICT;
CREATE INDEX deliveries_by_status ON deliveries (org_id, webhook_id, status, id);
