/** Promises of publish: every listener gets the events in order, after earlier commits. Nothing is stored. */
import type { EphemeralEvent } from '@holdpoint/protocol';
import { describe, expect, test, vi } from 'vitest';
import { maxPublishedBytes, type PublishedEvent, type Store } from '../store.ts';
import { type Cases, commitAll } from './opened-store.ts';
import { at, eventOf, newThread, orgId } from './records.fixture.ts';

export const ephemeralEventOf = (
  text: string,
  more: Partial<Extract<PublishedEvent, EphemeralEvent>> = {},
): PublishedEvent =>
  ({
    orgId,
    threadId: 't1',
    type: 'message.delta',
    at,
    actor: { type: 'agent', id: 'writer' },
    data: { text },
    ...more,
  }) as PublishedEvent;

function listen(store: Store): PublishedEvent[] {
  const heard: PublishedEvent[] = [];
  store.onPublished((event) => heard.push(event));
  return heard;
}

export const ephemeralCases: Cases = (opened) => {
  describe('telling', () => {
    test('[E1] every listener gets published events whole, with any content, until it stops listening', async () => {
      const { store } = opened();
      const [first, second] = [vi.fn(), vi.fn()];
      const stop = store.onPublished(first);
      store.onPublished(second);
      const odd = ephemeralEventOf('a\u0000b 🙂 \ud800 \'"\\ é', {
        type: 'thread.typing',
        threadId: "'; DROP",
        orgId: 'other',
      });
      store.publish(odd);
      store.publish(ephemeralEventOf(''));
      await vi.waitFor(() => expect(second).toHaveBeenCalledTimes(2));
      expect(first.mock.calls).toEqual([[odd], [ephemeralEventOf('')]]);
      expect(second.mock.calls).toEqual(first.mock.calls);
      stop();
      store.publish(ephemeralEventOf('more'));
      await vi.waitFor(() => expect(second).toHaveBeenCalledTimes(3));
      expect(first).toHaveBeenCalledTimes(2);
    });

    test('[E2] thousands arrive in their order, also equal ones', async () => {
      const { store } = opened();
      const heard = listen(store);
      const published: PublishedEvent[] = [];
      for (let n = 0; n < 2_000; n++) {
        published.push(ephemeralEventOf(n % 10 < 5 ? 'ha' : `${n}`));
        store.publish(published[n] as PublishedEvent);
        if (n % 300 === 299) await new Promise((resolve) => setImmediate(resolve));
      }
      await vi.waitFor(() => expect(heard).toHaveLength(2_000), 20_000);
      expect(heard).toEqual(published);
    });

    test('[E2] the heads of all events that were committed before are published before', async () => {
      const { store } = opened();
      const heard: string[] = [];
      store.onCommitted((heads) => heard.push(...heads.map(({ seq }) => `${seq}`)));
      store.onPublished(({ data }) => heard.push(`after ${'text' in data && data.text}`));
      await commitAll(store, newThread('t1'));
      for (let n = 2; n < 40; n++) {
        const said = { orgId, log: { threadId: 't1', events: [eventOf('message.created')] } };
        if (n % 3) await commitAll(store, said);
        else await Promise.all([commitAll(store, newThread(`other ${n}`, 'other')), commitAll(store, said)]);
        store.publish(ephemeralEventOf(`${n}`));
      }
      await vi.waitFor(() => expect(heard).toContain('after 39'), 20_000);
      for (let n = 2; n < 40; n++) expect(heard.indexOf(`${n}`)).toBeLessThan(heard.indexOf(`after ${n}`));
    });

    test('[E2] the largest event arrives, and a larger one causes no error', async () => {
      const { store } = opened();
      const heard = listen(store);
      const room = maxPublishedBytes - Buffer.byteLength(JSON.stringify(ephemeralEventOf('')));
      const largest = ephemeralEventOf(`${'é'.repeat(Math.floor((room - 1) / 2))}`);
      store.publish(largest);
      store.publish(ephemeralEventOf('x'.repeat(1_000_000)));
      store.publish(ephemeralEventOf('last'));
      await vi.waitFor(() => expect(heard.at(-1)).toEqual(ephemeralEventOf('last')));
      expect(heard[0]).toEqual(largest);
    });

    test('[E1] no event is stored, and a closed store publishes nothing', async () => {
      const { store, reopen } = opened();
      const heard = listen(store);
      await commitAll(store, newThread('t1'));
      const head = await store.headCursor();
      store.publish(ephemeralEventOf('a'));
      await vi.waitFor(() => expect(heard).toHaveLength(1));
      expect(await store.headCursor()).toBe(head);
      await store.close();
      store.publish(ephemeralEventOf('b'));
      const again = await reopen();
      const heardAgain = listen(again);
      again.publish(ephemeralEventOf('c'));
      await vi.waitFor(() => expect(heardAgain).toEqual([ephemeralEventOf('c')]));
      expect(heard).toHaveLength(1);
    });
  });
};
