/** Selects the changes that one batch may write together. */
import type { EncodedChange } from '../sql/encode-change.ts';
import type { PendingWrite } from './batch-writer.ts';
import { lockNames } from './lock-names.ts';

/** Limits the locks and the deliveries of a batch. The database has some thousands of locks for all sessions. */
const maxWeight = 256;

/**
 * Takes the first writes of the queue that fit in one batch. If several could conflict, takes only the first of them.
 */
export function takeBatch<Write extends PendingWrite>(queue: readonly Write[], maxCount = maxWeight) {
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

/** Returns the resources that only one change of a batch may touch. */
export function claimsOf(change: EncodedChange): string[] {
  const { orgId, interaction, idempotency, newThread, newOrg, newApiKey, closedGrant, takenSecrets } = change;
  const { changedThread, changedMessage, changedApiKey, run, documents = [], timers = [] } = change;
  const { newDeliveries = [], changedDeliveries = [] } = change;
  const claims: string[] = [];
  if (interaction) claims.push(`interaction ${orgId} ${interaction.id}`);
  // A thread has at most one open run, so two runs of a thread could conflict.
  if (run) claims.push(`run ${orgId} ${run.threadId}`);
  if (idempotency) claims.push(`stamp ${orgId} ${idempotency.key}`);
  const thread = newThread ?? changedThread;
  if (thread) claims.push(`thread ${orgId} ${thread.id}`);
  if (changedMessage) claims.push(`message ${orgId} ${changedMessage.id}`);
  if (newOrg) claims.push(`org ${newOrg.id}`);
  const apiKey = newApiKey ?? changedApiKey;
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

const weightOf = (change: EncodedChange): number =>
  lockNames(change).length +
  (change.newEntries?.length ?? 0) +
  (change.newDeliveries?.length ?? 0) +
  (change.changedDeliveries?.length ?? 0);
