/** What a change may consist of: the rows it has for each part, why they are refused, and how they are written. */
import type { EncodedChange, EncodedDelivery } from '../sql/encode-change.ts';

export type Cell = string | number | null;

export interface Part {
  /** Its columns beside `n`, the number of the change. */
  columns: Record<string, 'text' | 'int' | 'bigint'>;
  /** The rows one change has for it, each with its columns in order. */
  rows(change: EncodedChange): Cell[][];
  /** Selects the changes that are refused. */
  refusals?: string[];
  /** Writes what is not refused. */
  writes: string[];
}

const noAnswer = 'NULL AS fingerprint, NULL AS resource_type, NULL AS resource_id';
const conflict = (from: string) => `SELECT n, 'conflict' AS reason, ${noAnswer} FROM ${from}`;
export const noRefusal = `SELECT NULL::int AS n, NULL AS reason, ${noAnswer} WHERE false`;
export const accepted = 'n NOT IN (SELECT n FROM refused)';
/** In the words of the index of open runs, or it would not be used. */
const open = (table: string) => `${table}.status IN ('running', 'waiting')`;
const maybe = <T>(value: T | undefined, row: (value: T) => Cell[]): Cell[][] =>
  value === undefined ? [] : [row(value)];

/** Without `from` it is new. */
const deliveryRow = (
  orgId: string,
  { webhookId, id, status, record }: EncodedDelivery,
  from: string | null,
): Cell[] => [orgId, webhookId, id, status, record, from];

const outcomeCells = ({
  status,
  version,
  record,
  isDeclined,
  waitMs,
}: NonNullable<EncodedChange['interaction']>): Cell[] => [status, version, record, isDeclined, waitMs];

export const parts: Record<string, Part> = {
  stamp: {
    columns: { org_id: 'text', key: 'text', fingerprint: 'text', resource_type: 'text', resource_id: 'text' },
    rows: ({ orgId, idempotency }) =>
      maybe(idempotency, ({ key, fingerprint, resource }) => [orgId, key, fingerprint, resource.type, resource.id]),
    refusals: [
      `SELECT n, 'repeated' AS reason, old.fingerprint, old.resource_type, old.resource_id
       FROM stamp JOIN idempotency old USING (org_id, key)`,
    ],
    // In one order, so that two nodes with the same keys do not wait for each other.
    writes: [
      `INSERT INTO idempotency SELECT org_id, key, fingerprint, resource_type, resource_id FROM stamp
       WHERE ${accepted} ORDER BY org_id, key`,
    ],
  },
  new_org: {
    columns: { id: 'text', created_at: 'text' },
    rows: ({ newOrg }) => maybe(newOrg, ({ id, createdAt }) => [id, createdAt]),
    refusals: [conflict('new_org JOIN orgs USING (id)')],
    writes: [`INSERT INTO orgs SELECT id, created_at FROM new_org WHERE ${accepted}`],
  },
  new_api_key: {
    columns: { hash: 'text', org_id: 'text', id: 'text', record: 'text' },
    rows: ({ newApiKey }) => maybe(newApiKey, ({ hash, orgId, id, record }) => [hash, orgId, id, record]),
    refusals: [conflict('new_api_key JOIN api_keys USING (hash)')],
    writes: [`INSERT INTO api_keys SELECT hash, org_id, id, record FROM new_api_key WHERE ${accepted}`],
  },
  changed_api_key: {
    columns: { hash: 'text', expected: 'text', record: 'text' },
    rows: ({ changedApiKey }) => maybe(changedApiKey, ({ hash, expected, record }) => [hash, expected, record]),
    refusals: [
      conflict(`changed_api_key c LEFT JOIN api_keys old USING (hash) WHERE old.record IS DISTINCT FROM c.expected`),
    ],
    writes: [`UPDATE api_keys k SET record = c.record FROM changed_api_key c WHERE k.hash = c.hash AND ${accepted}`],
  },
  new_thread: {
    columns: { org_id: 'text', id: 'text', record: 'text' },
    rows: ({ orgId, newThread }) => maybe(newThread, ({ id, record }) => [orgId, id, record]),
    refusals: [conflict('new_thread JOIN threads USING (org_id, id)')],
    writes: [`INSERT INTO threads (org_id, id, record) SELECT org_id, id, record FROM new_thread WHERE ${accepted}`],
  },
  changed_thread: {
    columns: { org_id: 'text', id: 'text', version: 'int', expected: 'int', record: 'text' },
    rows: ({ orgId, changedThread }) =>
      maybe(changedThread, ({ id, version, expectedVersion, record }) => [
        orgId,
        ...[id, version, expectedVersion, record],
      ]),
    refusals: [
      conflict(`changed_thread c LEFT JOIN threads old USING (org_id, id)
        WHERE old.version IS DISTINCT FROM c.expected`),
    ],
    writes: [
      `UPDATE threads old SET version = c.version, record = c.record FROM changed_thread c
       WHERE old.org_id = c.org_id AND old.id = c.id AND ${accepted}`,
    ],
  },
  changed_message: {
    columns: { org_id: 'text', id: 'text', record: 'text' },
    rows: ({ orgId, changedMessage }) => maybe(changedMessage, ({ id, record }) => [orgId, id, record]),
    writes: [
      `UPDATE messages old SET record = c.record FROM changed_message c
       WHERE old.org_id = c.org_id AND old.id = c.id AND ${accepted}`,
    ],
  },
  new_message: {
    columns: { org_id: 'text', id: 'text', thread_id: 'text', record: 'text' },
    rows: ({ orgId, newMessage }) => maybe(newMessage, ({ id, threadId, record }) => [orgId, id, threadId, record]),
    writes: [`INSERT INTO messages SELECT org_id, id, thread_id, record FROM new_message WHERE ${accepted}`],
  },
  asked: {
    columns: {
      ...{ org_id: 'text', id: 'text', thread_id: 'text', run_id: 'text' },
      ...{ kind: 'text', status: 'text', version: 'int', record: 'text', is_declined: 'int', wait_ms: 'bigint' },
    },
    rows: ({ orgId, interaction: asked }) =>
      asked?.expectedVersion === 0
        ? [[orgId, asked.id, asked.threadId, asked.runId, asked.kind, ...outcomeCells(asked)]]
        : [],
    refusals: [conflict('asked JOIN interactions old USING (org_id, id)')],
    writes: [
      `INSERT INTO interactions SELECT org_id, id, thread_id, run_id, kind, status, version, record, is_declined, wait_ms
       FROM asked WHERE ${accepted}`,
    ],
  },
  changed: {
    columns: {
      ...{ org_id: 'text', id: 'text', expected: 'int', status: 'text', version: 'int' },
      ...{ record: 'text', is_declined: 'int', wait_ms: 'bigint' },
    },
    rows: ({ orgId, interaction: now }) =>
      now && now.expectedVersion > 0 ? [[orgId, now.id, now.expectedVersion, ...outcomeCells(now)]] : [],
    refusals: [
      conflict(
        'changed LEFT JOIN interactions old USING (org_id, id) WHERE old.version IS DISTINCT FROM changed.expected',
      ),
    ],
    writes: [
      `UPDATE interactions old SET status = c.status, version = c.version, record = c.record,
         is_declined = c.is_declined, wait_ms = c.wait_ms
       FROM changed c WHERE old.org_id = c.org_id AND old.id = c.id AND ${accepted}`,
    ],
  },
  /** Whom a question names; they are few, and most name nobody. */
  named: {
    columns: { org_id: 'text', responder_id: 'text', id: 'text', status: 'text' },
    rows: ({ orgId, interaction }) =>
      [...new Set(interaction?.assignees)].map((responderId) => [
        orgId,
        responderId,
        interaction?.id ?? '',
        interaction?.status ?? '',
      ]),
    writes: [
      `INSERT INTO assigned SELECT org_id, responder_id, id FROM named WHERE status = 'pending' AND ${accepted}
       ON CONFLICT DO NOTHING`,
      `DELETE FROM assigned old USING named w WHERE old.org_id = w.org_id AND old.responder_id = w.responder_id
       AND old.id = w.id AND w.status <> 'pending' AND ${accepted}`,
    ],
  },
  new_run: {
    columns: {
      ...{ org_id: 'text', id: 'text', thread_id: 'text', agent: 'text' },
      ...{ status: 'text', version: 'int', record: 'text' },
    },
    rows: ({ orgId, run }) =>
      run?.expectedVersion === 0 ? [[orgId, run.id, run.threadId, run.agent, run.status, run.version, run.record]] : [],
    refusals: [
      conflict('new_run JOIN runs old USING (org_id, id)'),
      conflict(`new_run r JOIN runs old USING (org_id, thread_id)
        WHERE ${open('old')} AND ${open('r')}`),
    ],
    writes: [
      `INSERT INTO runs SELECT org_id, id, thread_id, agent, status, version, record FROM new_run WHERE ${accepted}`,
    ],
  },
  changed_run: {
    columns: { org_id: 'text', id: 'text', status: 'text', version: 'int', expected: 'int', record: 'text' },
    rows: ({ orgId, run }) =>
      run && run.expectedVersion > 0 ? [[orgId, run.id, run.status, run.version, run.expectedVersion, run.record]] : [],
    refusals: [
      conflict('changed_run c LEFT JOIN runs old USING (org_id, id) WHERE old.version IS DISTINCT FROM c.expected'),
    ],
    writes: [
      `UPDATE runs old SET status = c.status, version = c.version, record = c.record FROM changed_run c
       WHERE old.org_id = c.org_id AND old.id = c.id AND ${accepted}`,
    ],
  },
  entry: {
    columns: { org_id: 'text', run_id: 'text', idx: 'int', record: 'text' },
    rows: ({ orgId, run, newEntries = [] }) =>
      newEntries.map(({ index, record }) => [orgId, run?.id ?? '', index, record]),
    writes: [`INSERT INTO journal SELECT org_id, run_id, idx, record FROM entry WHERE ${accepted}`],
  },
  document: {
    columns: {
      ...{ org_id: 'text', type: 'text', id: 'text', expected: 'text' },
      ...{ revision: 'text', alias: 'text', record: 'text' },
    },
    rows: ({ orgId, documents = [] }) =>
      documents.map(({ type, id, expected, revision, alias, record }) => [
        orgId,
        ...[type, id, expected, revision, alias, record],
      ]),
    refusals: [
      conflict(`document d LEFT JOIN documents old USING (org_id, type, id)
        WHERE old.revision IS DISTINCT FROM d.expected`),
      conflict('document d JOIN documents old USING (org_id, type, alias) WHERE old.id <> d.id'),
    ],
    writes: [
      `INSERT INTO documents SELECT org_id, type, id, revision, alias, record
       FROM document WHERE expected IS NULL AND record IS NOT NULL AND ${accepted}`,
      `UPDATE documents old SET revision = d.revision, alias = d.alias, record = d.record
       FROM document d WHERE old.org_id = d.org_id AND old.type = d.type AND old.id = d.id
         AND d.expected IS NOT NULL AND d.record IS NOT NULL AND ${accepted}`,
      `DELETE FROM documents old USING document d
       WHERE old.org_id = d.org_id AND old.type = d.type AND old.id = d.id AND d.record IS NULL AND ${accepted}`,
    ],
  },
  timer: {
    columns: { org_id: 'text', kind: 'text', id: 'text', due_at: 'bigint' },
    rows: ({ orgId, timers = [] }) => timers.map(({ kind, id, dueAt }) => [orgId, kind, id, dueAt]),
    writes: [
      `INSERT INTO timers SELECT org_id, kind, id, due_at FROM timer WHERE due_at IS NOT NULL AND ${accepted}
       ON CONFLICT (org_id, kind, id) DO UPDATE SET due_at = excluded.due_at`,
      `DELETE FROM timers old USING timer t
       WHERE old.org_id = t.org_id AND old.kind = t.kind AND old.id = t.id AND t.due_at IS NULL AND ${accepted}`,
    ],
  },
  delivery: {
    columns: {
      ...{ org_id: 'text', webhook_id: 'text', id: 'text' },
      ...{ status: 'text', record: 'text', from_status: 'text' },
    },
    rows: ({ orgId, newDeliveries = [], changedDeliveries = [] }) => [
      ...newDeliveries.map((delivery) => deliveryRow(orgId, delivery, null)),
      ...changedDeliveries.map((delivery) => deliveryRow(orgId, delivery, delivery.from)),
    ],
    writes: [
      `INSERT INTO deliveries SELECT org_id, webhook_id, id, status, record
       FROM delivery WHERE from_status IS NULL AND ${accepted}`,
      `UPDATE deliveries old SET status = d.status, record = d.record FROM delivery d
       WHERE old.org_id = d.org_id AND old.webhook_id = d.webhook_id AND old.id = d.id
       AND old.status = d.from_status AND ${accepted}`,
    ],
  },
  new_grant: {
    columns: { org_id: 'text', id: 'text', key: 'text', reach: 'text', expires_at: 'bigint', record: 'text' },
    rows: ({ orgId, newGrant }) =>
      maybe(newGrant, ({ id, key, reach, expiresAt, record }) => [orgId, id, key, reach, expiresAt, record]),
    writes: [
      `INSERT INTO grants SELECT org_id, id, key, reach, expires_at, 1, record FROM new_grant WHERE ${accepted}`,
    ],
  },
  closed_grant: {
    columns: { org_id: 'text', id: 'text', record: 'text' },
    rows: ({ orgId, closedGrant }) => maybe(closedGrant, ({ id, record }) => [orgId, id, record]),
    refusals: [conflict('closed_grant LEFT JOIN grants old USING (org_id, id) WHERE old.is_open IS DISTINCT FROM 1')],
    writes: [
      `UPDATE grants g SET is_open = 0, record = c.record FROM closed_grant c
       WHERE g.org_id = c.org_id AND g.id = c.id AND ${accepted}`,
    ],
  },
  new_secrets: {
    columns: { org_id: 'text', interaction_id: 'text', vals: 'text' },
    rows: ({ orgId, newSecrets }) => maybe(newSecrets, ({ interactionId, vals }) => [orgId, interactionId, vals]),
    writes: [`INSERT INTO secrets SELECT org_id, interaction_id, vals FROM new_secrets WHERE ${accepted}`],
  },
  taken_secrets: {
    columns: { org_id: 'text', interaction_id: 'text' },
    rows: ({ orgId, takenSecrets }) => maybe(takenSecrets, ({ interactionId }) => [orgId, interactionId]),
    refusals: [conflict('taken_secrets LEFT JOIN secrets old USING (org_id, interaction_id) WHERE old.vals IS NULL')],
    writes: [
      `DELETE FROM secrets s USING taken_secrets t
       WHERE s.org_id = t.org_id AND s.interaction_id = t.interaction_id AND ${accepted}`,
    ],
  },
  /** A log goes on in a thread that is there, as that of a known interaction is; that of a new thread begins with it. */
  log: {
    columns: { org_id: 'text', thread_id: 'text' },
    rows: ({ orgId, log, newThread, interaction }) =>
      log && log.threadId !== newThread?.id && !interaction?.expectedVersion ? [[orgId, log.threadId]] : [],
    refusals: [
      `SELECT n, 'no-thread' AS reason, ${noAnswer}
       FROM log LEFT JOIN threads t ON t.org_id = log.org_id AND t.id = log.thread_id WHERE t.id IS NULL`,
    ],
    writes: [],
  },
  event: {
    columns: {
      ...{ org_id: 'text', thread_id: 'text', type: 'text', at: 'text' },
      ...{ actor: 'text', interaction_id: 'text', data: 'text' },
    },
    rows: ({ orgId, log }) =>
      (log?.events ?? []).map(({ type, at, actor, interactionId, data }) => [
        orgId,
        log?.threadId ?? '',
        ...[type, at, actor, interactionId, data],
      ]),
    writes: [],
  },
};
