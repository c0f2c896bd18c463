-- How a question ended and how long it waited for somebody, to sum up many without reading what they asked. What was closed
-- before counts by its status alone: to read it all here would keep the server from starting.
ALTER TABLE interactions ADD COLUMN is_declined smallint NOT NULL DEFAULT 0;
ALTER TABLE interactions ADD COLUMN wait_ms bigint;
