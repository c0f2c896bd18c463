-- The bytes of uploaded files, in pieces, so that no node ever holds a whole one. What a file is stands in its document;
-- pieces that no document speaks of are removed by the timer that was set before the first of them was written.
CREATE TABLE blob_chunks (
  blob_id text NOT NULL,
  number integer NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (blob_id, number)
);
-- Images and archives are compressed already: trying again costs time, and a part of a compressed value cannot be read alone.
ALTER TABLE blob_chunks ALTER COLUMN data SET STORAGE EXTERNAL;
