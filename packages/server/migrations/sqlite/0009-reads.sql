-- The index by status also tells the kind, so that a filter by kind fetches no row that does not fit.
DROP INDEX interactions_by_status;
CREATE INDEX interactions_by_status ON interactions (org_id, status, id, kind);
