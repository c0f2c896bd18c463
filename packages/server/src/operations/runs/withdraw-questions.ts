/** A run that somebody ended asks nothing any more: its questions are withdrawn, and those that it waits for. */
import { type Actor, limits, type Run } from '@holdpoint/protocol';
import { decide } from '../../domain/decide.ts';
import { toChange } from '../change-interaction.ts';
import type { Context } from '../context.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';

type Tools = Pick<Context, 'store' | 'clock'>;

interface Withdrawal {
  orgId: string;
  by: Actor;
  reason: string | undefined;
}

export async function withdrawQuestionsOf(tools: Tools, run: Run, withdrawal: Withdrawal): Promise<void> {
  for (const wait of run.waitingFor ?? [])
    if (wait.type === 'interaction') await withdraw(tools, wait.interactionId, withdrawal);
  const pending = { orgId: withdrawal.orgId, runId: run.id, status: 'pending', limit: limits.pageSize } as const;
  let cursor: string | undefined;
  do {
    const page = await tools.store.listInteractions({ ...pending, ...(cursor === undefined ? {} : { cursor }) });
    for (const { id } of page.items) await withdraw(tools, id, withdrawal);
    cursor = page.next;
  } while (cursor !== undefined);
}

/** Nothing where somebody was faster, or it never was there. */
async function withdraw({ store, clock }: Tools, id: string, { orgId, by, reason }: Withdrawal): Promise<void> {
  await retryOnConflict(async () => {
    const state = (await store.getInteraction({ orgId, id })) ?? null;
    const command = { type: 'cancel', by, ...(reason === undefined ? {} : { reason }) } as const;
    const decided = decide(state, command, clock.now());
    return decided.ok ? store.commit({ orgId, ...toChange(decided.outcome, state) }) : undefined;
  });
}
