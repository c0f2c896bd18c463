-- A pending question for any person has the empty assignee, so that the inbox of a person is read along one index. The text
-- is searched, not parsed, and only pending questions are read.
INSERT INTO assigned (org_id, responder_id, id)
  WITH RECURSIVE every_org (org_id) AS (
    SELECT min(org_id) FROM interactions
    UNION ALL
    SELECT (SELECT min(org_id) FROM interactions WHERE org_id > every_org.org_id) FROM every_org
    WHERE every_org.org_id IS NOT NULL
  )
  SELECT i.org_id, '', i.id
  FROM every_org CROSS JOIN LATERAL (
    SELECT org_id, id, record FROM interactions
    WHERE org_id = every_org.org_id AND status = 'pending' ORDER BY id
  ) AS i
  WHERE position('"responder":{"type":"human"}' IN i.record) > 0 OR position('"responder":{"type":"any"}' IN i.record) > 0
  ON CONFLICT DO NOTHING;

-- Older nodes go on asking and answering without these rows. Each start within a day repairs that (migrate.ts).
INSERT INTO meta (key, value) VALUES ('assign-any-person', (extract(epoch FROM now()) * 1000)::bigint::text);
