-- The index by status also tells the kind, so that a filter by kind fetches no row that does not fit.
DROP INDEX interactions_by_status;
CREATE INDEX interactions_by_status ON interactions (org_id, status, id, kind);
-- Again, because of indexes that seem equally good, as all do while a table is small, the planner takes the newest: else it
-- would look for the interactions of one thread among all of their status.
DROP INDEX interactions_by_thread;
DROP INDEX interactions_by_run;
CREATE INDEX interactions_by_thread ON interactions (org_id, thread_id, status, id);
CREATE INDEX interactions_by_run ON interactions (org_id, run_id, id) WHERE run_id IS NOT NULL;
