-- Nothing: SQLite parses every record that JavaScript writes, so migration 0006 skipped none. The number is taken, so that a
-- number means the same in both databases.
SELECT 1;
