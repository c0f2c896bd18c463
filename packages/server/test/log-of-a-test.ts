/** A real store with a log to read: one thread, and a reader that begins at its end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { eventOf, orgId, threadOf } from '../src/stores/contract/records.fixture.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../src/stores/store.ts';

/** `beforeClose`: stops what still uses the store when the test ends. */
export async function logOfATest(readerId: string, beforeClose: () => Promise<void> = async () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-log-'));
  const store = await openSqliteStore({ folder });
  onTestFinished(async () => {
    await beforeClose();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const reader = { type: 'reader', id: readerId } as const;
  await store.commit({ orgId, newThread: threadOf('t') });
  const record = { cursor: await store.headCursor() };
  await store.commit({ orgId, documents: [{ ...reader, record, expected: null }] });
  const say = (count: number, type: 'message.created' | 'thread.created' = 'message.created') =>
    store.commit({ orgId, log: { threadId: 't', events: Array.from({ length: count }, () => eventOf(type)) } });
  const savedReader = async () => {
    const saved = await store.getDocument({ orgId, ...reader });
    if (!saved) throw new Error('there is no reader');
    return saved;
  };
  return { store, say, savedReader, savedCursor: async () => (await savedReader()).record.cursor };
}

/** The same store with one other method. */
export const withMethod = <Name extends keyof Store>(store: Store, name: Name, method: Store[Name]): Store =>
  new Proxy(store, {
    get(target, asked) {
      if (asked === name) return method;
      const value = Reflect.get(target, asked);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
