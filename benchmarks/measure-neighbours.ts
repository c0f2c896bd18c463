/**
 * Measures what one org costs another: the calls of a small org, in turn alone and next to another org that loads the
 * server. The small org has four clients in a closed loop. The other org has the callers that each disturbance names,
 * in a separate process.
 */
import { Connection } from '../packages/server/src/stores/postgres/connection.ts';
import { freePort } from '../packages/server/test/postgres/free-port.ts';
import type { BenchStore, Place } from './bench-store.ts';
import { type SpawnedWithResolver, spawnWithResolver } from './dead-resolver.ts';
import type { DisturbJob, Job, Latency, Result } from './jobs.ts';
import { type Load, startLoad } from './load.ts';
import { benchKey } from './request-bytes.ts';
import { percentile, type Row } from './rows.ts';
import { openSubject, type Spawned, type Subject } from './spawn-server.ts';

export interface Neighbours {
  operation: string;
  disturbance: string;
  stored: number;
  clients: number;
  alone: Latency & { count: number };
  beside: Latency & { count: number };
}

interface Sizes {
  stored: number;
  rounds: number;
  turns: number;
  maxMs: number;
}

interface Bench {
  load: Load;
  other: Load;
  sizes: Sizes;
  measured: Neighbours[];
  notes: string[];
}

const clients = 4;
const callers = 8;
const slowUploads = 100;
const deadWebhooks = 40;
/** Time until the whole disturbance is running. */
const settleMs = 1_000;
const say = (line: string) => process.stderr.write(`${line}\n`);

export async function measureNeighbours(store: BenchStore, load: Load, sizes: Sizes) {
  const other = startLoad();
  const bench: Bench = { load, other, sizes, measured: [], notes: [] };
  const subject = await openSubject(store, sizes.stored);
  await besideReads(bench, subject);
  await besideSlowUploads(bench, subject);
  if (subject.place.databaseUrl !== undefined) await besideLockedRow(bench, subject, subject.place.databaseUrl);
  await subject.close();
  await besideDeadWebhooks(bench, store);
  other.close();
  const { measured, notes } = bench;
  return { measured, notes };
}

export const neighbourRows = ({ operation, disturbance, stored, alone, beside, clients }: Neighbours): Row[] => [
  { operation: `${operation}, alone`, clients, stored, p50Ms: alone.p50, p99Ms: alone.p99 },
  { operation: `${operation} beside ${disturbance}`, clients, stored, p50Ms: beside.p50, p99Ms: beside.p99 },
];

async function besideReads(bench: Bench, { server, stored }: Subject): Promise<void> {
  const disturbance = `${callers} callers of the most expensive reads`;
  const turns = await newTurns(bench, server, 'turns-beside-reads');
  const how = { kind: 'reads', callers } as const;
  await inTurn(bench, {
    disturbance,
    stored,
    alone: turns,
    beside: turns,
    disturb: async () => disturbing(server, how),
  });
}

async function besideSlowUploads(bench: Bench, { server, stored, threadIds }: Subject): Promise<void> {
  const ask = { title: 'Send the report', fields: [{ name: 'report', type: 'file_upload' }] };
  const askFor = (key: string, threadId: string) =>
    post<{ id: string }>(server, `/v1/threads/${threadId}/interactions`, ask, key);
  const { id: interactionId } = await askFor(benchKey, threadIds[0] ?? '');
  const { key, threadId } = await newOrg(server, 'uploads-beside-uploads');
  const { turns: uploads, maxMs } = bench.sizes;
  const interactionIds: string[] = [];
  // At most forty uploads of one caller for a field may wait for an answer.
  for (let n = 0; n < 100; n++) interactionIds.push((await askFor(key, threadId)).id);
  const job: Job = { type: 'uploads', port: server.port, key, interactionIds, clients, uploads, maxMs };
  const how = { kind: 'uploads', callers: slowUploads, interactionId } as const;
  const disturbance = `${slowUploads} slow uploads of one key`;
  await inTurn(bench, { disturbance, stored, alone: job, beside: job, disturb: async () => disturbing(server, how) });
}

/**
 * The other org answers a question whose row another database session has locked. Each round locks another question.
 */
async function besideLockedRow(bench: Bench, { server, stored, pendingIds }: Subject, url: string): Promise<void> {
  // Drops our timeouts, as in a session of another program: nothing ends it while it is idle in its transaction.
  const session = new Connection({ url, isPatient: true, onOpen: (client) => client.query('RESET ALL') });
  const lock = async (): Promise<DisturbJob> => {
    const interactionId = pendingIds.pop() ?? '';
    await session.query({ text: 'BEGIN' });
    const lockRow = { text: 'SELECT id FROM interactions WHERE id = $1 FOR UPDATE', values: [interactionId] };
    if ((await session.query(lockRow)).length !== 1) throw new Error('there is no row to lock');
    return disturbing(server, { kind: 'answers', callers, interactionId });
  };
  const unlock = async () => void (await session.query({ text: 'ROLLBACK' }));
  const turns = await newTurns(bench, server, 'turns-beside-lock');
  const disturbance = `${callers} answers to a locked question`;
  await inTurn(bench, { disturbance, stored, alone: turns, beside: turns, disturb: lock, afterwards: unlock });
  await session.close();
}

/** Uses two servers, because lookups that hang would continue in the rounds of the small org alone. */
async function besideDeadWebhooks(bench: Bench, store: BenchStore): Promise<void> {
  const places = [await emptyPlace(store), await emptyPlace(store)] as const;
  const disturbance = `${deadWebhooks} webhooks whose name server does not answer`;
  let servers: SpawnedWithResolver[];
  try {
    servers = await Promise.all(places.map(spawnWithResolver));
  } catch (error) {
    bench.notes.push(`NOT MEASURED: delivery beside ${disturbance}, because no name server could be made: ${error}`);
    for (const place of places) await place.remove();
    return;
  }
  const [calm, dead] = servers as [SpawnedWithResolver, SpawnedWithResolver];
  const { id: threadId } = await post<{ id: string }>(dead, '/v1/threads', {});
  for (let n = 0; n < deadWebhooks; n++)
    await post(dead, '/v1/webhooks', { url: `http://dead-${n}.invalid/`, events: ['message.created'] });
  const cycle = async (server: Spawned): Promise<Job> => {
    const { key, threadId: own } = await newOrg(server, 'deliveries');
    const endpointPort = await freePort();
    const webhook = { url: `http://receiver.invalid:${endpointPort}/`, events: ['interaction.answered'] };
    await post(server, '/v1/webhooks', webhook, key);
    const durationMs = bench.sizes.maxMs / 2;
    return { type: 'webhook-cycle', port: server.port, key, endpointPort, clients, threadIds: [own], durationMs };
  };
  const [alone, beside] = [await cycle(calm), await cycle(dead)];
  dead.endAnswers('dead-');
  const disturb = async () => disturbing(dead, { kind: 'messages', everyMs: 500, threadId });
  await inTurn(bench, { disturbance, stored: 0, alone, beside, disturb });
  await Promise.all([calm.stop(), dead.stop()]);
  for (const place of places) await place.remove();
}

interface Rounds {
  disturbance: string;
  stored: number;
  alone: Job;
  beside: Job;
  disturb(): Promise<DisturbJob>;
  afterwards?(): Promise<void>;
}

/** Runs the rounds in turn and discards the first pair, which warms up the server. */
async function inTurn({ load, other, sizes, measured, notes }: Bench, rounds: Rounds): Promise<void> {
  const { disturbance, stored, alone, beside, disturb, afterwards } = rounds;
  const timed = { alone: {} as Result['samples'], beside: {} as Result['samples'] };
  const made: Record<string, number> = {};
  for (let round = 0; round <= sizes.rounds; round++) {
    say(`beside ${disturbance}, round ${round} of ${sizes.rounds}`);
    const calmly = await load.run(alone);
    await other.run(await disturb());
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    const disturbed = await load.run(beside);
    const { made: calls } = await other.run({ type: 'calm' });
    await afterwards?.();
    if (round === 0) continue;
    append(timed.alone, calmly.samples);
    append(timed.beside, disturbed.samples);
    for (const [what, count] of Object.entries(calls)) made[what] = (made[what] ?? 0) + count;
  }
  for (const operation of Object.keys(timed.alone).filter((name) => name !== 'afterAnswer'))
    measured.push({
      operation: operation === 'fromAnswerSent' ? 'delivery' : operation,
      ...{ disturbance, stored, clients },
      alone: latencyOf(timed.alone[operation]),
      beside: latencyOf(timed.beside[operation]),
    });
  const samples = measured.filter((each) => each.disturbance === disturbance);
  const counts = samples.map(
    ({ operation, alone, beside }) => `${operation} ${alone.count} alone, ${beside.count} beside`,
  );
  const others = Object.entries(made).map(([what, count]) => `${count} × ${what}`);
  notes.push(
    `Beside ${disturbance}: timed ${counts.join('; ')}. The other org made ${others.join(', ') || 'no call'}.`,
  );
}

function append(all: Result['samples'], more: Result['samples']): void {
  for (const [name, times] of Object.entries(more)) all[name] = [...(all[name] ?? []), ...times];
}

const latencyOf = (times: number[] = []) => ({
  p50: percentile(times, 0.5),
  p99: percentile(times, 0.99),
  count: times.length,
});

const disturbing = ({ port }: Spawned, how: DisturbJob['how']): DisturbJob => ({
  ...{ type: 'disturb', port, key: benchKey, how },
});

async function newTurns({ sizes: { turns, maxMs } }: Bench, server: Spawned, org: string): Promise<Job> {
  const { key, threadId } = await newOrg(server, org);
  return { type: 'turns', port: server.port, key, threadIds: [threadId], clients, turns, maxMs };
}

async function newOrg(server: Spawned, id: string): Promise<{ key: string; threadId: string }> {
  const { adminKey } = await post<{ adminKey: { secret: string } }>(server, '/v1/orgs', { id });
  const key = adminKey.secret;
  return { key, threadId: (await post<{ id: string }>(server, '/v1/threads', {}, key)).id };
}

async function emptyPlace(store: BenchStore): Promise<Place> {
  const place = await store.emptyPlace();
  return { ...place, flags: [...place.flags, '--allow-private-webhooks'] };
}

async function post<T>({ port }: Spawned, path: string, body: unknown, key = benchKey): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
