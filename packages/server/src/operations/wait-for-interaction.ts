import { type Interaction, limits, type StopSignal } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Context } from './context.ts';
import { loadInteraction } from './load.ts';
import { authorize } from './perform.ts';

const defaultWaitMs = 30_000;

/** Listens before it looks, so that an answer that lands in between is not missed. */
export async function waitForInteraction(
  context: Context,
  caller: Caller,
  { interactionId, timeoutMs, signal }: { interactionId: string; timeoutMs?: number; signal?: StopSignal },
): Promise<Interaction> {
  authorize(caller, 'waitForInteraction');
  const until = performance.now() + Math.min(timeoutMs ?? defaultWaitMs, limits.waitMs);
  const listening = context.waits.listen(interactionId);
  try {
    while (true) {
      const interaction = await loadInteraction(context, caller, interactionId);
      if (interaction.status !== 'pending') return interaction;
      const hasChanged = await listening.next(until - performance.now(), signal);
      if (!hasChanged) return interaction;
    }
  } finally {
    listening.stop();
  }
}
