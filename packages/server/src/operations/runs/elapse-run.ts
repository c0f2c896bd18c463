import { wakeRun } from '../../domain/runs/end-and-wake.ts';
import type { Context } from '../context.ts';
import { runChange } from './run-change.ts';

/** Called when the time has come that a run waits for. Where an input or another node was faster, nothing is left to do. */
export async function elapseRun(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  { orgId, id }: { orgId: string; id: string },
): Promise<void> {
  for (;;) {
    const before = await store.getRun({ orgId, id });
    const woken = before && wakeRun(before, clock.now());
    if (!woken?.ok) return;
    const committed = await store.commit({ orgId, ...(await runChange({ store, clock }, orgId, woken, before)) });
    if (committed.ok || committed.reason !== 'conflict') return;
  }
}
