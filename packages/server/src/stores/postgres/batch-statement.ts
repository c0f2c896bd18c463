/**
 * A batch of changes as one statement. It first finds out which changes are refused, then writes the others: what it
 * reads cannot change under it, because the batch holds the locks of its changes (lock-names.ts). What is not locked is
 * guarded by a unique key, whose violation fails the batch and has it tried again.
 */
import type { QueryConfig } from 'pg';
import type { EncodedChange } from '../sql/encode-change.ts';
import { accepted, type Cell, noRefusal, type Part, parts } from './batch-parts.ts';
import { placeBits } from './log-order.ts';
import { textArray } from './text-array.ts';

/** Gives every event its number in its thread and its position in the log (log-order.ts). */
const addEvents = (base: string) => `added AS (
  INSERT INTO events (org_id, thread_id, seq, position, type, at, actor, interaction_id, data)
  SELECT org_id, thread_id,
    (SELECT coalesce(max(seq), 0) FROM events old WHERE old.org_id = e.org_id AND old.thread_id = e.thread_id)
      + row_number() OVER (PARTITION BY org_id, thread_id ORDER BY place),
    ((pg_current_xact_id()::text::bigint + ${base}::bigint) << ${placeBits}) + row_number() OVER (ORDER BY place),
    type, at, actor, interaction_id, data
  FROM event e WHERE ${accepted} ORDER BY place
  RETURNING seq, position)`;

/** A statement for every choice of parts that occurs: few do, and the database plans each once. */
const statements = new Map<string, { name: string; text: string }>();

export function batchStatement(batch: readonly EncodedChange[], base: bigint): QueryConfig {
  const values: unknown[] = [];
  const present: string[] = [];
  for (const [name, part] of Object.entries(parts)) {
    const numbers: number[] = [];
    const columns: Cell[][] = Object.keys(part.columns).map(() => []);
    batch.forEach((change, n) => {
      for (const row of part.rows(change)) {
        numbers.push(n);
        for (const [column, cell] of row.entries()) columns[column]?.push(cell);
      }
    });
    if (numbers.length === 0) continue;
    present.push(name);
    values.push(numbers);
    Object.values(part.columns).forEach((type, column) => {
      const cells = columns[column] ?? [];
      values.push(type === 'text' ? textArray(cells as (string | null)[]) : cells);
    });
  }
  if (present.includes('event')) values.push(base.toString());
  const key = present.join();
  let statement = statements.get(key);
  if (!statement) {
    statement = { name: `write ${statements.size}`, text: compose(present) };
    statements.set(key, statement);
  }
  return { ...statement, values };
}

/** Returns a row for every refusal, and one for every event that was written, in the order of the batch. */
function compose(present: readonly string[]): string {
  let parameters = 0;
  const parameter = (type: string) => `$${++parameters}::${type}[]`;
  const chosen = present.map((name) => ({ name, ...(parts[name] as Part) }));
  const inputs = chosen.map(({ name, columns }) => {
    const lists = ['int', ...Object.values(columns)].map(parameter).join(', ');
    return `${name} AS (SELECT * FROM unnest(${lists})
      WITH ORDINALITY AS t(n, ${Object.keys(columns).join(', ')}, place))`;
  });
  const refusals = chosen.flatMap((part) => part.refusals ?? []);
  const refused = `refused AS MATERIALIZED (${refusals.length > 0 ? refusals.join(' UNION ALL ') : noRefusal})`;
  const writes = chosen.flatMap((part) => part.writes).map((write, index) => `w${index} AS (${write})`);
  const hasEvents = present.includes('event');
  const added = hasEvents ? [addEvents(`$${parameters + 1}`)] : [];
  return `WITH ${[...inputs, refused, ...writes, ...added].join(',\n')}
    SELECT n, reason, fingerprint, resource_type, resource_id, NULL::int AS seq, NULL::bigint AS position FROM refused
    ${hasEvents ? 'UNION ALL (SELECT NULL, NULL, NULL, NULL, NULL, seq, position FROM added ORDER BY position)' : ''}`;
}
