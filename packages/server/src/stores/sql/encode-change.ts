/** Encodes a change as rows of text and numbers, so that passing it to the writer thread costs only a copy of strings. */
import { hash } from 'node:crypto';
import { canonicalJson, type Delivery, type Grant, type GrantCoverage, type Interaction } from '@holdpoint/protocol';
import type { Change, Committed, DocumentChange, EventHead, IdempotencyRecord, Org, TimerChange } from '../store.ts';

export interface EncodedChange {
  orgId: string;
  newOrg?: Org;
  newThread?: Row;
  changedThread?: Row & { version: number; expectedVersion: number };
  newMessage?: Row & { threadId: string };
  changedMessage?: Row & { threadId: string };
  interaction?: Row & {
    threadId: string;
    runId: string | null;
    kind: string;
    status: string;
    version: number;
    expectedVersion: number;
    isDeclined: 0 | 1;
    /** For an answer that somebody gave. */
    waitMs: number | null;
    /** Whom it names, if anybody; they can find it as long as it is pending. */
    assignees?: readonly string[];
  };
  run?: Row & {
    threadId: string;
    agent: string;
    status: string;
    isOpen: boolean;
    version: number;
    expectedVersion: number;
  };
  newEntries?: { index: number; record: string }[];
  newGrant?: Row & { key: string; reach: string; expiresAt: number | null };
  closedGrant?: Row;
  newSecrets?: { interactionId: string; vals: string };
  takenSecrets?: { interactionId: string };
  /** Its org may be one that this very change makes. */
  newApiKey?: Row & { hash: string; orgId: string };
  changedApiKey?: Row & { hash: string; expected: string };
  documents?: EncodedDocument[];
  timers?: readonly TimerChange[];
  newDeliveries?: EncodedDelivery[];
  changedDeliveries?: (EncodedDelivery & { from: string })[];
  log?: { threadId: string; events: EncodedEvent[] };
  idempotency?: IdempotencyRecord;
}

interface Row {
  id: string;
  record: string;
}

export interface EncodedDocument {
  type: string;
  id: string;
  expected: string | null;
  /** Made for this change alone, so that it never comes back. */
  revision: string;
  alias: string | null;
  record: string | null;
}

export interface EncodedDelivery extends Row {
  webhookId: string;
  status: string;
}

export interface EncodedEvent {
  type: EventHead['type'];
  at: string;
  actor: string;
  interactionId: string | null;
  data: string;
}

const row = (record: { id: string }): Row => ({ id: record.id, record: JSON.stringify(record) });

/** Nobody was waited for where the deadline or a grant has answered. */
function waitOf({ answer, createdAt, closedAt }: Interaction): number | null {
  if (!answer || !closedAt || answer.automatic === 'deadline' || answer.automatic === 'grant') return null;
  return Math.max(0, Date.parse(closedAt) - Date.parse(createdAt));
}

const documentRow = ({ type, id, expected, alias, record }: DocumentChange): EncodedDocument => ({
  type,
  id,
  expected,
  revision: crypto.randomUUID(),
  alias: alias ?? null,
  record: record === null ? null : JSON.stringify(record),
});

const deliveryRow = (delivery: Delivery): EncodedDelivery => ({
  ...row(delivery),
  webhookId: delivery.webhookId,
  status: delivery.status,
});

/** Of two times for one timer the later said holds; a statement that sets one row twice would fail. */
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
  const { interaction, newThread, changedThread, newMessage, changedMessage, newGrant, closedGrant } = change;
  const { run, newApiKey, changedApiKey, newSecrets, log } = change;
  const encoded: EncodedChange = { orgId: change.orgId };
  if (change.newOrg) encoded.newOrg = change.newOrg;
  if (newThread) encoded.newThread = row(newThread);
  if (newMessage) encoded.newMessage = { ...row(newMessage), threadId: newMessage.threadId };
  if (changedMessage) encoded.changedMessage = { ...row(changedMessage), threadId: changedMessage.threadId };
  if (changedThread) {
    const { record, expectedVersion } = changedThread;
    encoded.changedThread = { ...row(record), version: record.version, expectedVersion };
  }
  if (interaction) {
    const { record, expectedVersion } = interaction;
    encoded.interaction = {
      ...row(record),
      threadId: record.threadId,
      runId: record.run?.id ?? null,
      kind: record.kind,
      status: record.status,
      version: record.version,
      expectedVersion,
      isDeclined: record.answer?.decision === 'declined' ? 1 : 0,
      waitMs: waitOf(record),
      ...(record.responder.assignees ? { assignees: record.responder.assignees } : {}),
    };
  }
  if (run) {
    const { record, expectedVersion } = run;
    const { threadId, agent, status, version } = record;
    const isOpen = status === 'running' || status === 'waiting';
    encoded.run = { ...row(record), threadId, agent, status, isOpen, version, expectedVersion };
  }
  if (change.newEntries) {
    encoded.newEntries = change.newEntries.map((entry) => ({ index: entry.index, record: JSON.stringify(entry) }));
  }
  if (newGrant) {
    const { key, expiresAt } = newGrant;
    encoded.newGrant = {
      ...row(newGrant),
      key,
      reach: reachOf(newGrant),
      expiresAt: expiresAt === undefined ? null : Date.parse(expiresAt),
    };
  }
  if (closedGrant) encoded.closedGrant = row(closedGrant);
  if (newSecrets) {
    encoded.newSecrets = { interactionId: newSecrets.interactionId, vals: JSON.stringify(newSecrets.values) };
  }
  if (change.takenSecrets) encoded.takenSecrets = change.takenSecrets;
  if (newApiKey) encoded.newApiKey = { ...row(newApiKey.record), hash: newApiKey.hash, orgId: newApiKey.orgId };
  if (changedApiKey) {
    const { record, hash, expected } = changedApiKey;
    encoded.changedApiKey = { ...row(record), hash, expected: JSON.stringify(expected) };
  }
  if (change.documents) encoded.documents = change.documents.map(documentRow);
  if (change.timers) encoded.timers = lastOfEach(change.timers);
  if (change.newDeliveries) encoded.newDeliveries = change.newDeliveries.map(deliveryRow);
  if (change.changedDeliveries) {
    encoded.changedDeliveries = change.changedDeliveries.map(({ record, from }) => ({ ...deliveryRow(record), from }));
  }
  if (log) {
    const events = log.events.map(({ type, at, actor, interactionId, data }) => ({
      type,
      at,
      actor: JSON.stringify(actor),
      interactionId: interactionId ?? null,
      data: JSON.stringify(data),
    }));
    encoded.log = { threadId: log.threadId, events };
  }
  if (change.idempotency) encoded.idempotency = change.idempotency;
  return encoded;
}

/** What a saved change tells: the head of each event, with the place it got. */
export function toCommitted(
  { orgId, log }: Change,
  placeOf: (index: number) => { cursor: string; seq: number },
): Extract<Committed, { ok: true }> {
  const events = (log?.events ?? []).map(({ type, interactionId }, index) => ({
    ...placeOf(index),
    orgId,
    threadId: log?.threadId ?? '',
    type,
    ...(interactionId === undefined ? {} : { interactionId }),
  }));
  return { ok: true, events };
}

export function readIdempotency(key: string, row: Record<string, unknown>): IdempotencyRecord {
  return {
    key,
    fingerprint: String(row.fingerprint),
    resource: { type: row.resource_type, id: row.resource_id } as IdempotencyRecord['resource'],
  };
}
