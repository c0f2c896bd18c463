-- Runs of agents, and what each has done. One run of a thread is open at a time.
CREATE TABLE runs (
  org_id    TEXT NOT NULL,
  id        TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  agent     TEXT NOT NULL,
  status    TEXT NOT NULL,
  version   INTEGER NOT NULL,
  record    TEXT NOT NULL,
  PRIMARY KEY (org_id, id)
) STRICT;
CREATE INDEX runs_by_thread ON runs (org_id, thread_id, id);
CREATE INDEX runs_by_status ON runs (org_id, status, id);
CREATE INDEX runs_by_agent ON runs (org_id, agent, id);
CREATE UNIQUE INDEX runs_open ON runs (org_id, thread_id) WHERE status IN ('running', 'waiting');

CREATE TABLE journal (
  org_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  idx    INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (org_id, run_id, idx)
) STRICT;
