/** Reads of records: the same queries whichever database runs them. */
import {
  type ApiKey,
  type Grant,
  type Interaction,
  type Message,
  StatusSchema,
  type Thread,
} from '@holdpoint/protocol';
import type { IdempotencyRecord, Listing, Store, StoredApiKey } from '../store.ts';
import { fromCursor, idCursor, toCursor } from './cursor.ts';
import { reaches } from './encode-change.ts';
import { readIdempotency } from './read-idempotency.ts';

type Row = Record<string, unknown>;

/** Runs a query with `?` for its values. Where the store need not wait, it does not: then it gives the rows themselves. */
export type Select = (sql: string, ...values: SqlValue[]) => Row[] | Promise<Row[]>;
export type SqlValue = string | number | null;

type Reads = Pick<
  Store,
  | 'getThread'
  | 'listThreads'
  | 'getInteraction'
  | 'listInteractions'
  | 'getMessage'
  | 'getGrant'
  | 'findGrants'
  | 'listGrants'
  | 'getSecrets'
  | 'findIdempotency'
  | 'getOrg'
  | 'findApiKey'
  | 'getApiKey'
  | 'listApiKeys'
>;

export function recordReads(select: Select): Reads {
  const list = listing(select);
  const find = async <T>(sql: string, ...values: SqlValue[]): Promise<T | undefined> =>
    parse<T>((await select(sql, ...values))[0]);
  const findKey = async (sql: string, ...values: SqlValue[]): Promise<StoredApiKey | undefined> =>
    storedKey((await select(sql, ...values))[0]);

  return {
    getInteraction: ({ orgId, id }) =>
      find<Interaction>('SELECT record FROM interactions WHERE org_id = ? AND id = ?', orgId, id),
    getThread: ({ orgId, id }) => find<Thread>('SELECT record FROM threads WHERE org_id = ? AND id = ?', orgId, id),
    getMessage: ({ orgId, id }) => find<Message>('SELECT record FROM messages WHERE org_id = ? AND id = ?', orgId, id),
    getGrant: ({ orgId, id }) => find<Grant>('SELECT record FROM grants WHERE org_id = ? AND id = ?', orgId, id),
    getSecrets: ({ orgId, interactionId }) =>
      find('SELECT vals AS record FROM secrets WHERE org_id = ? AND interaction_id = ?', orgId, interactionId),
    getOrg: async ({ id }) => {
      const [row] = await select('SELECT created_at FROM orgs WHERE id = ?', id);
      return row && { id, createdAt: String(row.created_at) };
    },
    findGrants: async ({ orgId, key, threadId, runId, now, limit }) => {
      const standing = [reaches.org, reaches.thread(threadId), ...(runId === undefined ? [] : [reaches.run(runId)])];
      const found = await Promise.all(standing.map((reach) => select(openGrants, orgId, key, reach, now, limit)));
      return found
        .flat()
        .sort((a, b) => (String(a.id) < String(b.id) ? 1 : -1))
        .slice(0, limit)
        .map((row) => JSON.parse(String(row.record)) as Grant);
    },
    findIdempotency: async ({ orgId, key }): Promise<IdempotencyRecord | undefined> => {
      const [row] = await select('SELECT * FROM idempotency WHERE org_id = ? AND key = ?', orgId, key);
      return row && readIdempotency(key, row);
    },
    findApiKey: ({ hash }) => findKey('SELECT org_id, hash, record FROM api_keys WHERE hash = ?', hash),
    getApiKey: ({ orgId, id }) =>
      findKey('SELECT org_id, hash, record FROM api_keys WHERE org_id = ? AND id = ?', orgId, id),

    listThreads: ({ orgId, cursor, limit }) =>
      list<Thread>({ table: 'threads', where: { org_id: orgId }, by: 'position', isDescending: true, cursor, limit }),
    listGrants: ({ orgId, key, cursor, limit }) =>
      list<Grant>({ table: 'grants', where: { org_id: orgId, key }, by: 'id', isDescending: true, cursor, limit }),
    listApiKeys: ({ orgId, cursor, limit }) =>
      list<ApiKey>({ table: 'api_keys', where: { org_id: orgId }, by: 'id', isDescending: false, cursor, limit }),
    listInteractions: ({ orgId, status, threadId, kind, runId, order, cursor, limit }) =>
      list<Interaction>({
        table: 'interactions',
        where: { org_id: orgId, thread_id: threadId, run_id: runId, status, kind },
        by: 'id',
        isDescending: order === 'newest',
        cursor,
        limit,
      }),
  };
}

const openGrants = `SELECT id, record FROM grants WHERE org_id = ? AND key = ? AND reach = ? AND is_open = 1
  AND (expires_at IS NULL OR expires_at > ?) ORDER BY id DESC LIMIT ?`;

interface ListQuery {
  table: 'threads' | 'interactions' | 'grants' | 'api_keys';
  where: Record<string, string | undefined>;
  by: 'position' | 'id';
  isDescending: boolean;
  cursor: string | undefined;
  limit: number;
}

/** One query for every list: equal to the given columns, after the cursor, in key order, one row more to see if there is a next page. */
function listing(select: Select) {
  return async <T>(query: ListQuery): Promise<Listing<T>> => {
    const { by, isDescending, limit } = query;
    const parts = pages(query);
    const rows = (await Promise.all(parts.map(page))).flat();
    if (parts.length > 1) rows.sort((a, b) => (String(a.key) < String(b.key) === isDescending ? 1 : -1));
    const items = rows.slice(0, limit).map((row) => JSON.parse(String(row.record)) as T);
    const last = rows[limit - 1];
    if (rows.length <= limit || !last) return { items };
    return { items, next: by === 'position' ? toCursor(Number(last.key)) : String(last.key) };
  };

  function page({ table, where, by, isDescending, cursor, limit }: ListQuery): Row[] | Promise<Row[]> {
    const given = Object.entries(where).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const conditions = given.map(([column]) => `${column} = ?`);
    const values: SqlValue[] = given.map(([, value]) => value);
    if (cursor !== undefined) {
      conditions.push(`${by} ${isDescending ? '<' : '>'} ?`);
      values.push(by === 'position' ? fromCursor(cursor) : idCursor(cursor));
    }
    const sql = `SELECT ${by} AS key, record FROM ${table} WHERE ${conditions.join(' AND ')}
      ORDER BY ${by} ${isDescending ? 'DESC' : 'ASC'} LIMIT ?`;
    return select(sql, ...values, limit + 1);
  }
}

/**
 * The index by thread begins with the status, because what is pending in a thread is asked for most. All of a thread is
 * a page of each status, merged: no second index to write.
 */
function pages(query: ListQuery): ListQuery[] {
  const { thread_id, run_id, status } = query.where;
  if (thread_id === undefined || run_id !== undefined || status !== undefined) return [query];
  return StatusSchema.enum.map((each) => ({ ...query, where: { ...query.where, status: each } }));
}

function parse<T>(row: Row | undefined): T | undefined {
  return row && (JSON.parse(row.record as string) as T);
}

function storedKey(row: Row | undefined): StoredApiKey | undefined {
  return row && { orgId: String(row.org_id), hash: String(row.hash), record: JSON.parse(String(row.record)) as ApiKey };
}
