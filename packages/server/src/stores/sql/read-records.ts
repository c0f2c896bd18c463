/** Reads of records: the same queries whichever database runs them. */
import type {
  ApiKey,
  Delivery,
  DeliveryStatus,
  Grant,
  Interaction,
  InteractionCount,
  Message,
  Status,
  Thread,
} from '@holdpoint/protocol';
import type { IdempotencyRecord, Outcome, Store, StoredApiKey } from '../store.ts';
import { reaches } from './encode-change.ts';
import { assignedInteractions, counting, listing } from './list-records.ts';
import { type DocumentReads, documentReads } from './read-documents.ts';
import { readIdempotency } from './read-idempotency.ts';
import { type RunReads, runReads } from './read-runs.ts';
import type { Row, Select, SqlValue } from './select.ts';

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

export function recordReads(select: Select): Reads {
  const list = listing(select);
  const count = counting(select);
  const find = async <T>(sql: string, ...values: SqlValue[]): Promise<T | undefined> =>
    parse<T>((await select(sql, ...values))[0]);
  const findKey = async (sql: string, ...values: SqlValue[]): Promise<StoredApiKey | undefined> =>
    storedKey((await select(sql, ...values))[0]);

  return {
    ...documentReads(select),
    ...runReads(select),
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
    listInteractions: ({ order, cursor, offset, limit, ...of }) =>
      list<Interaction>({ ...interactions(of), by: 'id', isDescending: order === 'newest', cursor, offset, limit }),
    countInteractions: ({ limit, ...of }) => count(interactions(of), limit),
    listOutcomes: async ({ orgId, from, before, limit }) =>
      (await select(outcomes, orgId, from, before, limit)).map(outcomeOf),
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

const interactions = ({ orgId, status, threadId, kind, runId, assignee }: InteractionCount & { orgId: string }) => ({
  table: assignee === undefined ? ('interactions' as const) : assignedInteractions,
  where: { org_id: orgId, responder_id: assignee, thread_id: threadId, run_id: runId, status, kind },
});

const outcomes = `SELECT id, status, is_declined, wait_ms FROM interactions
  WHERE org_id = ? AND id >= ? AND id < ? ORDER BY id DESC LIMIT ?`;

const outcomeOf = ({ id, status, is_declined, wait_ms }: Row): Outcome => ({
  id: String(id),
  status: status as Status,
  isDeclined: Number(is_declined) === 1,
  ...(wait_ms === null ? {} : { waitMs: Number(wait_ms) }),
});

const openGrants = `SELECT id, record FROM grants WHERE org_id = ? AND key = ? AND reach = ? AND is_open = 1
  AND (expires_at IS NULL OR expires_at > ?) ORDER BY id DESC LIMIT ?`;

function parse<T>(row: Row | undefined): T | undefined {
  return row && (JSON.parse(row.record as string) as T);
}

function storedKey(row: Row | undefined): StoredApiKey | undefined {
  return row && { orgId: String(row.org_id), hash: String(row.hash), record: JSON.parse(String(row.record)) as ApiKey };
}
