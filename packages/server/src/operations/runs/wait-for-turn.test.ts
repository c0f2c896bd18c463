import type { LogEvent } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import type { Caller } from '../../domain/caller.ts';
import type { Context } from '../context.ts';
import { waitForTurn } from './wait-for-turn.ts';

const caller: Caller = { kind: 'key', orgId: 'o', keyId: 'k', role: 'agent' };

/** How often the log is read for a look at a thread that had no run, and these events. */
async function look(types: LogEvent['type'][]) {
  let reads = 0;
  const log = types.map((type, index) => ({ type, seq: index + 1, data: { message: { role: 'user' } } }));
  const context = {
    store: {
      getThread: async () => ({ id: 't', agent: 'helper' }),
      listRuns: async () => ({ items: [] }),
      async readLog({ after, limit }: { after: number; limit: number }) {
        reads++;
        return log.slice(after, after + limit);
      },
    },
    waits: { add: () => {}, remove: () => {} },
  } as unknown as Context;
  const { isSettled } = await waitForTurn(context, caller, { threadId: 't', timeoutMs: 0 });
  return { isSettled, reads };
}

test('[RU14] answers that began no run are read past page by page', async () => {
  const answers = Array.from({ length: 1_000 }, () => 'interaction.answered' as const);
  const settled = await look(answers);
  expect(settled.isSettled).toBe(true);
  expect(settled.reads).toBeLessThan(10);
  expect((await look([...answers, 'message.created'])).isSettled).toBe(false);
});
