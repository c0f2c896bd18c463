-- How a question ended and how long it waited for somebody, to sum up many without reading what they asked.
ALTER TABLE interactions ADD COLUMN is_declined smallint NOT NULL DEFAULT 0;
ALTER TABLE interactions ADD COLUMN wait_ms bigint;

-- Of those that were there before, as many as are ever summed up. A record may hold what only JavaScript takes for JSON;
-- of such a one nothing is known.
WITH newest AS MATERIALIZED (
  SELECT org_id, id, record FROM interactions
  WHERE status = 'answered' AND position('\u0000' IN record) = 0 ORDER BY id DESC LIMIT 20000
), answered AS MATERIALIZED (
  SELECT org_id, id, record::jsonb AS record FROM newest
)
UPDATE interactions old SET
  is_declined = CASE WHEN a.record #>> '{answer,decision}' = 'declined' THEN 1 ELSE 0 END,
  wait_ms = CASE
    WHEN a.record #>> '{answer,automatic}' IN ('deadline', 'grant') THEN NULL
    ELSE greatest(0, round(extract(epoch FROM
      (a.record ->> 'closedAt')::timestamptz - (a.record ->> 'createdAt')::timestamptz) * 1000))
  END
  FROM answered a WHERE old.org_id = a.org_id AND old.id = a.id;
