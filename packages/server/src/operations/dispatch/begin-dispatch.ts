/** Dispatch is off in an org until it is used, so that whoever does not use it pays nothing for it. */
import { inputReader } from '../../domain/dispatch/inputs.ts';
import type { Context } from '../context.ts';
import { logStart } from '../follow-events.ts';

/** By it a node takes on the work of taking the inputs in. */
const intakeTimer = { kind: 'dispatch', id: '' } as const;

/** Nothing where it has begun: from where it began is settled then. */
export async function beginDispatch(
  { store, clock, dispatch }: Pick<Context, 'store' | 'clock' | 'dispatch'>,
  { orgId, from }: { orgId: string; from: 'start' | 'now' },
): Promise<void> {
  if (dispatch.begun.has(orgId)) return;
  if (!(await store.getDocument({ orgId, ...inputReader }))) {
    const cursor = from === 'now' ? await store.headCursor() : logStart;
    const committed = await store.commit({
      orgId,
      documents: [{ ...inputReader, record: { cursor }, expected: null }],
      timers: [{ ...intakeTimer, dueAt: clock.now() }],
    });
    // A conflict means that somebody else has begun it meanwhile.
    if (committed.ok) dispatch.begun.set(orgId, dispatch.begin(orgId));
  }
  if (!dispatch.begun.has(orgId)) dispatch.begun.set(orgId, Promise.resolve());
}
