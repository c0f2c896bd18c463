/** The locks of a change, its claims, and the changes that fit in one batch. */
import type { EncodedChange } from '../sql/encode-change.ts';

/**
 * Returns the names under which a change is locked. Changes that may touch the same rows share a name. A batch locks them
 * before it reads or writes. So the rows that it has read stay as they are until it commits, and within a thread later
 * events belong to later transactions.
 */
export function lockNames(change: EncodedChange): string[] {
  const { orgId, log, interaction, run, newThread, changedThread, changedMessage, closedGrant, takenSecrets } = change;
  const { documents = [], timers = [], newDeliveries = [], changedDeliveries = [] } = change;
  const threadId =
    (log ?? interaction ?? run)?.threadId ?? (newThread ?? changedThread)?.id ?? changedMessage?.threadId;
  const names = new Set<string>();
  if (threadId !== undefined) names.add(threadLockName(orgId, threadId));
  for (const { type, id } of documents) names.add(`${orgId} document ${type} ${id}`);
  for (const { webhookId } of [...newDeliveries, ...changedDeliveries]) names.add(`${orgId} webhook ${webhookId}`);
  // The timer of an interaction or a run changes with it, under the lock of its thread.
  const isItsOwn = (kind: string, id: string) =>
    (kind === 'interaction' && id === interaction?.id) || (kind === 'run' && id === run?.id);
  for (const { kind, id } of timers) if (!isItsOwn(kind, id)) names.add(`${orgId} timer ${kind} ${id}`);
  const isOfOrg = names.size === 0 || (threadId === undefined && (closedGrant ?? takenSecrets) !== undefined);
  return isOfOrg ? [...names, `${orgId} `] : [...names];
}

export const threadLockName = (orgId: string, threadId: string): string => `${orgId} ${threadId}`;

/** Returns the resources that only one change of a batch may touch. */
export function claimsOf(change: EncodedChange): string[] {
  const { orgId, interaction, idempotency, newOrg, closedGrant, takenSecrets, changedMessage, run } = change;
  const { documents = [], timers = [], newDeliveries = [], changedDeliveries = [] } = change;
  const thread = change.newThread ?? change.changedThread;
  const apiKey = change.newApiKey ?? change.changedApiKey;
  const claims: string[] = [];
  if (interaction) claims.push(`interaction ${orgId} ${interaction.id}`);
  // A thread has at most one open run, so two runs of a thread could conflict.
  if (run) claims.push(`run ${orgId} ${run.threadId}`);
  if (idempotency) claims.push(`idempotency ${orgId} ${idempotency.key}`);
  if (thread) claims.push(`thread ${orgId} ${thread.id}`);
  if (changedMessage) claims.push(`message ${orgId} ${changedMessage.id}`);
  if (newOrg) claims.push(`org ${newOrg.id}`);
  if (apiKey) claims.push(`key ${apiKey.hash}`);
  if (closedGrant) claims.push(`grant ${orgId} ${closedGrant.id}`);
  if (takenSecrets) claims.push(`secrets ${orgId} ${takenSecrets.interactionId}`);
  for (const { type, id, alias } of documents) {
    claims.push(`document ${orgId} ${type} ${id}`);
    if (alias !== null) claims.push(`alias ${orgId} ${type} ${alias}`);
  }
  for (const { kind, id } of timers) claims.push(`timer ${orgId} ${kind} ${id}`);
  for (const { webhookId, id } of [...newDeliveries, ...changedDeliveries])
    claims.push(`delivery ${orgId} ${webhookId} ${id}`);
  return claims;
}

/** Returns everything that a change may have to wait for. */
export const needsOf = (change: EncodedChange): string[] => [...claimsOf(change), ...lockNames(change)];

/** Limits the locks and the deliveries of a batch. The database has some thousands of locks for all sessions. */
const maxWeight = 256;

const weightOf = (change: EncodedChange): number =>
  lockNames(change).length +
  (change.newEntries?.length ?? 0) +
  (change.newDeliveries?.length ?? 0) +
  (change.changedDeliveries?.length ?? 0);

/** Takes the first writes of the queue that fit in one batch. If several could conflict, takes only the first of them. */
export function takeBatch<Write extends { change: EncodedChange }>(queue: readonly Write[], maxCount = maxWeight) {
  const batch: Write[] = [];
  const left: Write[] = [];
  const claimed = new Set<string>();
  let weight = 0;
  let seen = 0;
  for (; seen < queue.length && weight < maxWeight && batch.length < maxCount; seen++) {
    const write = queue[seen] as Write;
    const claims = claimsOf(write.change);
    if (claims.some((claim) => claimed.has(claim))) left.push(write);
    else {
      batch.push(write);
      weight += weightOf(write.change);
      for (const claim of claims) claimed.add(claim);
    }
  }
  return { batch, left: left.concat(queue.slice(seen)) };
}
