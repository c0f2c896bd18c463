import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FreeObject } from '@holdpoint/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { commitAll, readPages } from '../contract/opened-store.ts';
import { eventOf, newThread, orgId } from '../contract/records.fixture.ts';
import type { Change } from '../store.ts';
import { databaseFile } from './open-database.ts';
import { openSqliteStore } from './sqlite-store.ts';

/** Returns how often the write-ahead log was restarted, from its header. */
const restarts = (folder: string): number => readFileSync(join(folder, `${databaseFile}-wal`)).readUInt32BE(12);

test('[S1] the log is copied into the database during commits, and restarted, and nothing is lost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-checkpoints-'));
  const store = await openSqliteStore({ folder });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  let written = 0;
  const large = (): Change => ({
    orgId,
    log: {
      threadId: 't',
      events: [eventOf('message.created', undefined, { n: written++, text: 'x'.repeat(100_000) })],
    },
  });
  await commitAll(store, newThread('t'));
  const before = restarts(folder);
  // Some 50 pages each: the first round of checkpoints is due after a few hundred.
  for (let round = 0; round < 8; round++) await commitAll(store, ...Array.from({ length: 50 }, large));
  // The new log begins with the first commit after the last checkpoint of a round.
  await expect
    .poll(async () => {
      await commitAll(store, large());
      return restarts(folder);
    })
    .toBeGreaterThan(before);
  const log = await readPages((after = '1') =>
    store.readLog({ orgId, threadId: 't', after: Number(after), limit: 10_000 }),
  );
  expect(log.flat().map(({ data }) => (data as unknown as FreeObject).n)).toEqual(
    Array.from({ length: written }, (_, n) => n),
  );
});
