import type { EncodedChange } from '../sql/encode-change.ts';

/**
 * The names under which a change is locked: changes that may touch the same rows share one. They are locked before
 * anything is read or written, so that what a batch has read stays true until it commits, and that within a thread later
 * events belong to later transactions.
 */
export function lockNames(change: EncodedChange): string[] {
  const { orgId, log, interaction, run, newThread, changedThread, changedMessage } = change;
  const { documents = [], timers = [], newDeliveries = [], changedDeliveries = [], closedGrant, takenSecrets } = change;
  const threadId =
    log?.threadId ??
    interaction?.threadId ??
    run?.threadId ??
    newThread?.id ??
    changedThread?.id ??
    changedMessage?.threadId;
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
