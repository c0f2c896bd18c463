-- Nothing: the bytes of uploaded files are kept in a folder beside this database. The number is taken, so that a number
-- means the same in both databases.
SELECT 1;
