/** Promises of onWritten: a call soon after any commit, also one without events. One call may stand for several commits. */
import { describe, expect, test, vi } from 'vitest';
import type { Change } from '../store.ts';
import { type Cases, commitAll } from './opened-store.ts';
import { apiKeyOf, deliveryOf, idOf, newThread, orgId } from './records.fixture.ts';

const changes: [string, Change][] = [
  ['a timer', { orgId, timers: [{ kind: 'stream', id: 't1', dueAt: 1 }] }],
  ['a document', { orgId, documents: [{ type: 'reader', id: 'r', record: { cursor: '' }, expected: null }] }],
  ['a delivery', { orgId, newDeliveries: [deliveryOf(idOf(1))] }],
  ['a record', { orgId, newApiKey: apiKeyOf(idOf(1)) }],
  ['events', newThread('t1')],
];

export const writtenCases: Cases = (opened) => {
  describe('telling of writes', () => {
    test.each(changes)(
      '[L1] the listener is called after a commit of %s, when it can be read',
      async (_what, change) => {
        const { store } = opened();
        const seen: unknown[] = [];
        store.onWritten(async () => {
          const found = await Promise.all([
            store.nextDueAt({ kind: 'stream' }),
            store.getDocument({ orgId, type: 'reader', id: 'r' }),
            store.getDelivery({ orgId, webhookId: 'w1', id: idOf(1) }),
            store.getApiKey({ orgId, id: idOf(1) }),
            store.getThread({ orgId, id: 't1' }),
          ]);
          seen.push(found.some((each) => each !== undefined));
        });
        await commitAll(store, change);
        await vi.waitFor(() => expect(seen).toContain(true));
      },
    );

    test('[L1] every one of many commits causes a call, together or by itself, until the listener is removed', async () => {
      const { store } = opened();
      const [first, second] = [vi.fn(), vi.fn()];
      const stop = store.onWritten(first);
      store.onWritten(second);
      for (let n = 0; n < 3; n++) {
        first.mockClear();
        second.mockClear();
        await Promise.all(Array.from({ length: 50 }, () => commitAll(store, newThread(`${n} ${Math.random()}`))));
        await vi.waitFor(() => expect([first, second].every(({ mock }) => mock.calls.length > 0)).toBe(true));
      }
      stop();
      first.mockClear();
      second.mockClear();
      await commitAll(store, newThread('t1'));
      await vi.waitFor(() => expect(second).toHaveBeenCalled());
      expect(first).not.toHaveBeenCalled();
    });
  });
};
