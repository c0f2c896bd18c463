/** Records for a store to keep: as small as their types allow, with ids that sort in the order of their numbers. */
import {
  type Actor,
  type Delivery,
  defined,
  type Grant,
  type GrantCoverage,
  type Interaction,
  type JournalEntry,
  type Message,
  type Run,
  type Thread,
} from '@holdpoint/protocol';
import type { NewEvent } from '../../domain/command.ts';
import type { Change, StoredApiKey } from '../store.ts';

export const orgId = 'acme';
export const at = '2030-01-01T00:00:00.000Z';
const by: Actor = { type: 'agent', id: 'agent', via: 'key' };

export const idOf = (n: number): string => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;

export const threadOf = (id: string, more: Partial<Thread> = {}): Thread => ({
  id,
  version: 1,
  createdBy: by,
  createdAt: at,
  updatedAt: at,
  ...more,
});

export const messageOf = (id: string, threadId: string, more: Partial<Message> = {}): Message => ({
  id,
  threadId,
  role: 'agent',
  blocks: [],
  by,
  at,
  ...more,
});

export const interactionOf = (id: string, threadId: string, more: Partial<Interaction> = {}): Interaction => ({
  id,
  threadId,
  status: 'pending',
  version: 1,
  kind: 'input',
  title: 'Well?',
  fields: [],
  blocking: true,
  responder: { type: 'human' },
  resolution: { mode: 'first' },
  origin: { type: 'agent' },
  votes: [],
  createdBy: by,
  createdAt: at,
  updatedAt: at,
  ...more,
});

export const runOf = (id: string, threadId: string, more: Partial<Run> = {}): Run => ({
  id,
  threadId,
  agent: 'helper',
  status: 'running',
  version: 1,
  fromSeq: 2,
  deliveredSeq: 2,
  entries: 0,
  createdAt: at,
  updatedAt: at,
  ...more,
});

export const entryOf = (index: number, more: Partial<JournalEntry> = {}): JournalEntry => ({
  index,
  call: 1,
  type: 'step',
  name: 'send',
  state: 'done',
  at,
  ...more,
});

export const coverage: GrantCoverage = {
  // cspell:ignore asker
  asker: by,
  origin: { type: 'tool', reference: 'shell' },
  kind: 'approval',
  title: 'Run it?',
  fields: [],
  arguments: { command: 'ls' },
  variable: ['path'],
};

export const grantOf = (id: string, more: Partial<Grant> = {}): Grant => ({
  id,
  key: 'deploy',
  scope: 'org',
  decision: 'allow',
  covers: coverage,
  threadId: 't1',
  interactionId: idOf(1),
  by,
  voters: [by],
  createdAt: at,
  ...more,
});

export const apiKeyOf = (id: string, more: Partial<StoredApiKey> = {}): StoredApiKey => ({
  orgId,
  hash: `hash of ${id}`,
  record: { id, name: 'ci', role: 'agent', createdAt: at },
  ...more,
});

export const deliveryOf = (id: string, more: Partial<Delivery> = {}): Delivery => ({
  id,
  webhookId: 'w1',
  event: { cursor: '0'.repeat(16), threadId: 't1', seq: 1, type: 'thread.created' },
  status: 'pending',
  attempts: [],
  createdAt: at,
  ...more,
});

export const eventOf = (type: NewEvent['type'], interactionId?: string, data = {}): NewEvent =>
  ({
    ...{ type, at, actor: by, data },
    ...defined({ interactionId }),
  }) as NewEvent;

export const newThread = (id: string, org = orgId): Change => ({
  orgId: org,
  newThread: threadOf(id),
  log: { threadId: id, events: [eventOf('thread.created')] },
});

export const newInteraction = (record: Interaction, org = orgId): Change => ({
  orgId: org,
  interaction: { record, expectedVersion: 0 },
  log: { threadId: record.threadId, events: [eventOf('interaction.created', record.id)] },
});

/** The next version of an interaction, as a change that expects the one before. */
export function nextVersion(before: Interaction, more: Partial<Interaction> = {}, org = orgId): Change {
  const record = { ...before, version: before.version + 1, ...more };
  return {
    orgId: org,
    interaction: { record, expectedVersion: before.version },
    log: { threadId: record.threadId, events: [eventOf('interaction.updated', record.id)] },
  };
}

export const newRun = (record: Run, org = orgId): Change => ({
  orgId: org,
  run: { record, expectedVersion: 0 },
  log: { threadId: record.threadId, events: [eventOf('run.started')] },
});

/** The next version of a run, as a change that expects the one before. */
export function nextRun(before: Run, more: Partial<Run> = {}, org = orgId): Change {
  const record = { ...before, version: before.version + 1, ...more };
  return {
    orgId: org,
    run: { record, expectedVersion: before.version },
    log: { threadId: record.threadId, events: [eventOf('run.waiting')] },
  };
}

/** The next version of a thread, as a change that expects the one before. */
export function nextThread(before: Thread, more: Partial<Thread> = {}, org = orgId): Change {
  const record = { ...before, version: before.version + 1, ...more };
  return {
    orgId: org,
    changedThread: { record, expectedVersion: before.version },
    log: { threadId: record.id, events: [eventOf('thread.updated')] },
  };
}

export const idempotencyRecordOf = (key: string, id = idOf(1)) =>
  ({ key, fingerprint: `print of ${key}`, resource: { type: 'interaction', id } }) as const;
