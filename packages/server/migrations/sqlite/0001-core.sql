CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE orgs (
  id         TEXT PRIMARY KEY,
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE api_keys (
  hash   TEXT PRIMARY KEY,
  org_id TEXT NOT NULL,
  id     TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX api_keys_by_id ON api_keys (org_id, id);

CREATE TABLE threads (
  position INTEGER PRIMARY KEY,
  org_id   TEXT NOT NULL,
  id       TEXT NOT NULL,
  record   TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX threads_by_id ON threads (org_id, id);
CREATE INDEX threads_of_org ON threads (org_id);

CREATE TABLE interactions (
  position    INTEGER PRIMARY KEY,
  org_id      TEXT NOT NULL,
  id          TEXT NOT NULL,
  thread_id   TEXT NOT NULL,
  run_id      TEXT,
  kind        TEXT NOT NULL,
  status      TEXT NOT NULL,
  version     INTEGER NOT NULL,
  deadline_at INTEGER,
  record      TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX interactions_by_id ON interactions (org_id, id);
CREATE INDEX interactions_by_status ON interactions (org_id, status, id);
CREATE INDEX interactions_by_thread ON interactions (org_id, thread_id, status, id);
CREATE INDEX interactions_by_run ON interactions (org_id, run_id, id) WHERE run_id IS NOT NULL;
CREATE INDEX interactions_due ON interactions (deadline_at) WHERE status = 'pending' AND deadline_at IS NOT NULL;

CREATE TABLE messages (
  position  INTEGER PRIMARY KEY,
  org_id    TEXT NOT NULL,
  id        TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  record    TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX messages_by_id ON messages (org_id, id);

CREATE TABLE events (
  position       INTEGER PRIMARY KEY,
  org_id         TEXT NOT NULL,
  thread_id      TEXT NOT NULL,
  seq            INTEGER NOT NULL,
  type           TEXT NOT NULL,
  at             TEXT NOT NULL,
  actor          TEXT NOT NULL,
  interaction_id TEXT,
  data           TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX events_by_seq ON events (org_id, thread_id, seq);
CREATE INDEX events_of_org ON events (org_id);

CREATE TABLE grants (
  position   INTEGER PRIMARY KEY,
  org_id     TEXT NOT NULL,
  id         TEXT NOT NULL,
  key        TEXT NOT NULL,
  reach      TEXT NOT NULL,
  expires_at INTEGER,
  is_open    INTEGER NOT NULL,
  record     TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX grants_by_id ON grants (org_id, id);
CREATE INDEX grants_by_key ON grants (org_id, key, id);
CREATE INDEX grants_open_by_reach ON grants (org_id, key, reach, id) WHERE is_open = 1;

CREATE TABLE secrets (
  org_id         TEXT NOT NULL,
  interaction_id TEXT NOT NULL,
  vals           TEXT NOT NULL,
  PRIMARY KEY (org_id, interaction_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
  org_id        TEXT NOT NULL,
  key           TEXT NOT NULL,
  fingerprint   TEXT NOT NULL,
  resource_type TEXT NOT NULL,
  resource_id   TEXT NOT NULL,
  PRIMARY KEY (org_id, key)
) STRICT, WITHOUT ROWID;
