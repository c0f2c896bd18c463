/** Reads records by key and in lists. Both databases run the same queries. */
import type {
  ApiKey,
  Delivery,
  DeliveryStatus,
  Grant,
  Interaction,
  InteractionCount,
  JournalEntry,
  Message,
  Run,
  Status,
  Thread,
} from '@holdpoint/protocol';
import type { Document, Documents, DocumentType, IdempotencyRecord, Outcome, Store, StoredApiKey } from '../store.ts';
import { reachesOf, readIdempotency } from './encode-change.ts';
import { currentNames } from './gather-reads.ts';
import { assignedInteractions, byRow, counting, type ListOptions, listing, type Which } from './list-records.ts';
import { readFitting } from './page-bytes.ts';
import type { ReadsOf, Row, Select, SqlValue } from './select.ts';

type Reads = DocumentReads &
  RunReads &
  Pick<
    Store,
    | 'getThread'
    | 'listThreads'
    | 'listInteractions'
    | 'countInteractions'
    | 'listOutcomes'
    | 'getMessage'
    | 'listMessages'
    | 'getGrant'
    | 'findGrants'
    | 'listGrants'
    | 'getSecrets'
    | 'findIdempotency'
    | 'getDelivery'
    | 'listDeliveries'
    | 'getOrg'
    | 'findApiKey'
    | 'getApiKey'
    | 'listApiKeys'
  >;

/** Reads records by key with `select`, and everything else along an index, as a list. */
export function recordReads(select: Select, lists: ListOptions): Reads {
  const { readsOf } = lists;
  const list = listing(lists);
  const count = counting(lists);
  const find = async <T>(sql: string, ...values: SqlValue[]): Promise<T | undefined> =>
    parse<T>((await select(sql, ...values))[0]);
  const findKey = async (sql: string, ...values: SqlValue[]): Promise<StoredApiKey | undefined> =>
    storedKey((await select(sql, ...values))[0]);

  return {
    ...documentReads(select, readsOf),
    ...runReads(select, readsOf, list),
    getThread: ({ orgId, id }) => find<Thread>('SELECT record FROM threads WHERE org_id = ? AND id = ?', orgId, id),
    getMessage: ({ orgId, id }) => find<Message>('SELECT record FROM messages WHERE org_id = ? AND id = ?', orgId, id),
    getGrant: ({ orgId, id }) => find<Grant>('SELECT record FROM grants WHERE org_id = ? AND id = ?', orgId, id),
    getSecrets: ({ orgId, interactionId }) =>
      find('SELECT vals AS record FROM secrets WHERE org_id = ? AND interaction_id = ?', orgId, interactionId),
    getOrg: async ({ id }) => {
      const [row] = await select('SELECT created_at FROM orgs WHERE id = ?', id);
      return row && { id, createdAt: String(row.created_at) };
    },
    findGrants: async ({ orgId, key, covers, threadId, runId, now, limit }) => {
      const reaches = reachesOf(covers);
      const standing = [reaches.org, reaches.thread(threadId), ...(runId === undefined ? [] : [reaches.run(runId)])];
      const found = await Promise.all(
        standing.map((reach) => select(openGrants, orgId, key, reach, now, orgId, key, reach, limit)),
      );
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
    listInteractions: async ({ order, cursor, offset, limit, ...of }) => {
      const isDescending = order === 'newest';
      const { items, ...page } = await list<Interaction>({
        ...interactions(of),
        ...{ by: 'id', isDescending, cursor, offset, limit },
      });
      return { ...page, items: items.map(currentNames) };
    },
    countInteractions: ({ limit, archived, ...of }) => count(inThreads(interactions(of), archived, lists), limit),
    listOutcomes: async ({ orgId, from, before, limit }) =>
      (await readsOf(orgId).one(outcomes, orgId, from, before, limit)).map(outcomeOf),
    listMessages: ({ orgId, threadId, order, cursor, limit }) =>
      list<Message>({
        table: 'messages',
        where: { org_id: orgId, thread_id: threadId },
        by: 'id',
        isDescending: order === 'newest',
        cursor,
        limit,
      }),

    getDelivery: ({ orgId, webhookId, id }) =>
      find<Delivery>(
        'SELECT record FROM deliveries WHERE org_id = ? AND webhook_id = ? AND id = ?',
        ...[orgId, webhookId, id],
      ),
    listDeliveries: ({ orgId, webhookId, status, order, cursor, limit }) =>
      list<Delivery>({
        table: 'deliveries',
        where: { org_id: orgId, webhook_id: webhookId },
        ...(status === undefined ? {} : { condition: statusIs[status] ?? 'false' }),
        by: 'id',
        isDescending: order === 'newest',
        cursor,
        limit,
      }),
  };
}

/** In the text of the query, because an index of one status serves no query that could be about another. */
const statusIs: Record<DeliveryStatus, string> = {
  pending: `status = 'pending'`,
  delivered: `status = 'delivered'`,
  dead: `status = 'dead'`,
};

/** Chooses the index that leaves the fewest rows to examine. */
function interactions({ orgId, ...filter }: InteractionCount & { orgId: string }): Which {
  const { status, threadId: thread_id, kind, runId: run_id, assignee: responder_id } = filter;
  const table = 'interactions';
  const org_id = orgId;
  const isPlaced = { [byRow('thread_id')]: thread_id };
  const isSuch = { [byRow('status')]: status, [byRow('kind')]: kind };
  if (responder_id !== undefined) {
    const rest = { ...isPlaced, [byRow('run_id')]: run_id, ...isSuch };
    return { table: assignedInteractions, where: { org_id, responder_id }, rest };
  }
  if (run_id !== undefined) {
    const rest = { ...isPlaced, ...isSuch };
    return { table, index: 'interactions_by_run', where: { org_id, run_id }, rest };
  }
  if (thread_id !== undefined) {
    const [where, rest] = [{ org_id, thread_id, status }, { [byRow('kind')]: kind }];
    return { table, index: 'interactions_by_thread', where, isByStatus: true, rest };
  }
  // The index by status ends with the kind, so no row is fetched to check it.
  if (status !== undefined || kind !== undefined)
    return { table, index: 'interactions_by_status', where: { org_id, status }, isByStatus: true, rest: { kind } };
  return { table, where: { org_id } };
}

/** Each examined row costs a look-up of its thread, so this is checked row by row. */
function inThreads(which: Which, archived: InteractionCount['archived'], { property }: ListOptions): Which {
  if (archived === undefined) return which;
  const row = which.table === assignedInteractions ? 'waiting' : which.table;
  const isArchived = `CASE WHEN EXISTS (SELECT 1 FROM threads AS t WHERE t.org_id = ${row}.org_id AND t.id = ${row}.thread_id
    AND ${property('t.record', 'archivedAt')} IS NOT NULL) THEN 'true' ELSE 'false' END`;
  return { ...which, rest: { ...which.rest, [isArchived]: archived } };
}

const outcomes = `SELECT id, status, is_declined, wait_ms FROM interactions
  WHERE org_id = ? AND id >= ? AND id < ? ORDER BY id DESC LIMIT ?`;

const outcomeOf = ({ id, status, is_declined, wait_ms }: Row): Outcome => ({
  id: String(id),
  status: status as Status,
  isDeclined: Number(is_declined) === 1,
  ...(wait_ms === null ? {} : { waitMs: Number(wait_ms) }),
});

/** Looks at the newest thousand only. It reads expired ones too, on the main thread: 100,000 of them took 45 ms. */
const openGrants = `SELECT id, record FROM grants WHERE org_id = ? AND key = ? AND reach = ? AND is_open = 1
  AND (expires_at IS NULL OR expires_at > ?) AND id > COALESCE((SELECT id FROM grants
    WHERE org_id = ? AND key = ? AND reach = ? AND is_open = 1 ORDER BY id DESC LIMIT 1 OFFSET 1000), '')
  ORDER BY id DESC LIMIT ?`;

function parse<T>(row: Row | undefined): T | undefined {
  return row && (JSON.parse(row.record as string) as T);
}

function storedKey(row: Row | undefined): StoredApiKey | undefined {
  return row && { orgId: String(row.org_id), hash: String(row.hash), record: JSON.parse(String(row.record)) as ApiKey };
}

type DocumentReads = Pick<Store, 'getDocument' | 'findDocument' | 'listDocuments'>;

const read = 'SELECT id, revision, record FROM documents WHERE org_id = ? AND type = ?';

function documentReads(select: Select, readsOf: ReadsOf): DocumentReads {
  return {
    getDocument: async <T extends DocumentType>({ orgId, type, id }: { orgId: string; type: T; id: string }) =>
      toDocument<T>((await select(`${read} AND id = ?`, orgId, type, id))[0]),
    findDocument: async <T extends DocumentType>({ orgId, type, alias }: { orgId: string; type: T; alias: string }) =>
      toDocument<T>((await select(`${read} AND alias = ?`, orgId, type, alias))[0]),
    async listDocuments<T extends DocumentType>(by: { orgId: string; type: T; cursor?: string; limit: number }) {
      const { orgId, type, cursor, limit } = by;
      const after = cursor === undefined ? [] : [cursor];
      const sql = `${read} ${cursor === undefined ? '' : 'AND id > ?'} ORDER BY id LIMIT ?`;
      const items = (await readsOf(orgId).one(sql, orgId, type, ...after, limit + 1)).map((row) => toDocument<T>(row));
      const last = items[limit - 1];
      return items.length <= limit || !last ? { items } : { items: items.slice(0, limit), next: last.id };
    },
  };
}

function toDocument<T extends DocumentType>(row: Row): Document<T>;

function toDocument<T extends DocumentType>(row: Row | undefined): Document<T> | undefined;

function toDocument<T extends DocumentType>(row: Row | undefined): Document<T> | undefined {
  return (
    row && {
      id: String(row.id),
      revision: String(row.revision),
      record: JSON.parse(String(row.record)) as Documents[T],
    }
  );
}

type RunReads = Pick<Store, 'getRun' | 'listRuns' | 'readJournal'>;

function runReads(select: Select, readsOf: ReadsOf, list: ReturnType<typeof listing>): RunReads {
  return {
    getRun: async ({ orgId, id }) => {
      const [row] = await select('SELECT record FROM runs WHERE org_id = ? AND id = ?', orgId, id);
      return row && (JSON.parse(String(row.record)) as Run);
    },
    listRuns: ({ order, cursor, limit, ...filter }) =>
      list<Run>({ ...runs(filter), by: 'id', isDescending: order === 'newest', cursor, limit }),
    readJournal: async ({ orgId, runId, after, limit }) => {
      const { rows, isFull } = await readFitting({
        ...{ select: readsOf(orgId).one, columns: 'idx', text: 'record', limit },
        from: 'FROM journal WHERE org_id = ? AND run_id = ? AND idx > ? ORDER BY idx',
        values: [orgId, runId, after],
      });
      const items = rows.map(({ record }) => JSON.parse(String(record)) as JournalEntry);
      return { items, ...(isFull ? { next: String(rows.at(-1)?.idx) } : {}) };
    },
  };
}

/** Chooses the index that leaves the fewest rows to examine. */
function runs({ orgId, threadId, status, agent }: Omit<RunsOf, 'order' | 'cursor' | 'limit'>): Which {
  const table = 'runs';
  const org_id = orgId;
  const [isInState, isOf] = [{ [byRow('status')]: status }, { [byRow('agent')]: agent }];
  if (threadId !== undefined) {
    const rest = { ...isInState, ...isOf };
    return { table, index: 'runs_by_thread', where: { org_id, thread_id: threadId }, rest };
  }
  if (agent !== undefined) return { table, index: 'runs_by_agent', where: { org_id, agent }, rest: isInState };
  return { table, where: { org_id, status } };
}

type RunsOf = Parameters<Store['listRuns']>[0];
