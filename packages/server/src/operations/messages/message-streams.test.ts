import type { Message } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { streamIdleMs } from '../../domain/message-stream.ts';
import type { Document } from '../../stores/documents.ts';
import type { Change, Committed, Store } from '../../stores/store.ts';
import { expireStream } from './message-streams.ts';

const now = Date.parse('2030-01-01T00:00:00.000Z');
const time = (ms: number) => new Date(ms).toISOString();
const begun: Message = {
  id: 'm',
  threadId: 't',
  role: 'agent',
  blocks: [],
  state: 'streaming',
  by: { type: 'agent', id: 'a', via: 'key' },
  at: time(now),
};
const streamAt = (updatedAt: number): Document<'stream'> => ({
  id: 'm',
  revision: `r${updatedAt}`,
  record: { threadId: 't', text: 'Hel', updatedAt: time(updatedAt) },
});

/** Fires while the stream has each of these states in turn. Every commit but the last is a conflict. */
async function fire(...streams: (Document<'stream'> | undefined)[]): Promise<Change[]> {
  const changes: Change[] = [];
  const store = {
    getMessage: async () => begun,
    getDocument: async () => streams.shift(),
    async commit(change: Change): Promise<Committed> {
      changes.push(change);
      return streams.length > 0 ? { ok: false, reason: 'conflict' } : { ok: true, events: [] };
    },
  } as unknown as Store;
  await expireStream({ store, clock: { now: () => now } }, { orgId: 'o', id: 'm' });
  return changes;
}

const timer = (dueAt: number | null) => ({ timers: [{ kind: 'stream', id: 'm', dueAt }] });
const due = streamAt(now - streamIdleMs);

test('[M5] an abandoned stream is cancelled with its text so far, and its document and its timer are removed', async () => {
  expect(await fire(due)).toEqual([
    {
      orgId: 'o',
      changedMessage: { ...begun, state: 'cancelled', blocks: [expect.anything()], updatedAt: time(now) },
      documents: [{ type: 'stream', id: 'm', record: null, expected: due.revision }],
      ...timer(null),
      log: { threadId: 't', events: [expect.objectContaining({ type: 'message.cancelled' })] },
    },
  ]);
});

test('[M5] the timer of a stream with a newer piece moves to a minute after that piece, and nothing else changes', async () => {
  expect(await fire(streamAt(now - 1))).toEqual([{ orgId: 'o', ...timer(now - 1 + streamIdleMs) }]);
});

test('[M5] a stream that has ended leaves no timer', async () => {
  expect(await fire(undefined)).toEqual([{ orgId: 'o', ...timer(null) }]);
});

test('[M3][M5] a piece that comes at that moment keeps the stream open', async () => {
  const [first, second] = await fire(due, streamAt(now));
  expect(first).toHaveProperty('changedMessage');
  expect(second).toEqual({ orgId: 'o', ...timer(now + streamIdleMs) });
});
