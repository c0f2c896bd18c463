/** Reads of records, on a connection of their own: they never wait for the writer. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  type ApiKey,
  type Grant,
  type Interaction,
  type Message,
  StatusSchema,
  type Thread,
} from '@holdpoint/protocol';
import type { IdempotencyRecord, Listing, Store, StoredApiKey } from '../store.ts';
import { readIdempotency } from './apply-change.ts';
import { fromCursor, idCursor, toCursor } from './cursor.ts';
import { reaches } from './encode-change.ts';

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
  | 'findDue'
  | 'nextDueAt'
>;

export function recordReads(db: DatabaseSync): Reads {
  const interaction = db.prepare('SELECT record FROM interactions WHERE org_id = ? AND id = ?');
  const thread = db.prepare('SELECT record FROM threads WHERE org_id = ? AND id = ?');
  const message = db.prepare('SELECT record FROM messages WHERE org_id = ? AND id = ?');
  const grant = db.prepare('SELECT record FROM grants WHERE org_id = ? AND id = ?');
  const openGrants = db.prepare(
    `SELECT id, record FROM grants WHERE org_id = ? AND key = ? AND reach = ? AND is_open = 1
       AND (expires_at IS NULL OR expires_at > ?) ORDER BY id DESC LIMIT ?`,
  );
  const secrets = db.prepare('SELECT vals AS record FROM secrets WHERE org_id = ? AND interaction_id = ?');
  const idempotency = db.prepare('SELECT * FROM idempotency WHERE org_id = ? AND key = ?');
  const org = db.prepare('SELECT created_at FROM orgs WHERE id = ?');
  const keyByHash = db.prepare('SELECT org_id, hash, record FROM api_keys WHERE hash = ?');
  const keyById = db.prepare('SELECT org_id, hash, record FROM api_keys WHERE org_id = ? AND id = ?');
  const due = db.prepare(
    `SELECT org_id, id FROM interactions WHERE status = 'pending' AND deadline_at IS NOT NULL AND deadline_at <= ?
     ORDER BY deadline_at LIMIT ?`,
  );
  const nextDue = db.prepare(
    `SELECT min(deadline_at) AS at FROM interactions WHERE status = 'pending' AND deadline_at IS NOT NULL`,
  );
  const list = listing(db);

  return {
    getInteraction: async ({ orgId, id }) => parse<Interaction>(interaction.get(orgId, id)),
    getThread: async ({ orgId, id }) => parse<Thread>(thread.get(orgId, id)),
    getMessage: async ({ orgId, id }) => parse<Message>(message.get(orgId, id)),
    getGrant: async ({ orgId, id }) => parse<Grant>(grant.get(orgId, id)),
    getSecrets: async ({ orgId, interactionId }) => parse(secrets.get(orgId, interactionId)),
    getOrg: async ({ id }) => {
      const row = org.get(id);
      return row && { id, createdAt: String(row.created_at) };
    },
    findGrants: async ({ orgId, key, threadId, runId, now, limit }) =>
      [reaches.org, reaches.thread(threadId), ...(runId === undefined ? [] : [reaches.run(runId)])]
        .flatMap((reach) => openGrants.all(orgId, key, reach, now, limit))
        .sort((a, b) => (String(a.id) < String(b.id) ? 1 : -1))
        .slice(0, limit)
        .map((row) => JSON.parse(String(row.record)) as Grant),
    findIdempotency: async ({ orgId, key }): Promise<IdempotencyRecord | undefined> => {
      const row = idempotency.get(orgId, key);
      return row && readIdempotency(key, row);
    },
    findApiKey: async ({ hash }) => storedKey(keyByHash.get(hash)),
    getApiKey: async ({ orgId, id }) => storedKey(keyById.get(orgId, id)),

    listThreads: async ({ orgId, cursor, limit }) =>
      list<Thread>({ table: 'threads', where: { org_id: orgId }, by: 'position', isDescending: true, cursor, limit }),
    listGrants: async ({ orgId, key, cursor, limit }) =>
      list<Grant>({ table: 'grants', where: { org_id: orgId, key }, by: 'id', isDescending: true, cursor, limit }),
    listApiKeys: async ({ orgId, cursor, limit }) =>
      list<ApiKey>({ table: 'api_keys', where: { org_id: orgId }, by: 'id', isDescending: false, cursor, limit }),
    listInteractions: async ({ orgId, status, threadId, kind, runId, order, cursor, limit }) =>
      list<Interaction>({
        table: 'interactions',
        where: { org_id: orgId, thread_id: threadId, run_id: runId, status, kind },
        by: 'id',
        isDescending: order === 'newest',
        cursor,
        limit,
      }),

    findDue: async ({ now, limit }) =>
      due.all(now, limit).map((row) => ({ orgId: String(row.org_id), id: String(row.id) })),
    nextDueAt: async () => {
      const at = nextDue.get()?.at;
      return typeof at === 'number' ? at : undefined;
    },
  };
}

interface ListQuery {
  table: 'threads' | 'interactions' | 'grants' | 'api_keys';
  where: Record<string, string | undefined>;
  by: 'position' | 'id';
  isDescending: boolean;
  cursor: string | undefined;
  limit: number;
}

/** One query for every list: equal to the given columns, after the cursor, in key order, one row more to see if there is a next page. */
function listing(db: DatabaseSync) {
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  return <T>(query: ListQuery): Listing<T> => {
    const { by, isDescending, limit } = query;
    const parts = pages(query);
    const rows = parts.flatMap(select);
    if (parts.length > 1) rows.sort((a, b) => (String(a.key) < String(b.key) === isDescending ? 1 : -1));
    const items = rows.slice(0, limit).map((row) => JSON.parse(String(row.record)) as T);
    const last = rows[limit - 1];
    if (rows.length <= limit || !last) return { items };
    return { items, next: by === 'position' ? toCursor(Number(last.key)) : String(last.key) };
  };

  function select({ table, where, by, isDescending, cursor, limit }: ListQuery) {
    const given = Object.entries(where).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const conditions = given.map(([column]) => `${column} = ?`);
    const values: SQLInputValue[] = given.map(([, value]) => value);
    if (cursor !== undefined) {
      conditions.push(`${by} ${isDescending ? '<' : '>'} ?`);
      values.push(by === 'position' ? fromCursor(cursor) : idCursor(cursor));
    }
    const sql = `SELECT ${by} AS key, record FROM ${table} WHERE ${conditions.join(' AND ')}
      ORDER BY ${by} ${isDescending ? 'DESC' : 'ASC'} LIMIT ?`;
    const statement = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, statement);
    return statement.all(...values, limit + 1);
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

function parse<T>(row: Record<string, unknown> | undefined): T | undefined {
  return row && (JSON.parse(row.record as string) as T);
}

function storedKey(row: Record<string, unknown> | undefined): StoredApiKey | undefined {
  return row && { orgId: String(row.org_id), hash: String(row.hash), record: JSON.parse(String(row.record)) as ApiKey };
}
