/** Old inputs for dispatch: user messages, written through the server's own store, thread after thread. */
import type { Message, Thread } from '../packages/protocol/src/index.ts';
import { newId } from '../packages/server/src/new-id.ts';
import { operatorOrg } from '../packages/server/src/operations/access/orgs.ts';
import { openPostgresStore } from '../packages/server/src/stores/postgres/postgres-store.ts';
import { openSqliteStore } from '../packages/server/src/stores/sqlite/sqlite-store.ts';
import type { Change, Store } from '../packages/server/src/stores/store.ts';
import type { Place } from './bench-store.ts';

const by = { type: 'human', id: 'mia', via: 'token' } as const;
/** Number of threads that are written at the same time. */
const width = 64;

/** Returns the threads. Each has the same number of messages. */
export async function seedInputs(
  place: Place,
  { inputs, threads }: { inputs: number; threads: number },
): Promise<string[]> {
  const store = await openStore(place);
  const ids = Array.from({ length: threads }, newId);
  const waiting = [...ids];
  const writer = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      await commit(store, newThread(id));
      for (let n = 0; n < Math.ceil(inputs / threads); n++) await commit(store, newMessage(id));
    }
  };
  await Promise.all(Array.from({ length: width }, writer));
  await store.close();
  return ids;
}

const openStore = ({ databaseUrl, flags }: Place): Promise<Store> =>
  databaseUrl === undefined ? openSqliteStore({ folder: flags.at(-1) ?? '' }) : openPostgresStore({ url: databaseUrl });

async function commit(store: Store, change: Change): Promise<void> {
  const committed = await store.commit(change);
  if (!committed.ok) throw new Error(`a seeded change was refused: ${committed.reason}`);
}

function newThread(id: string): Change {
  const at = new Date().toISOString();
  const thread: Thread = { id, version: 1, createdBy: by, createdAt: at, updatedAt: at };
  const created = { type: 'thread.created', at, actor: by, data: { thread } } as const;
  return { orgId: operatorOrg, newThread: thread, log: { threadId: id, events: [created] } };
}

function newMessage(threadId: string): Change {
  const at = new Date().toISOString();
  const text = 'Could you look at the refund of order 4711 once more?';
  const blocks = [{ type: 'message', payload: { text, format: 'plain' } }];
  const message: Message = { id: newId(), threadId, role: 'user', blocks, by, at };
  const created = { type: 'message.created', at, actor: by, data: { message } } as const;
  return { orgId: operatorOrg, newMessage: message, log: { threadId, events: [created] } };
}
