-- Every key begins with the org, so that the tables can be split by it. Texts compare by their bytes.
CREATE TABLE meta (
  key   text COLLATE "C" PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE orgs (
  id         text COLLATE "C" PRIMARY KEY,
  created_at text NOT NULL
);

CREATE TABLE api_keys (
  hash   text COLLATE "C" PRIMARY KEY,
  org_id text COLLATE "C" NOT NULL,
  id     text COLLATE "C" NOT NULL,
  record text NOT NULL
);
CREATE UNIQUE INDEX api_keys_by_id ON api_keys (org_id, id);

CREATE TABLE threads (
  org_id   text COLLATE "C" NOT NULL,
  id       text COLLATE "C" NOT NULL,
  position bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  record   text NOT NULL,
  PRIMARY KEY (org_id, id)
);
CREATE INDEX threads_of_org ON threads (org_id, position);

-- An answer changes a row once or twice: the free space keeps the new version on the page of the old one. A record of
-- some kilobytes stays in its row, where reading it costs one look instead of two.
CREATE TABLE interactions (
  org_id    text COLLATE "C" NOT NULL,
  id        text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C" NOT NULL,
  run_id    text COLLATE "C",
  kind      text COLLATE "C" NOT NULL,
  status    text COLLATE "C" NOT NULL,
  version   integer NOT NULL,
  record    text NOT NULL,
  PRIMARY KEY (org_id, id)
) WITH (fillfactor = 70, toast_tuple_target = 8160);
CREATE INDEX interactions_by_status ON interactions (org_id, status, id);
CREATE INDEX interactions_by_thread ON interactions (org_id, thread_id, status, id);
CREATE INDEX interactions_by_run ON interactions (org_id, run_id, id) WHERE run_id IS NOT NULL;

-- One row for each pending interaction with a deadline. Whoever takes one on moves `due_at` ahead: if it dies, the
-- deadline falls due again.
CREATE TABLE deadlines (
  org_id         text COLLATE "C" NOT NULL,
  interaction_id text COLLATE "C" NOT NULL,
  due_at         bigint NOT NULL,
  PRIMARY KEY (org_id, interaction_id)
);
CREATE INDEX deadlines_by_due ON deadlines (due_at);

CREATE TABLE messages (
  org_id    text COLLATE "C" NOT NULL,
  id        text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C" NOT NULL,
  record    text NOT NULL,
  PRIMARY KEY (org_id, id)
);

-- `position` is the number of the transaction that wrote the event, and the event's place in it: an order that needs no
-- lock, and that a reader can trust as far as every writing transaction is over.
CREATE TABLE events (
  org_id         text COLLATE "C" NOT NULL,
  thread_id      text COLLATE "C" NOT NULL,
  seq            integer NOT NULL,
  position       bigint NOT NULL,
  type           text COLLATE "C" NOT NULL,
  at             text NOT NULL,
  actor          text NOT NULL,
  interaction_id text COLLATE "C",
  data           text NOT NULL,
  PRIMARY KEY (org_id, thread_id, seq)
) WITH (toast_tuple_target = 8160);
-- An expression, so that the planner never takes this index to read the log of one org past those of all others.
CREATE INDEX events_by_position ON events ((position + 0));
CREATE INDEX events_of_org ON events (org_id, position);

CREATE TABLE grants (
  org_id     text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  key        text COLLATE "C" NOT NULL,
  reach      text COLLATE "C" NOT NULL,
  expires_at bigint,
  is_open    smallint NOT NULL,
  record     text NOT NULL,
  PRIMARY KEY (org_id, id)
);
CREATE INDEX grants_by_key ON grants (org_id, key, id);
CREATE INDEX grants_open_by_reach ON grants (org_id, key, reach, id) WHERE is_open = 1;

CREATE TABLE secrets (
  org_id         text COLLATE "C" NOT NULL,
  interaction_id text COLLATE "C" NOT NULL,
  vals           text NOT NULL,
  PRIMARY KEY (org_id, interaction_id)
);

CREATE TABLE idempotency (
  org_id        text COLLATE "C" NOT NULL,
  key           text COLLATE "C" NOT NULL,
  fingerprint   text NOT NULL,
  resource_type text NOT NULL,
  resource_id   text NOT NULL,
  PRIMARY KEY (org_id, key)
);
