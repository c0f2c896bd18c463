import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { commitAll, type OpenedStore } from '../contract/opened-store.ts';
import { eventOf, idOf, interactionOf, newInteraction, newThread, orgId } from '../contract/records.fixture.ts';
import { stepwiseContract, storeContract } from '../store.contract.ts';
import type { Change } from '../store.ts';
import { FolderInUseError } from './data-folder.ts';
import { GroupCommit } from './group-commit.ts';
import { databaseFile } from './open-database.ts';
import { endOf, openInChild } from './open-in-child.fixture.ts';
import { openSqliteStore, type SqliteOptions } from './sqlite-store.ts';
import { commitBatch } from './writer.ts';

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'holdpoint-store-'));

/** A store in a new folder, which goes when it is discarded. */
async function openInNewFolder(options: Omit<SqliteOptions, 'folder'> = {}): Promise<OpenedStore & { folder: string }> {
  const folder = newFolder();
  const first = await openSqliteStore({ folder, ...options });
  let current = first;
  return {
    folder,
    store: first,
    async reopen() {
      await current.close();
      current = await openSqliteStore({ folder, ...options });
      return current;
    },
    async discard() {
      await current.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

storeContract('SQLite', openInNewFolder);
stepwiseContract('SQLite', () => openInNewFolder({ stepRows: 1 }));

async function openStore(options?: Omit<SqliteOptions, 'folder'>) {
  const opened = await openInNewFolder(options);
  onTestFinished(() => opened.discard());
  return opened;
}

function makeFolder(): string {
  const folder = newFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('the folder', () => {
  test('[S4] a second store in the same process is refused, and the first continues', async () => {
    const { store, folder } = await openStore();
    const refused = openSqliteStore({ folder });
    await expect(refused).rejects.toThrow(FolderInUseError);
    await expect(refused).rejects.toThrow(`${folder} is in use by another running Holdpoint (process ${process.pid})`);
    await commitAll(store, newThread('t1'));
    // The refused opener must not have let go of the lock on its way out.
    await expect(openSqliteStore({ folder })).rejects.toThrow(FolderInUseError);
  });

  test('[S4] a second process is refused with the name of the folder', async () => {
    const { folder } = await openStore();
    const { child, says } = await openInChild(folder);
    await endOf(child, 'SIGKILL');
    expect(says).toEqual({
      opened: false,
      error: { name: 'FolderInUseError', message: expect.stringContaining(`${folder} is in use`) },
    });
  });

  test('[S1][S4] a folder is in use as long as its process lives; killed, it leaves all it acknowledged', async () => {
    const folder = makeFolder();
    const { child, says } = await openInChild(folder);
    expect(says).toEqual({ opened: true });
    await expect(openSqliteStore({ folder })).rejects.toThrow(`(process ${child.pid})`);
    await endOf(child, 'SIGKILL');
    const store = await openSqliteStore({ folder });
    expect(await store.getThread({ orgId, id: 'from-child' })).toMatchObject({ id: 'from-child' });
    await store.close();
  });

  test('[S4] a folder written by a newer version is refused and left alone', async () => {
    const { store, folder } = await openStore();
    await commitAll(store, newThread('t1'));
    await store.close();
    const known = setSchemaVersion(folder, 99);
    await expect(openSqliteStore({ folder })).rejects.toThrow(/newer version of Holdpoint \(schema 99, this one knows/);
    setSchemaVersion(folder, known);
    const again = await openSqliteStore({ folder });
    expect(await again.getThread({ orgId, id: 't1' })).toBeDefined();
    await again.close();
  });

  test('[S4] a folder that cannot be written is a clear error', async () => {
    const folder = makeFolder();
    chmodSync(folder, 0o555);
    // Nothing is forbidden to root, so another user must try.
    const { child, says } = await openInChild(folder, process.getuid?.() === 0 ? { uid: 65_534 } : {});
    await endOf(child, 'SIGKILL');
    expect(says).toEqual({
      opened: false,
      error: { name: 'Error', message: `EACCES: permission denied, access '${folder}'` },
    });
  });

  test('[AN9] a folder that the store makes is its owner’s alone', async () => {
    const folder = join(makeFolder(), 'made', 'here');
    const store = await openSqliteStore({ folder });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    await store.close();
  });

  test('[S4] a file that is no database is refused, and nothing stays open', async () => {
    const folder = makeFolder();
    const db = new DatabaseSync(join(folder, databaseFile));
    db.exec('CREATE TABLE orgs (other TEXT)');
    db.close();
    await expect(openSqliteStore({ folder })).rejects.toThrow('table orgs already exists');
    await expect(openSqliteStore({ folder })).rejects.toThrow('table orgs already exists');
  });
});

function setSchemaVersion(folder: string, version: number): number {
  const db = new DatabaseSync(join(folder, databaseFile));
  const before = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  db.exec(`PRAGMA user_version = ${version}`);
  db.close();
  return before;
}

describe('a full disk', () => {
  const maxPages = 250;
  const heavy = (n: number, bytes = 50_000): Change => ({
    ...newInteraction(interactionOf(idOf(n), 't1')),
    newSecrets: { interactionId: idOf(n), values: { text: 'x'.repeat(bytes) } },
  });

  test('[S3] refuses a change that does not fit, whole, and accepts writes again when there is room', async () => {
    const { store } = await openStore({ maxPages });
    await commitAll(store, newThread('t1'));
    let stored = 0;
    const refusal = await (async () => {
      for (; stored < 100; stored++) {
        const failed = await store.commit(heavy(stored)).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (failed) return failed;
      }
      return undefined;
    })();
    expect(refusal).toMatchObject({
      code: 'storage-unavailable',
      fault: { detail: 'Nothing was changed: database or disk is full.', retryAfterMs: 1_000 },
    });
    expect(stored).toBeGreaterThan(2);
    expect(await store.getInteraction({ orgId, id: idOf(stored) })).toBeUndefined();
    expect(await store.getSecrets({ orgId, interactionId: idOf(stored) })).toBeUndefined();
    expect((await store.readLog({ orgId, threadId: 't1', after: 0, limit: 200 })).items).toHaveLength(stored + 1);

    const takenSecrets = { interactionId: idOf(0) };
    await commitAll(store, { orgId, takenSecrets }, heavy(stored));
    const log = (await store.readLog({ orgId, threadId: 't1', after: 0, limit: 200 })).items;
    expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: stored + 2 }, (_, n) => n + 1));
  });

  test('[S2][S3] of many at once, those that fit are saved and those that do not are not', async () => {
    const { store, reopen } = await openStore({ maxPages });
    await commitAll(store, newThread('t1'));
    const sizes = Array.from({ length: 60 }, (_, n) => (n % 2 ? 100 : 60_000));
    const settled = await Promise.allSettled(sizes.map((size, n) => store.commit(heavy(n, size))));
    const saved = settled.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []));
    expect(saved.length).toBeGreaterThan(5);
    expect(saved.length).toBeLessThan(sizes.length);
    const again = await reopen();
    const { items } = await again.listInteractions({ orgId, limit: 100 });
    expect(items.map(({ id }) => id)).toEqual(saved.map(idOf));
    for (const n of sizes.keys())
      expect((await again.getSecrets({ orgId, interactionId: idOf(n) })) !== undefined).toBe(saved.includes(n));
    const log = (await again.readLog({ orgId, threadId: 't1', after: 0, limit: 200 })).items;
    expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: saved.length + 1 }, (_, n) => n + 1));
  });
});

describe('a file that another process has locked', () => {
  function lockedFile(folder: string): DatabaseSync {
    const other = new DatabaseSync(join(folder, databaseFile));
    onTestFinished(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    return other;
  }

  test('[S20] a store is not ready while its writes are stuck, and ready again after', async () => {
    const { store, folder } = await openStore();
    const other = lockedFile(folder);
    const stuck = Promise.allSettled(['t1', 't2', 't3'].map((id) => store.commit(newThread(id))));
    const refused = { code: 'storage-unavailable' };
    await vi.waitFor(() => expect(store.checkReady()).rejects.toMatchObject(refused), 60_000);
    other.exec('ROLLBACK');
    await stuck;
    await vi.waitFor(() => store.checkReady(), 60_000);
    await commitAll(store, newThread('t4'));
  });

  test('[S20] a batch waits for the lock once, and all of it is refused', async () => {
    const { folder } = await openStore();
    lockedFile(folder);
    const db = new DatabaseSync(join(folder, databaseFile));
    onTestFinished(() => db.close());
    const exec = vi.spyOn(db, 'exec');
    const batch = Array.from({ length: 20 }, () => ({ probe: '' }));
    const results = commitBatch(db, () => ({ ok: true, position: 0, seq: 0 }), batch);
    expect(results).toEqual(batch.map(() => ({ error: 'database is locked', isDamage: false })));
    expect(exec).toHaveBeenCalledExactlyOnceWith('BEGIN IMMEDIATE');
  });
});

describe('the writer thread', () => {
  test('[S3] when it dies, waiting commits are refused and the store says that it is not ready', async () => {
    const workers: Worker[] = [];
    const remember = (worker: Worker) => workers.push(worker);
    process.on('worker', remember);
    const { store } = await openStore();
    process.off('worker', remember);
    await commitAll(store, newThread('t1'));
    // It ends before it could take what is sent to it in the same turn, and some of that is not even sent.
    const ended = workers[0]?.terminate();
    const underWay = Array.from({ length: 20 }, () =>
      store.commit({ orgId, log: { threadId: 't1', events: [eventOf('message.created')] } }),
    );
    await Promise.all([
      ...underWay.map((commit) => expect(commit).rejects.toMatchObject({ code: 'storage-unavailable' })),
      ended,
    ]);
    await expect(store.commit(newThread('t2'))).rejects.toMatchObject({ code: 'storage-unavailable' });
    await expect(store.checkReady()).rejects.toMatchObject({ code: 'storage-unavailable' });
    expect(await store.getThread({ orgId, id: 't1' })).toBeDefined();
    await store.close();
  });

  test('[S3] one that cannot open its file says why, and closes', async () => {
    const path = join(makeFolder(), 'not', 'there.db');
    const writer = new GroupCommit({ path });
    await expect(writer.ready).rejects.toThrow('unable to open database file');
    await expect(writer.write({ orgId })).rejects.toMatchObject({ code: 'storage-unavailable' });
    await writer.close();
  });
});

test('[D4] timers that an ended process had claimed are due at their own time after the next start', async () => {
  const { store, reopen, discard } = await openInNewFolder();
  onTestFinished(discard);
  const kind = 'interaction';
  await commitAll(store, { orgId, timers: [{ kind, id: 'a', dueAt: 10 }] });
  const [claim] = await store.claimDue({ kind, now: 20, limit: 9, forMs: 60_000 });
  expect(await store.moveClaims({ claims: claim ? [claim] : [], until: 90_000 })).toHaveLength(1);
  expect(await store.nextDueAt({ kind })).toBe(90_000);
  const again = await reopen();
  expect(await again.nextDueAt({ kind })).toBe(10);
  expect(await again.claimDue({ kind, now: 10, limit: 9, forMs: 1 })).toHaveLength(1);
});
