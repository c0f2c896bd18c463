-- What falls due, of every kind. Whoever takes one on moves `due_at` ahead: if it dies, the timer falls due again.
-- Deadlines of interactions become timers.
CREATE TABLE timers (
  org_id text COLLATE "C" NOT NULL,
  kind   text COLLATE "C" NOT NULL,
  id     text COLLATE "C" NOT NULL,
  due_at bigint NOT NULL
);
-- An expression, so that the planner never takes this index to read the timers of one org past those of all others.
CREATE INDEX timers_by_due ON timers (kind, (due_at + 0));
CREATE INDEX timers_of_org ON timers (org_id, kind, due_at);
-- The last, because of indexes that seem equally good, as all do while a table is small, the planner takes the newest:
-- else it would look for one timer among all of its kind.
ALTER TABLE timers ADD PRIMARY KEY (org_id, kind, id);

INSERT INTO timers (org_id, kind, id, due_at) SELECT org_id, 'interaction', interaction_id, due_at FROM deadlines;
DROP TABLE deadlines;

-- A document changes often, and its keys seldom: the free space keeps the new version on the page of the old one.
CREATE TABLE documents (
  org_id   text COLLATE "C" NOT NULL,
  type     text COLLATE "C" NOT NULL,
  id       text COLLATE "C" NOT NULL,
  revision text NOT NULL,
  alias    text COLLATE "C",
  record   text NOT NULL,
  PRIMARY KEY (org_id, type, id)
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX documents_by_alias ON documents (org_id, type, alias) WHERE alias IS NOT NULL;

CREATE TABLE deliveries (
  org_id     text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  status     text COLLATE "C" NOT NULL,
  record     text NOT NULL,
  PRIMARY KEY (org_id, webhook_id, id)
);
-- One for each status, which costs a write no more than one with the status in it, and which the planner cannot take to
-- look for one delivery among all of its webhook.
CREATE INDEX deliveries_pending ON deliveries (org_id, webhook_id, id) WHERE status = 'pending';
CREATE INDEX deliveries_delivered ON deliveries (org_id, webhook_id, id) WHERE status = 'delivered';
CREATE INDEX deliveries_dead ON deliveries (org_id, webhook_id, id) WHERE status = 'dead';
