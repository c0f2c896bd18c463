/** Reads records by key and in lists. Both databases run the same queries. */
import {
  type ApiKey,
  type Delivery,
  type DeliveryStatus,
  type Grant,
  type InteractionCount,
  type JournalEntry,
  type Run,
  type Status,
  StatusSchema,
} from '@holdpoint/protocol';
import type { Document, DocumentType } from '../documents.ts';
import type { OfAssignees, Outcome, Store, StoredApiKey } from '../store.ts';
import { currentDocument, currentGrant, currentInteraction, currentMessage, currentThread } from './current-form.ts';
import { reachesOf } from './encode-change.ts';
import { assignedInteractions, byRow, counting, type ListOptions, listing, type Which } from './list-records.ts';
import { readFitting } from './page-bytes.ts';
import { readIdempotency } from './read-idempotency.ts';
import type { Row, Select, SqlValue } from './select.ts';

/** Reads records by key with `select`, and everything else along an index, as a list. */
export function recordReads(select: Select, lists: ListOptions) {
  const { readsOf } = lists;
  const list = listing(lists);
  const count = counting(lists);
  const first = async (sql: string, ...values: SqlValue[]): Promise<Row | undefined> =>
    (await select(sql, ...values))[0];
  const find = async <T>(sql: string, ...values: SqlValue[]): Promise<T | undefined> =>
    parse<T>(await first(sql, ...values));
  const finding = <T>(table: string, current: (stored: T) => T) => {
    const sql = `SELECT record FROM ${table} WHERE org_id = ? AND id = ?`;
    return async ({ orgId, id }: { orgId: string; id: string }) => {
      const found = await find<T>(sql, orgId, id);
      return found && current(found);
    };
  };
  const inOrder = ({ order, cursor, limit }: { order: 'oldest' | 'newest'; cursor?: string; limit: number }) =>
    ({ by: 'id', isDescending: order === 'newest', cursor, limit }) as const;

  return {
    getThread: finding('threads', currentThread),
    getMessage: finding('messages', currentMessage),
    getGrant: finding('grants', currentGrant),
    getRun: finding<Run>('runs', (run) => run),
    getSecrets: ({ orgId, interactionId }) =>
      find('SELECT vals AS record FROM secrets WHERE org_id = ? AND interaction_id = ?', orgId, interactionId),
    getOrg: async ({ id }) => {
      const row = await first('SELECT created_at FROM orgs WHERE id = ?', id);
      return row && { id, createdAt: String(row.created_at) };
    },
    findGrants: async ({ orgId, key, covers, threadId, runId, now, limit }) => {
      const reaches = reachesOf(covers);
      const wanted = [reaches.org, reaches.thread(threadId), ...(runId === undefined ? [] : [reaches.run(runId)])];
      const found = await Promise.all(
        wanted.map((reach) => select(openGrants, orgId, key, reach, now, orgId, key, reach, limit)),
      );
      return found
        .flat()
        .sort((a, b) => (String(a.id) < String(b.id) ? 1 : -1))
        .slice(0, limit)
        .map((row) => currentGrant(parse<Grant>(row)));
    },
    findIdempotency: async ({ orgId, key }) => {
      const row = await first('SELECT * FROM idempotency WHERE org_id = ? AND key = ?', orgId, key);
      return row && readIdempotency(key, row);
    },
    findApiKey: async ({ hash }) => storedKey(await first(`${apiKey} WHERE hash = ?`, hash)),
    getApiKey: async ({ orgId, id }) => storedKey(await first(`${apiKey} WHERE org_id = ? AND id = ?`, orgId, id)),
    getDelivery: ({ orgId, webhookId, id }) =>
      find<Delivery>(
        'SELECT record FROM deliveries WHERE org_id = ? AND webhook_id = ? AND id = ?',
        ...[orgId, webhookId, id],
      ),
    getDocument: async ({ orgId, type, id }) =>
      toDocument(type, await first(`${document} AND id = ?`, orgId, type, id)),
    findDocument: async ({ orgId, type, alias }) =>
      toDocument(type, await first(`${document} AND alias = ?`, orgId, type, alias)),

    listThreads: ({ orgId, cursor, limit }) =>
      list({
        ...{ table: 'threads', where: { org_id: orgId }, by: 'position', isDescending: true, cursor, limit },
        current: currentThread,
      }),
    listGrants: ({ orgId, key, ...page }) =>
      list({
        ...{ table: 'grants', where: { org_id: orgId, key }, ...inOrder({ order: 'newest', ...page }) },
        current: currentGrant,
      }),
    listApiKeys: ({ orgId, ...page }) =>
      list<ApiKey>({ table: 'api_keys', where: { org_id: orgId }, ...inOrder({ order: 'oldest', ...page }) }),
    listInteractions: ({ order, cursor, offset, limit, archived, ...of }) =>
      list({
        ...inThreads(interactions(of), archived, lists),
        ...{ by: 'id', isDescending: order === 'newest', cursor, offset, limit },
        current: currentInteraction,
      }),
    countInteractions: ({ limit, archived, ...of }) => count(inThreads(interactions(of), archived, lists), limit),
    listOutcomes: async ({ orgId, from, before, limit }) =>
      (await readsOf(orgId).one(outcomes, orgId, from, before, limit)).map(outcomeOf),
    listMessages: ({ orgId, threadId, ...page }) =>
      list({
        ...{ table: 'messages', where: { org_id: orgId, thread_id: threadId }, ...inOrder(page) },
        current: currentMessage,
      }),
    listRuns: ({ orgId, threadId, status, agent, ...page }) =>
      list<Run>({ ...runs({ orgId, threadId, status, agent }), ...inOrder(page) }),
    listDeliveries: ({ orgId, webhookId, status, ...page }) =>
      list<Delivery>({
        table: 'deliveries',
        where: { org_id: orgId, webhook_id: webhookId },
        condition: status && (statusIs[status] ?? 'false'),
        ...inOrder(page),
      }),
    listDocuments: async ({ orgId, type, cursor, limit }) => {
      const after = cursor === undefined ? [] : [cursor];
      const sql = `${document} ${cursor === undefined ? '' : 'AND id > ?'} ORDER BY id LIMIT ?`;
      const rows = await readsOf(orgId).one(sql, orgId, type, ...after, limit + 1);
      const items = rows.slice(0, limit).map((row) => toDocument(type, row));
      const last = items.at(-1);
      return rows.length <= limit || !last ? { items } : { items, next: last.id };
    },
    readJournal: async ({ orgId, runId, after, limit }) => {
      const { rows, isFull } = await readFitting({
        ...{ select: readsOf(orgId).one, columns: 'idx', text: 'record', limit },
        from: 'FROM journal WHERE org_id = ? AND run_id = ? AND idx > ? ORDER BY idx',
        values: [orgId, runId, after],
      });
      const items = rows.map((row) => parse<JournalEntry>(row));
      return isFull ? { items, next: String(rows.at(-1)?.idx) } : { items };
    },
  } satisfies Partial<Store>;
}

/** As text of the query, because an index of one status serves no query with another status as a value. */
const statusIs: Record<DeliveryStatus, string> = {
  pending: `status = 'pending'`,
  delivered: `status = 'delivered'`,
  dead: `status = 'dead'`,
};

/** Chooses the index that leaves the fewest rows to examine. */
function interactions({ orgId, ...filter }: InteractionCount & OfAssignees & { orgId: string }): Which {
  const { status, threadId: thread_id, kind, runId: run_id, assignee, assignees } = filter;
  const responders = assignees ?? (assignee === undefined ? undefined : [assignee]);
  const [table, org_id] = ['interactions' as const, orgId];
  const isPlaced = { [byRow('thread_id')]: thread_id };
  const isSuch = { [byRow('status')]: status, [byRow('kind')]: kind };
  if (responders) {
    const rest = { ...isPlaced, [byRow('run_id')]: run_id, ...isSuch };
    const partsBy = { column: 'responder_id', values: [...new Set(responders)], mayOverlap: true };
    return { table: assignedInteractions, where: { org_id, responder_id: undefined }, partsBy, rest };
  }
  const byStatus = status === undefined ? { partsBy: { column: 'status', values: StatusSchema.enum } } : {};
  if (run_id !== undefined) {
    const rest = { ...isPlaced, ...isSuch };
    return { table, index: 'interactions_by_run', where: { org_id, run_id }, rest };
  }
  if (thread_id !== undefined) {
    const [where, rest] = [{ org_id, thread_id, status }, { [byRow('kind')]: kind }];
    return { table, index: 'interactions_by_thread', where, ...byStatus, rest };
  }
  // The index by status ends with the kind, so no row is fetched to check it.
  if (status !== undefined || kind !== undefined)
    return { table, index: 'interactions_by_status', where: { org_id, status }, ...byStatus, rest: { kind } };
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

/** Examines the newest thousand only. Expired ones are read too, on the main thread: 100,000 of them took 45 ms. */
const openGrants = `SELECT id, record FROM grants WHERE org_id = ? AND key = ? AND reach = ? AND is_open = 1
  AND (expires_at IS NULL OR expires_at > ?) AND id > COALESCE((SELECT id FROM grants
    WHERE org_id = ? AND key = ? AND reach = ? AND is_open = 1 ORDER BY id DESC LIMIT 1 OFFSET 1000), '')
  ORDER BY id DESC LIMIT ?`;

const apiKey = 'SELECT org_id, hash, record FROM api_keys';
const document = 'SELECT id, revision, record FROM documents WHERE org_id = ? AND type = ?';

function parse<T>(row: Row): T;
function parse<T>(row: Row | undefined): T | undefined;
function parse<T>(row: Row | undefined): T | undefined {
  return row && (JSON.parse(String(row.record)) as T);
}

function storedKey(row: Row | undefined): StoredApiKey | undefined {
  return row && { orgId: String(row.org_id), hash: String(row.hash), record: parse<ApiKey>(row) };
}

function toDocument<T extends DocumentType>(type: T, row: Row): Document<T>;
function toDocument<T extends DocumentType>(type: T, row: Row | undefined): Document<T> | undefined;
function toDocument<T extends DocumentType>(type: T, row: Row | undefined): Document<T> | undefined {
  return row && { id: String(row.id), revision: String(row.revision), record: currentDocument(type, parse(row)) };
}

type RunsOf = Record<'threadId' | 'status' | 'agent', string | undefined> & { orgId: string };

/** Chooses the index that leaves the fewest rows to examine. */
function runs({ orgId: org_id, threadId, status, agent }: RunsOf): Which {
  const table = 'runs';
  const hasStatus = { [byRow('status')]: status };
  if (threadId !== undefined) {
    const rest = { ...hasStatus, [byRow('agent')]: agent };
    return { table, index: 'runs_by_thread', where: { org_id, thread_id: threadId }, rest };
  }
  if (agent !== undefined) return { table, index: 'runs_by_agent', where: { org_id, agent }, rest: hasStatus };
  return { table, where: { org_id, status } };
}
