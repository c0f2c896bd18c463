/** A change as rows: text and numbers only, so that handing it to the writer thread costs a copy of strings. */
import type { Grant } from '@holdpoint/protocol';
import type { Change, EventHead, IdempotencyRecord, Org } from '../store.ts';

export interface EncodedChange {
  orgId: string;
  /** Written only to see whether the disk takes it. */
  probe?: string;
  newOrg?: Org;
  newThread?: Row;
  newMessage?: Row & { threadId: string };
  interaction?: Row & {
    threadId: string;
    runId: string | null;
    kind: string;
    status: string;
    version: number;
    expectedVersion: number;
    deadlineAt: number | null;
  };
  newGrant?: Row & { key: string; reach: string; expiresAt: number | null };
  closedGrant?: Row;
  newSecrets?: { interactionId: string; vals: string };
  takenSecrets?: { interactionId: string };
  /** Its org may be one that this very change makes. */
  newApiKey?: Row & { hash: string; orgId: string };
  changedApiKey?: Row & { hash: string };
  log?: { threadId: string; events: EncodedEvent[] };
  idempotency?: IdempotencyRecord;
}

interface Row {
  id: string;
  record: string;
}

export interface EncodedEvent {
  type: EventHead['type'];
  at: string;
  actor: string;
  interactionId: string | null;
  data: string;
}

const row = (record: { id: string }): Row => ({ id: record.id, record: JSON.stringify(record) });

/** How far a grant stands, as one text to find it by. */
function reachOf({ scope, threadId, runId = '' }: Grant): string {
  return scope === 'org' ? reaches.org : scope === 'thread' ? reaches.thread(threadId) : reaches.run(runId);
}

export const reaches = {
  org: 'org',
  thread: (id: string) => `thread ${id}`,
  run: (id: string) => `run ${id}`,
};

export function encodeChange(change: Change): EncodedChange {
  const { interaction, newThread, newMessage, newGrant, closedGrant, newApiKey, changedApiKey, newSecrets, log } =
    change;
  const encoded: EncodedChange = { orgId: change.orgId };
  if (change.newOrg) encoded.newOrg = change.newOrg;
  if (newThread) encoded.newThread = row(newThread);
  if (newMessage) encoded.newMessage = { ...row(newMessage), threadId: newMessage.threadId };
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
      deadlineAt: record.deadline ? Date.parse(record.deadline.at) : null,
    };
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
  if (changedApiKey) encoded.changedApiKey = { ...row(changedApiKey.record), hash: changedApiKey.hash };
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
