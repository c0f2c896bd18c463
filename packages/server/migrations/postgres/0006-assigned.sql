-- Whom a pending question names, to find what waits for a person.
CREATE TABLE assigned (
  org_id       text COLLATE "C" NOT NULL,
  responder_id text COLLATE "C" NOT NULL,
  id           text COLLATE "C" NOT NULL,
  PRIMARY KEY (org_id, responder_id, id)
);

-- A record may hold what only JavaScript takes for JSON (NUL, half a surrogate pair); such a one is found by its thread alone.
WITH named AS MATERIALIZED (
  SELECT org_id, id, record FROM interactions
  WHERE status = 'pending' AND record LIKE '%"assignees":[%' AND record !~ '\\u(0000|d[89a-f])'
)
INSERT INTO assigned (org_id, responder_id, id)
  SELECT org_id, assignee, id
  FROM named, jsonb_array_elements_text(record::jsonb #> '{responder,assignees}') AS assignee
  ON CONFLICT DO NOTHING;
