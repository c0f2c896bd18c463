import type { Message } from '@holdpoint/protocol';
import { driedUp, driesUpAt } from '../domain/message-stream.ts';
import type { Change, Document } from '../stores/store.ts';
import type { Context } from './context.ts';
import { toChange } from './end-message.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/** Called when a stream may have dried up. A piece that comes meanwhile keeps it going. */
export async function elapseStream(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  { orgId, id }: { orgId: string; id: string },
): Promise<void> {
  await retryOnConflict(async () => {
    const [message, stream] = await Promise.all([
      store.getMessage({ orgId, id }),
      store.getDocument({ orgId, type: 'stream', id }),
    ]);
    const change = message && stream ? elapsed(message, stream, clock.now()) : moveTimer(id, null);
    return store.commit({ orgId, ...change });
  });
}

/** Its timer was set when it began, and no piece has moved it: where some have come since, it is moved now. */
function elapsed(message: Message, stream: Document<'stream'>, now: number): Omit<Change, 'orgId'> {
  const dueAt = driesUpAt(stream.record);
  return dueAt > now ? moveTimer(stream.id, dueAt) : toChange(message, stream, driedUp, now).change;
}

const moveTimer = (id: string, dueAt: number | null): Omit<Change, 'orgId'> => ({
  timers: [{ kind: 'stream', id, dueAt }],
});
