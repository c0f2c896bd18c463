import { expect, onTestFinished, test, vi } from 'vitest';
import { fairReads } from './fair-reads.ts';
import { type Row, readerOf } from './select.ts';

/** Readers whose queries end when the test says so. */
function slowReaders(count: number) {
  const begun: { sql: string; end(rows?: Row[]): void; fail(error: Error): void }[] = [];
  const select = (sql: string) =>
    new Promise<Row[]>((resolve, reject) => begun.push({ sql, end: (rows = []) => resolve(rows), fail: reject }));
  return { begun, readsOf: fairReads(Array(count).fill(readerOf(select))) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('[L21] while one org waits for a hundred reads, another waits for one of them', async () => {
  const { begun, readsOf } = slowReaders(1);
  for (let n = 1; n <= 100; n++) void readsOf('loud').one(`loud ${n}`);
  void readsOf('quiet').one('quiet 1');
  const read: (string | undefined)[] = [];
  for (let n = 0; n < 4; n++) {
    expect(begun).toHaveLength(1);
    const query = begun.shift();
    read.push(query?.sql);
    query?.end();
    await turn();
  }
  // The first began before the others arrived.
  expect(read).toEqual(['loud 1', 'loud 2', 'quiet 1', 'loud 3']);
});

test('[L21] as many run at once as there are readers, and each caller gets its own rows or its own error', async () => {
  const { begun, readsOf } = slowReaders(2);
  const first = readsOf('a').one('one', 'value');
  const second = readsOf('a').one('two');
  const third = readsOf('b').one('three');
  expect(begun.map(({ sql }) => sql)).toEqual(['one', 'two']);
  begun[1]?.fail(new Error('broken'));
  await expect(second).rejects.toThrow('broken');
  await turn();
  expect(begun.map(({ sql }) => sql)).toEqual(['one', 'two', 'three']);
  begun[2]?.end([{ key: 3 }]);
  begun[0]?.end([{ key: 1 }]);
  expect(await third).toEqual([{ key: 3 }]);
  expect(await first).toEqual([{ key: 1 }]);
});

test('[L21] an org that reads all the time rests between its steps, and another org does not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const reader = async () => {
    vi.advanceTimersByTime(4);
    return [];
  };
  const readsOf = fairReads([reader]);
  let steps = 0;
  const readOn = async () => {
    for (;;) {
      await readsOf('busy').one('');
      steps++;
    }
  };
  for (let caller = 0; caller < 8; caller++) void readOn();
  await turn();
  const afterBurst = steps;
  expect(vi.getTimerCount()).toBe(1);
  await turn();
  expect(steps).toBe(afterBurst);
  await readsOf('calm').one('');
  expect(steps).toBe(afterBurst);
  // Each step of 4 ms is followed by 12 ms of rest.
  for (let ms = 0; ms < 1_000; ms++) {
    vi.advanceTimersByTime(1);
    await turn();
  }
  expect(steps - afterBurst).toBeGreaterThan(80);
  expect(steps - afterBurst).toBeLessThan(90);
});
