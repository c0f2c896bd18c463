-- Runs of agents, and what each has done. A run changes with every call of its agent, and its keys seldom: the free space
-- keeps the new version on the page of the old one. One run of a thread is open at a time.
CREATE TABLE runs (
  org_id    text COLLATE "C" NOT NULL,
  id        text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C" NOT NULL,
  agent     text COLLATE "C" NOT NULL,
  status    text COLLATE "C" NOT NULL,
  version   integer NOT NULL,
  record    text NOT NULL,
  PRIMARY KEY (org_id, id)
) WITH (fillfactor = 70);
CREATE INDEX runs_by_status ON runs (org_id, status, id);
CREATE INDEX runs_by_agent ON runs (org_id, agent, id);
CREATE INDEX runs_by_thread ON runs (org_id, thread_id, id);
CREATE UNIQUE INDEX runs_open ON runs (org_id, thread_id) WHERE status IN ('running', 'waiting');

CREATE TABLE journal (
  org_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  idx    integer NOT NULL,
  record text NOT NULL,
  PRIMARY KEY (org_id, run_id, idx)
);
