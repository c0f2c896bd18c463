import { expect, test } from 'vitest';
import type { PendingWrite } from './batch-writer.ts';
import { BlockedWrites } from './blocked-writes.ts';
import { needsOf } from './change-locks.ts';
import { GroupCommit } from './group-commit.ts';

/** Nothing listens there, so every write fails at once. */
const url = 'postgres://postgres@127.0.0.1:1/none';
const base = 0n;
const ignore = () => {};

const writeOf = (id: string, reject: (error: unknown) => void): PendingWrite => ({
  change: { orgId: 'acme', takenSecrets: { interactionId: id } },
  since: performance.now(),
  resolve: ignore,
  reject,
});

test('[S20] readiness is reported however many writes wait', async () => {
  const writer = new GroupCommit({ url, base, onWritten: ignore });
  const writes = Array.from({ length: 200_000 }, () => writer.write({ orgId: 'acme' }));
  const settled = Promise.allSettled(writes);
  await expect(writer.check()).rejects.toMatchObject({ code: 'storage-unavailable' });
  const outcomes = await settled;
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  await writer.close();
});

test('[N10] the needs of blocked changes are gathered once, until a change leaves', async () => {
  const blocked = new BlockedWrites({ url, base, giveUpMs: 1_000, onWritten: ignore, onFailed: ignore });
  const failed = new Promise((_, reject) => blocked.add([writeOf('a', reject)]));
  const needed = blocked.needed();
  const { change, ...behind } = writeOf('b', ignore);
  blocked.addBehind({ change, ...behind }, ['more']);
  expect([...needed]).toEqual([...needsOf(writeOf('a', ignore).change), 'more']);
  expect(blocked.needed()).toBe(needed);
  await expect(failed).rejects.toMatchObject({ code: 'storage-unavailable' });
  await expect.poll(() => blocked.needed().size).toBe(0);
  await blocked.close();
});
