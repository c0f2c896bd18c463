import type { Change, Committed } from '../store.ts';

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
