-- How a question ended and how long it waited for somebody, to sum up many without reading what they asked.
ALTER TABLE interactions ADD COLUMN is_declined INTEGER NOT NULL DEFAULT 0;
ALTER TABLE interactions ADD COLUMN wait_ms INTEGER;

-- Of those that were there before, as many as are ever summed up.
UPDATE interactions SET
  is_declined = coalesce(record ->> '$.answer.decision' = 'declined', 0),
  wait_ms = CASE
    WHEN record ->> '$.answer' IS NULL OR coalesce(record ->> '$.answer.automatic', '') IN ('deadline', 'grant') THEN NULL
    ELSE max(0, CAST(round((julianday(record ->> '$.closedAt') - julianday(record ->> '$.createdAt')) * 86400000) AS INTEGER))
  END
  WHERE position > (SELECT max(position) FROM interactions) - 20000 AND status = 'answered' AND json_valid(record);
