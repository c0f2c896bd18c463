/** The parts of a change: the rows it has for each part, the reasons to refuse it, and the statements that write the rows. */
import type { EncodedChange } from '../sql/encode-change.ts';

export interface Part {
  /**
   * Properties of a row, and `orgId`, which a row has from its change unless it has its own. The part has columns with
   * these names in snake case, and `n`, the number of the change.
   */
  columns: readonly string[];
  rows(change: EncodedChange): readonly object[];
  /** Selects the changes that are refused. */
  refusals?: string[];
  /** Writes the rows of changes that are not refused. */
  writes: string[];
}

type Column<Row> = (keyof Row & string) | 'orgId';
type Rows<Row> = (change: EncodedChange) => readonly Row[];

export const snakeCase = (column: string): string => column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const listOf = (columns: readonly string[]) => columns.map(snakeCase).join(', ');
const noEarlier = 'NULL AS fingerprint, NULL AS resource_type, NULL AS resource_id';
const conflict = (from: string) => `SELECT n, 'conflict' AS reason, ${noEarlier} FROM ${from}`;
export const noRefusal = `SELECT NULL::int AS n, NULL AS reason, ${noEarlier} WHERE false`;
export const accepted = 'n NOT IN (SELECT n FROM refused)';
/** The same text as in the index of open runs. Otherwise the database would not use the index. */
const open = (table: string) => `${table}.status IN ('running', 'waiting')`;
const maybe = <Row>(row: Row | undefined): Row[] => (row === undefined ? [] : [row]);

/** Adds rows to a table. Refuses a change if a row with the same `unique` columns exists. */
function added<Row extends object>(
  name: string,
  table: string,
  { rows, columns, unique }: { rows: Rows<Row>; columns: readonly Column<Row>[]; unique?: readonly Column<Row>[] },
): Record<string, Part> {
  const refusals = unique ? [conflict(`${name} JOIN ${table} old USING (${listOf(unique)})`)] : [];
  const all = listOf(columns);
  const writes = [`INSERT INTO ${table} (${all}) SELECT ${all} FROM ${name} WHERE ${accepted}`];
  return { [name]: { columns, rows, refusals, writes } };
}

interface Changed<Row> {
  rows: Rows<Row>;
  key: readonly Column<Row>[];
  set: readonly Column<Row>[];
  /** Refuses a change if the stored value of the first column is not the value of the second. */
  expects?: readonly [Column<Row>, Column<Row>];
}

/** Changes the rows of a table that are found by `key`. */
function changed<Row extends object>(
  name: string,
  table: string,
  { rows, key, set, expects }: Changed<Row>,
): Record<string, Part> {
  const [stored = '', expected = ''] = expects?.map(snakeCase) ?? [];
  const refused = `${name} c LEFT JOIN ${table} old USING (${listOf(key)}) WHERE old.${stored} IS DISTINCT FROM c.${expected}`;
  const values = set.map(snakeCase).map((column) => `${column} = c.${column}`);
  const isSame = key.map(snakeCase).map((column) => `old.${column} = c.${column}`);
  const write = `UPDATE ${table} old SET ${values.join(', ')} FROM ${name} c WHERE ${isSame.join(' AND ')} AND ${accepted}`;
  const columns = [...new Set([...key, ...set, ...maybe(expects?.[1])])];
  return { [name]: { columns, rows, refusals: expects ? [conflict(refused)] : [], writes: [write] } };
}

const byId = ['orgId', 'id'] as const;
const byVersion = ['version', 'expectedVersion'] as const;

export const parts: Record<string, Part> = {
  idempotency_record: {
    columns: ['orgId', 'key', 'fingerprint', 'resourceType', 'resourceId'],
    rows: ({ idempotency }) =>
      maybe(idempotency).map(({ key, fingerprint, resource: { type, id } }) => ({
        ...{ key, fingerprint, resourceType: type, resourceId: id },
      })),
    refusals: [
      `SELECT n, 'repeated' AS reason, old.fingerprint, old.resource_type, old.resource_id
       FROM idempotency_record JOIN idempotency old USING (org_id, key)`,
    ],
    // In one order, so that two nodes with the same keys do not wait for each other.
    writes: [
      `INSERT INTO idempotency SELECT org_id, key, fingerprint, resource_type, resource_id FROM idempotency_record
       WHERE ${accepted} ORDER BY org_id, key`,
    ],
  },
  ...added('new_org', 'orgs', {
    rows: ({ newOrg }) => maybe(newOrg),
    columns: ['id', 'createdAt'],
    unique: ['id'],
  }),
  ...added('new_api_key', 'api_keys', {
    rows: ({ newApiKey }) => maybe(newApiKey),
    columns: ['hash', 'orgId', 'id', 'record'],
    unique: ['hash'],
  }),
  ...changed('changed_api_key', 'api_keys', {
    rows: ({ changedApiKey }) => maybe(changedApiKey),
    ...{ key: ['hash'], set: ['record'], expects: ['record', 'expected'] },
  }),
  ...added('new_thread', 'threads', {
    rows: ({ newThread }) => maybe(newThread),
    columns: ['orgId', 'id', 'record'],
    unique: byId,
  }),
  ...changed('changed_thread', 'threads', {
    rows: ({ changedThread }) => maybe(changedThread),
    ...{ key: byId, set: ['version', 'record'], expects: byVersion },
  }),
  ...changed('changed_message', 'messages', {
    rows: ({ changedMessage }) => maybe(changedMessage),
    ...{ key: byId, set: ['record'] },
  }),
  ...added('new_message', 'messages', {
    rows: ({ newMessage }) => maybe(newMessage),
    columns: ['orgId', 'id', 'threadId', 'record'],
  }),
  ...added('new_interaction', 'interactions', {
    rows: ({ interaction }) => (interaction?.expectedVersion === 0 ? [interaction] : []),
    columns: [...byId, 'threadId', 'runId', 'kind', 'status', 'version', 'record', 'isDeclined', 'waitMs'],
    unique: byId,
  }),
  ...changed('changed_interaction', 'interactions', {
    rows: ({ interaction }) => (interaction && interaction.expectedVersion > 0 ? [interaction] : []),
    ...{ key: byId, set: ['status', 'version', 'record', 'isDeclined', 'waitMs'], expects: byVersion },
  }),
  /** The assignees of a question. A question for any person has one, which is empty. */
  assignee: {
    columns: ['orgId', 'responderId', 'id', 'status'],
    rows: ({ interaction }) => {
      if (!interaction) return [];
      const { id, status, assignees, unassigned } = interaction;
      return [
        ...[...new Set(assignees)].map((responderId) => ({ id, responderId, status })),
        ...unassigned.map((responderId) => ({ id, responderId, status: 'unassigned' })),
      ];
    },
    writes: [
      `INSERT INTO assigned SELECT org_id, responder_id, id FROM assignee WHERE status = 'pending' AND ${accepted}
       ON CONFLICT DO NOTHING`,
      `DELETE FROM assigned old USING assignee a WHERE old.org_id = a.org_id AND old.responder_id = a.responder_id
       AND old.id = a.id AND a.status <> 'pending' AND ${accepted}`,
    ],
  },
  new_run: {
    columns: [...byId, 'threadId', 'agent', 'status', 'version', 'record'],
    rows: ({ run }) => (run?.expectedVersion === 0 ? [run] : []),
    refusals: [
      conflict('new_run JOIN runs old USING (org_id, id)'),
      conflict(`new_run r JOIN runs old USING (org_id, thread_id)
        WHERE ${open('old')} AND ${open('r')}`),
    ],
    writes: [
      `INSERT INTO runs SELECT org_id, id, thread_id, agent, status, version, record FROM new_run WHERE ${accepted}`,
    ],
  },
  ...changed('changed_run', 'runs', {
    rows: ({ run }) => (run && run.expectedVersion > 0 ? [run] : []),
    ...{ key: byId, set: ['status', 'version', 'record'], expects: byVersion },
  }),
  entry: {
    columns: ['orgId', 'runId', 'index', 'record'],
    rows: ({ run, newEntries = [] }) => newEntries.map((entry) => ({ ...entry, runId: run?.id })),
    writes: [`INSERT INTO journal SELECT org_id, run_id, index, record FROM entry WHERE ${accepted}`],
  },
  document: {
    columns: ['orgId', 'type', 'id', 'expected', 'revision', 'alias', 'record'],
    rows: ({ documents = [] }) => documents,
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
    columns: ['orgId', 'kind', 'id', 'dueAt'],
    rows: ({ timers = [] }) => timers,
    writes: [
      `INSERT INTO timers SELECT org_id, kind, id, due_at FROM timer WHERE due_at IS NOT NULL AND ${accepted}
       ON CONFLICT (org_id, kind, id) DO UPDATE SET due_at = excluded.due_at`,
      `DELETE FROM timers old USING timer t
       WHERE old.org_id = t.org_id AND old.kind = t.kind AND old.id = t.id AND t.due_at IS NULL AND ${accepted}`,
    ],
  },
  /** A new delivery has no `fromStatus`. */
  delivery: {
    columns: ['orgId', 'webhookId', 'id', 'status', 'record', 'fromStatus'],
    rows: ({ newDeliveries = [], changedDeliveries = [] }) => [...newDeliveries, ...changedDeliveries],
    writes: [
      `INSERT INTO deliveries SELECT org_id, webhook_id, id, status, record
       FROM delivery WHERE from_status IS NULL AND ${accepted}`,
      `UPDATE deliveries old SET status = d.status, record = d.record FROM delivery d
       WHERE old.org_id = d.org_id AND old.webhook_id = d.webhook_id AND old.id = d.id
       AND old.status = d.from_status AND ${accepted}`,
    ],
  },
  ...added('new_grant', 'grants', {
    rows: ({ newGrant }) => maybe(newGrant && { ...newGrant, isOpen: 1 }),
    columns: [...byId, 'key', 'reach', 'expiresAt', 'isOpen', 'record'],
  }),
  ...changed('closed_grant', 'grants', {
    rows: ({ closedGrant }) => maybe(closedGrant && { ...closedGrant, isOpen: 0, expectedOpen: 1 }),
    ...{ key: byId, set: ['isOpen', 'record'], expects: ['isOpen', 'expectedOpen'] },
  }),
  ...added('new_secrets', 'secrets', {
    rows: ({ newSecrets }) => maybe(newSecrets),
    columns: ['orgId', 'interactionId', 'vals'],
  }),
  taken_secrets: {
    columns: ['orgId', 'interactionId'],
    rows: ({ takenSecrets }) => maybe(takenSecrets),
    refusals: [conflict('taken_secrets LEFT JOIN secrets old USING (org_id, interaction_id) WHERE old.vals IS NULL')],
    writes: [
      `DELETE FROM secrets s USING taken_secrets t
       WHERE s.org_id = t.org_id AND s.interaction_id = t.interaction_id AND ${accepted}`,
    ],
  },
  /** The log of an existing thread. An interaction with an earlier version shows that its thread exists. */
  log: {
    columns: ['orgId', 'threadId'],
    rows: ({ log, newThread, interaction }) =>
      log && log.threadId !== newThread?.id && !interaction?.expectedVersion ? [log] : [],
    refusals: [
      `SELECT n, 'no-thread' AS reason, ${noEarlier}
       FROM log LEFT JOIN threads t ON t.org_id = log.org_id AND t.id = log.thread_id WHERE t.id IS NULL`,
    ],
    writes: [],
  },
  event: {
    columns: ['orgId', 'threadId', 'type', 'at', 'actor', 'interactionId', 'data'],
    rows: ({ log }) => log?.events.map((event) => ({ ...event, threadId: log.threadId })) ?? [],
    writes: [],
  },
};
