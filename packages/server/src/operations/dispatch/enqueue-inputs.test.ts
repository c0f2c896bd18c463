// cspell:ignore lane
import type { LogEvent, Run } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { runOf } from '../../stores/contract/records.fixture.ts';
import type { Change, Store } from '../../stores/store.ts';
import { enqueueInputs } from './enqueue-inputs.ts';

const at = '2030-01-01T00:00:00.000Z';
const event = (type: LogEvent['type']) =>
  ({ cursor: 'c', threadId: 't', seq: 9, type, at, actor: { type: 'human', id: 'ada' }, data: {} }) as LogEvent;

/** Enqueues an event of a thread that has lost its agent, and has this last run. */
async function taken(type: LogEvent['type'], last: Run): Promise<Change[]> {
  const changes: Change[] = [];
  const store = {
    getDocument: async () => undefined,
    getThread: async () => ({ id: 't' }),
    listRuns: async () => ({ items: [last] }),
    async commit(change: Change) {
      changes.push(change);
      return { ok: true, events: [] };
    },
  } as unknown as Store;
  await enqueueInputs({ store, clock: { now: () => Date.parse(at) }, newId: () => 'n' }, 'o', [event(type)]);
  return changes;
}

test('[RU6] inputs for a run that began just when its thread lost the agent go to that run', async () => {
  for (const type of ['interaction.answered', 'run.woken'] as const)
    expect(await taken(type, runOf('r', 't', { status: 'waiting' }))).toMatchObject([
      { documents: [{ record: { agent: 'helper' } }], timers: [{ kind: 'lane helper' }] },
    ]);
});

test('[RU6] once the run has ended, no agent gets them', async () => {
  const over = runOf('r', 't', { status: 'completed' });
  expect(await taken('interaction.answered', over)).toMatchObject([{ timers: [{ kind: 'lane' }] }]);
  expect(await taken('run.woken', over)).toEqual([]);
});
