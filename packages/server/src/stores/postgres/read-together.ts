import type { ReadTogether } from '../sql/gather-reads.ts';
import { hasNul, type SelectOver } from './select.ts';
import { textArray } from './text-array.ts';

const readAll = `SELECT asked.place, record FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS asked(org_id, id, place)
  JOIN interactions USING (org_id, id)`;

/** One query for all. */
export function readTogether(select: SelectOver): ReadTogether {
  return async (wanted) => {
    const ids = wanted.map(({ id }) => (hasNul(id) ? '' : id));
    const rows = await select(readAll, textArray(wanted.map(({ orgId }) => orgId)), textArray(ids));
    const records: (string | undefined)[] = Array(wanted.length);
    for (const { place, record } of rows) records[Number(place) - 1] = String(record);
    return records;
  };
}
