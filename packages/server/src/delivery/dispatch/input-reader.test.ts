import type { LogEvent } from '@holdpoint/protocol';
import { expect, onTestFinished, test } from 'vitest';
import type { Change, EventHead } from '../../stores/store.ts';
import { InputReader } from './input-reader.ts';

const cursorOf = (n: number) => String(n).padStart(16, '0');
const event = (n: number, role = 'user') =>
  ({
    cursor: cursorOf(n),
    threadId: 'one',
    seq: n,
    type: 'message.created',
    data: { message: { role } },
  }) as unknown as LogEvent;

/** A sign that there is something to read; what it is, the log says. */
const head: EventHead = { cursor: cursorOf(1), orgId: 'org', threadId: 'one', seq: 1, type: 'message.created' };

/** A log in memory, and what an input reader makes of it. */
function openLog(enqueue: (inputs: readonly LogEvent[]) => Promise<void> = async () => {}) {
  const log: LogEvent[] = [];
  const reader = { cursor: cursorOf(0), revision: 0, saves: 0, reads: 0 };
  const taken: number[] = [];
  const faults: unknown[] = [];
  const begin = () => {
    const inputReader = new InputReader({
      orgId: 'org',
      store: {
        getDocument: (async () => ({
          id: 'dispatch',
          revision: String(reader.revision),
          record: { cursor: reader.cursor },
        })) as never,
        commit: async ({ documents }: Change) => {
          const change = documents?.[0];
          if (change?.type !== 'reader' || change.expected !== String(reader.revision))
            return { ok: false, reason: 'conflict' };
          reader.cursor = change.record?.cursor ?? '';
          reader.revision++;
          reader.saves++;
          return { ok: true, events: [] };
        },
        readEvents: async ({ after, limit }) => {
          reader.reads++;
          const items = log.filter(({ cursor }) => cursor > after).slice(0, limit);
          const last = items.length === limit ? items.at(-1) : undefined;
          return { items, ...(last ? { next: last.cursor } : {}) };
        },
        headCursor: async () => log.at(-1)?.cursor ?? cursorOf(0),
      },
      enqueueInputs: async (_orgId, inputs) => {
        await enqueue(inputs);
        taken.push(...inputs.map(({ seq }) => seq));
      },
      onError: (error) => faults.push(error),
    });
    onTestFinished(() => inputReader.stop());
    return inputReader;
  };
  return { log, reader, taken, faults, begin };
}

test('[DI10] reads all earlier inputs, page after page, and all later ones, each once', async () => {
  const { log, reader, taken, begin } = openLog();
  log.push(...Array.from({ length: 450 }, (_, index) => event(index + 1)));
  const inputReader = begin();
  await expect.poll(() => reader.cursor).toBe(cursorOf(450));
  log.push(event(451));
  inputReader.notice([head]);
  await expect.poll(() => reader.cursor).toBe(cursorOf(451));
  expect(taken).toEqual(Array.from({ length: 451 }, (_, index) => index + 1));
});

test('[DI10] inputs that could not be saved are tried again before any later input', async () => {
  let isFirst = true;
  const { log, reader, taken, faults, begin } = openLog(async () => {
    const fails = isFirst;
    isFirst = false;
    if (fails) throw new Error('away');
  });
  log.push(event(1), event(2));
  begin();
  await expect.poll(() => reader.cursor).toBe(cursorOf(2));
  expect(taken).toEqual([1, 2]);
  expect(faults).toHaveLength(1);
});

test('[DI1] other events are skipped, and cost no write', async () => {
  const { log, reader, taken, begin } = openLog();
  log.push(event(1));
  const inputReader = begin();
  await expect.poll(() => reader.cursor).toBe(cursorOf(1));
  const { saves, reads } = reader;
  for (const n of [2, 3, 4]) {
    log.push(event(n, 'agent'));
    inputReader.notice([head]);
    await expect.poll(() => reader.reads).toBe(reads + n - 1);
  }
  expect(reader.saves).toBe(saves);
  // At its end it says how far it was, so that the next one need not read that again.
  await inputReader.stop();
  expect(reader.cursor).toBe(cursorOf(4));
  expect(taken).toEqual([1]);
});

test('[DI10] if another node has saved meanwhile, it continues from there', async () => {
  const { log, reader, taken, begin } = openLog(async (inputs) => {
    if (inputs[0]?.seq !== 1) return;
    reader.cursor = cursorOf(5);
    reader.revision++;
  });
  log.push(event(1));
  const inputReader = begin();
  await expect.poll(() => taken).toEqual([1]);
  log.push(...[2, 3, 4, 5, 6].map((n) => event(n)));
  inputReader.notice([head]);
  await expect.poll(() => reader.cursor).toBe(cursorOf(6));
  expect(taken).toEqual([1, 6]);
});
