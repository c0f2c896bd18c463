import type { FreeObject, LogEvent } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import type { Store } from '../stores/store.ts';
import { inboxFormat } from './inbox-format.ts';

const event = (seq: number, type: LogEvent['type'], data: FreeObject = {}): LogEvent =>
  ({
    cursor: String(seq).padStart(16, '0'),
    threadId: 't',
    interactionId: 'i',
    seq,
    type,
    at: '2030-01-01T00:00:00Z',
    actor: { type: 'agent', id: 'a' },
    data,
  }) as unknown as LogEvent;
const created = event(1, 'interaction.created', { interaction: { responder: { assignees: ['ada'] } } });
const escalated = event(2, 'interaction.escalated', { assignees: ['bob'] });
const answered = event(3, 'interaction.answered');

const storeOf = (getInteraction: () => Promise<unknown>) => ({ getInteraction }) as unknown as Store;

test('[X8] a follower that catches up uses the assignees of its event, and one at the end uses the last ones', async () => {
  const { audience } = inboxFormat(storeOf(() => Promise.reject(new Error('it was said'))));
  expect(await audience?.(created, 'o')).toEqual(['ada']);
  expect(await audience?.(escalated, 'o')).toEqual(['bob']);
  expect(await audience?.(created, 'o')).toEqual(['ada']);
  expect(await audience?.(answered, 'o')).toEqual(['bob']);
});

test('[PE36] those who may no longer answer get the event that says so, and none after it', async () => {
  const { audience } = inboxFormat(storeOf(() => Promise.reject(new Error('it was said'))));
  await audience?.(created, 'o');
  const reassigned = event(2, 'interaction.reassigned', { removed: ['ada'], assignees: ['bob'] });
  expect(await audience?.(reassigned, 'o')).toEqual(['bob', 'ada']);
  expect(await audience?.(answered, 'o')).toEqual(['bob']);
});

test('[X8] a look-up that ends late does not replace later assignees', async () => {
  const lookUp = Promise.withResolvers<unknown>();
  const { audience } = inboxFormat(storeOf(() => lookUp.promise));
  const earlier = audience?.(event(1, 'interaction.updated'), 'o');
  await audience?.(escalated, 'o');
  lookUp.resolve({ responder: { assignees: ['ada'] } });
  expect(await earlier).toEqual(['ada']);
  expect(await audience?.(answered, 'o')).toEqual(['bob']);
});
