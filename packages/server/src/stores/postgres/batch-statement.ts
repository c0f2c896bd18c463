/**
 * Writes a batch of changes in one statement, which first selects the refused changes and then writes the others. The rows
 * that it reads cannot change meanwhile, because the batch holds the locks of its changes (change-locks.ts). A unique key
 * protects all other rows. A violation fails the batch, which is then tried again.
 */
import type { QueryConfig } from 'pg';
import type { EncodedChange } from '../sql/encode-change.ts';
import { accepted, noRefusal, type Part, parts, snakeCase } from './batch-parts.ts';
import { placeBits } from './log-order.ts';
import { textArray } from './text-array.ts';

/** Assigns every event its number in its thread and its position in the log (log-order.ts). */
const addEvents = (base: string) => `added AS (
  INSERT INTO events (org_id, thread_id, seq, position, type, at, actor, interaction_id, data)
  SELECT org_id, thread_id,
    (SELECT coalesce(max(seq), 0) FROM events old WHERE old.org_id = e.org_id AND old.thread_id = e.thread_id)
      + row_number() OVER (PARTITION BY org_id, thread_id ORDER BY place),
    ((pg_current_xact_id()::text::bigint + ${base}::bigint) << ${placeBits}) + row_number() OVER (ORDER BY place),
    type, at, actor, interaction_id, data
  FROM event e WHERE ${accepted} ORDER BY place
  RETURNING seq, position)`;

/** The columns that are not text. */
const types: Record<string, string> = {
  ...{ version: 'int', expectedVersion: 'int', isDeclined: 'int', isOpen: 'int', expectedOpen: 'int', index: 'int' },
  ...{ waitMs: 'bigint', dueAt: 'bigint', expiresAt: 'bigint' },
};

type Cell = string | number | null;

/** One statement for each combination of parts. Few combinations occur, and the database plans each once. */
const statements = new Map<string, { name: string; text: string }>();

export function batchStatement(batch: readonly EncodedChange[], base: bigint): QueryConfig {
  const values: unknown[] = [];
  const present: string[] = [];
  for (const [name, part] of Object.entries(parts)) {
    const numbers: number[] = [];
    const columns: Cell[][] = part.columns.map(() => []);
    batch.forEach((change, n) => {
      for (const row of part.rows(change) as Record<string, Cell>[]) {
        numbers.push(n);
        part.columns.forEach((column, index) => {
          columns[index]?.push(row[column] ?? (column === 'orgId' ? change.orgId : null));
        });
      }
    });
    if (numbers.length === 0) continue;
    present.push(name);
    values.push(numbers);
    part.columns.forEach((column, index) => {
      const cells = columns[index] ?? [];
      values.push(column in types ? cells : textArray(cells as (string | null)[]));
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
  const chosen = present.map((name) => ({ name, ...(parts[name] as Part) }));
  const inputs = chosen.map(({ name, columns }) => {
    const lists = ['int', ...columns.map((column) => types[column] ?? 'text')].map(
      (type) => `$${++parameters}::${type}[]`,
    );
    return `${name} AS (SELECT * FROM unnest(${lists.join(', ')})
      WITH ORDINALITY AS t(n, ${columns.map(snakeCase).join(', ')}, place))`;
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
