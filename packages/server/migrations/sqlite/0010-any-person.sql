-- A pending question for any person has the empty assignee, so that the inbox of a person is read along one index. The text
-- is searched, not parsed, and only pending questions are read: 2.6 s for 100,000 of them among a million questions.
INSERT OR IGNORE INTO assigned (org_id, responder_id, id)
  WITH RECURSIVE every_org (org_id) AS (
    SELECT min(org_id) FROM interactions
    UNION ALL
    SELECT (SELECT min(org_id) FROM interactions WHERE org_id > every_org.org_id) FROM every_org
    WHERE every_org.org_id IS NOT NULL
  )
  SELECT i.org_id, '', i.id
  FROM every_org CROSS JOIN interactions AS i INDEXED BY interactions_by_status
  WHERE i.org_id = every_org.org_id AND i.status = 'pending'
    AND (instr(i.record, '"responder":{"type":"human"}') > 0 OR instr(i.record, '"responder":{"type":"any"}') > 0);
