/** Measures the time that `ask` of the client adds to its calls: a create, and a wait that ends with the answer. */
import { performance } from 'node:perf_hooks';
import { Holdpoint } from '@holdpoint/client';
import type { Interaction } from '@holdpoint/protocol';
import type { BenchStore } from './bench-store.ts';
import { benchKey } from './request-bytes.ts';
import { median, percentile, type Row } from './rows.ts';
import { sampleAnswer, sampleQuestion } from './sample.ts';
import { spawnHoldpoint } from './spawn-server.ts';

const warmUpTurns = 100;

export interface ClientTimes {
  rows: Row[];
  /** Median, over all turns, of the client's time minus the time of the bare calls. */
  addedP50Ms: number;
}

/** Runs both ways in turn, in one process, against one server. A reader of the log answers at once. */
export async function measureClient(store: BenchStore, turns: number): Promise<ClientTimes> {
  const place = await store.emptyPlace();
  const server = await spawnHoldpoint(place);
  const url = `http://127.0.0.1:${server.port}`;
  const hp = new Holdpoint({ url, key: benchKey });
  const { id: threadId } = await hp.createThread({});
  const stop = new AbortController();
  const answering = answerAll(hp, stop.signal);

  const headers = { authorization: `Bearer ${benchKey}`, 'content-type': 'application/json' };
  async function bare(): Promise<void> {
    const body = JSON.stringify(sampleQuestion);
    const created = await fetch(`${url}/v1/threads/${threadId}/interactions`, { method: 'POST', headers, body });
    const { id } = (await created.json()) as Interaction;
    const waited = await fetch(`${url}/v1/interactions/${id}/wait?timeoutMs=25000`, { headers });
    if (((await waited.json()) as Interaction).status !== 'answered') throw new Error('nobody answered');
  }
  async function byClient(): Promise<void> {
    const { status } = await hp.ask(threadId, sampleQuestion);
    if (status !== 'answered') throw new Error('nobody answered');
  }

  const times: { bare: number; client: number }[] = [];
  for (let turn = 0; turn < warmUpTurns + turns; turn++) {
    // The first way has a colder machine, so the ways take turns at being first.
    const isBareFirst = turn % 2 === 0;
    const first = await timed(isBareFirst ? bare : byClient);
    const second = await timed(isBareFirst ? byClient : bare);
    const [bareMs, clientMs] = isBareFirst ? [first, second] : [second, first];
    if (turn >= warmUpTurns) times.push({ bare: bareMs, client: clientMs });
  }
  stop.abort();
  await answering;
  await server.stop();
  await place.remove();
  return {
    rows: [
      rowOf(
        'create and wait by fetch',
        times.map(({ bare }) => bare),
      ),
      rowOf(
        'ask of the client',
        times.map(({ client }) => client),
      ),
    ],
    addedP50Ms: median(times.map(({ bare, client }) => client - bare)),
  };
}

async function answerAll(hp: Holdpoint, signal: AbortSignal): Promise<void> {
  for await (const { interactionId } of hp.events({ types: ['interaction.created'], after: 'start', signal }))
    if (interactionId !== undefined) await hp.submitAnswer({ interactionId, ...sampleAnswer });
}

async function timed(call: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await call();
  return performance.now() - startedAt;
}

const rowOf = (operation: string, times: readonly number[]): Row => ({
  operation,
  clients: 1,
  stored: 0,
  p50Ms: percentile(times, 0.5),
  p99Ms: percentile(times, 0.99),
});
