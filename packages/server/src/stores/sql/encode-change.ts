/** Encodes a change as rows of text and numbers, so that passing it to the writer thread costs only a copy of strings. */
import { hash } from 'node:crypto';
import {
  canonicalJson,
  type Delivery,
  type Grant,
  type GrantCoverage,
  type Interaction,
  type Message,
} from '@holdpoint/protocol';
import { isForPeople } from '../../domain/caller.ts';
import type { NewEvent } from '../../domain/command.ts';
import type { DocumentChange } from '../documents.ts';
import { anyPerson, type Change, type Committed, type TimerChange } from '../store.ts';

export interface EncodedChange extends Pick<Change, 'orgId' | 'newOrg' | 'takenSecrets' | 'timers' | 'idempotency'> {
  newThread?: Row;
  changedThread?: Row & { version: number; expectedVersion: number };
  newMessage?: ReturnType<typeof messageRow>;
  changedMessage?: ReturnType<typeof messageRow>;
  interaction?: ReturnType<typeof interactionRow>;
  run?: ReturnType<typeof runRow>;
  newEntries?: { index: number; record: string }[];
  newGrant?: ReturnType<typeof grantRow>;
  closedGrant?: Row;
  newSecrets?: { interactionId: string; vals: string };
  /** Its org may be one that the same change adds. */
  newApiKey?: Row & { hash: string; orgId: string };
  changedApiKey?: Row & { hash: string; expected: string };
  documents?: EncodedDocument[];
  newDeliveries?: ReturnType<typeof deliveryRow>[];
  changedDeliveries?: (ReturnType<typeof deliveryRow> & { fromStatus: string })[];
  log?: { threadId: string; events: ReturnType<typeof eventRow>[] };
}

interface Row {
  id: string;
  record: string;
}

const row = (record: { id: string }): Row => ({ id: record.id, record: JSON.stringify(record) });

const messageRow = (message: Message) => ({ ...row(message), threadId: message.threadId });

const interactionRow = ({ record, expectedVersion, unassigned = [] }: NonNullable<Change['interaction']>) => ({
  ...row(record),
  threadId: record.threadId,
  runId: record.run?.id ?? null,
  kind: record.kind,
  status: record.status,
  version: record.version,
  expectedVersion,
  isDeclined: record.answer?.decision === 'declined' ? 1 : 0,
  waitMs: waitOf(record),
  /** They find the interaction as long as it is pending. */
  assignees: record.responder.assignees ?? (isForPeople(record.responder) ? [anyPerson] : []),
  unassigned,
});

/** Returns null for an automatic answer, because it needed no responder. */
function waitOf({ answer, createdAt, closedAt }: Interaction): number | null {
  if (!answer || !closedAt || answer.automatic === 'deadline' || answer.automatic === 'grant') return null;
  return Math.max(0, Date.parse(closedAt) - Date.parse(createdAt));
}

const runRow = ({ record, expectedVersion }: NonNullable<Change['run']>) => {
  const { threadId, agent, status, version } = record;
  return { ...row(record), threadId, agent, status, version, expectedVersion };
};

const grantRow = (grant: Grant) => ({
  ...row(grant),
  key: grant.key,
  reach: reachOf(grant),
  expiresAt: grant.expiresAt === undefined ? null : Date.parse(grant.expiresAt),
});

export type EncodedDocument = ReturnType<typeof documentRow>;
const documentRow = ({ type, id, expected, alias, record }: DocumentChange) => ({
  type,
  id,
  expected,
  /** Unique to this change, so that it never comes back. */
  revision: crypto.randomUUID() as string,
  alias: alias ?? null,
  record: record === null ? null : JSON.stringify(record),
});

const deliveryRow = (delivery: Delivery) => ({
  ...row(delivery),
  webhookId: delivery.webhookId,
  status: delivery.status,
});

const eventRow = ({ type, at, actor, interactionId, data }: NewEvent) => ({
  type,
  at,
  actor: JSON.stringify(actor),
  interactionId: interactionId ?? null,
  data: JSON.stringify(data),
});

/** Keeps the last of several times for one timer, because a statement that sets one row twice would fail. */
const lastOfEach = (timers: readonly TimerChange[]): readonly TimerChange[] =>
  timers.length < 2 ? timers : [...new Map(timers.map((timer) => [`${timer.kind} ${timer.id}`, timer])).values()];

/**
 * Returns the scope and the coverage of a grant as one text to find it by. The text of earlier versions has no
 * coverage, so no question finds those grants.
 */
function reachOf({ scope, threadId, runId = '', covers }: Grant): string {
  const reach = reachesOf(covers);
  return scope === 'org' ? reach.org : scope === 'thread' ? reach.thread(threadId) : reach.run(runId);
}

export function reachesOf(covers: GrantCoverage | undefined) {
  const covered = hash('sha256', canonicalJson(covers ?? null), 'base64url');
  return {
    org: `org ${covered}`,
    thread: (id: string) => `thread ${id} ${covered}`,
    run: (id: string) => `run ${id} ${covered}`,
  };
}

export function encodeChange(change: Change): EncodedChange {
  const { interaction, run, newThread, changedThread, newMessage, changedMessage, newGrant, closedGrant } = change;
  const { newEntries, newApiKey, changedApiKey, newSecrets, newDeliveries, changedDeliveries, log } = change;
  const encoded: EncodedChange = { orgId: change.orgId };
  if (change.newOrg) encoded.newOrg = change.newOrg;
  if (newThread) encoded.newThread = row(newThread);
  if (newMessage) encoded.newMessage = messageRow(newMessage);
  if (changedMessage) encoded.changedMessage = messageRow(changedMessage);
  if (changedThread) {
    const { record, expectedVersion } = changedThread;
    encoded.changedThread = { ...row(record), version: record.version, expectedVersion };
  }
  if (interaction) encoded.interaction = interactionRow(interaction);
  if (run) encoded.run = runRow(run);
  if (newEntries)
    encoded.newEntries = newEntries.map((entry) => ({ index: entry.index, record: JSON.stringify(entry) }));
  if (newGrant) encoded.newGrant = grantRow(newGrant);
  if (closedGrant) encoded.closedGrant = row(closedGrant);
  if (newSecrets)
    encoded.newSecrets = { interactionId: newSecrets.interactionId, vals: JSON.stringify(newSecrets.values) };
  if (change.takenSecrets) encoded.takenSecrets = change.takenSecrets;
  if (newApiKey) encoded.newApiKey = { ...row(newApiKey.record), hash: newApiKey.hash, orgId: newApiKey.orgId };
  if (changedApiKey) {
    const { record, hash, expected } = changedApiKey;
    encoded.changedApiKey = { ...row(record), hash, expected: JSON.stringify(expected) };
  }
  if (change.documents) encoded.documents = change.documents.map(documentRow);
  if (change.timers) encoded.timers = lastOfEach(change.timers);
  if (newDeliveries) encoded.newDeliveries = newDeliveries.map(deliveryRow);
  if (changedDeliveries)
    encoded.changedDeliveries = changedDeliveries.map(({ record, from }) => ({
      ...deliveryRow(record),
      fromStatus: from,
    }));
  if (log) encoded.log = { threadId: log.threadId, events: log.events.map(eventRow) };
  if (change.idempotency) encoded.idempotency = change.idempotency;
  return encoded;
}

/** Returns the result of a saved change: the head of each event, with its position. */
export function toCommitted(
  { orgId, log }: Change,
  placeOf: (index: number) => { cursor: string; seq: number },
): Extract<Committed, { ok: true }> {
  const events = (log?.events ?? []).map(({ type, interactionId }, index) => ({
    ...placeOf(index),
    ...{ orgId, threadId: log?.threadId ?? '', type },
    ...(interactionId === undefined ? {} : { interactionId }),
  }));
  return { ok: true, events };
}
