import type { Found, ReadTogether } from '../sql/gather-reads.ts';
import type { Connection } from './connection.ts';
import { readError } from './database-error.ts';
import { hasNul } from './select.ts';
import { textArray } from './text-array.ts';

const readAll = {
  name: 'read interactions',
  text: `SELECT asked.place, record FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked(org_id, id, place)
    JOIN interactions USING (org_id, id)`,
};

/** One query for all. */
export function readTogether(connections: readonly Connection[]): ReadTogether {
  let turn = 0;
  return async (wanted) => {
    const connection = connections[turn++ % connections.length] as Connection;
    const ids = wanted.map(({ id }) => (hasNul(id) ? '' : id));
    const values = [textArray(wanted.map(({ orgId }) => orgId)), textArray(ids)];
    const rows = await connection.query({ ...readAll, values }, true).catch((error) => {
      throw readError(error);
    });
    const records: Found[] = Array(wanted.length);
    for (const { place, record } of rows) records[Number(place) - 1] = String(record);
    return records;
  };
}
