/** The workers of the load generator, and the clients that give them work. */
import { performance } from 'node:perf_hooks';
import { Connection } from './connection.ts';
import type { ClaimCycleJob, SayJob, WorkJob } from './jobs.ts';
import { claimBatch, completeBatch, create, giveAnswer, say } from './request-bytes.ts';

/** Time until the claim is parked and the store is idle after the create. */
const parkMs = 20;
const waitMs = 1_000;
const batchIdOf = (body: string): string | undefined => /^{"data":\[{"id":"([^"]+)"/.exec(body)?.[1];

export async function sayAll({ port, clients, threadIds, count }: SayJob): Promise<void> {
  const requests = threadIds.map(say);
  let next = 0;
  const client = async () => {
    const connection = await Connection.open(port);
    while (next < count) await connection.ask(requests[next++ % requests.length] ?? say(''), 201);
    connection.close();
  };
  await Promise.all(Array.from({ length: clients }, client));
}

/** Claims and completes until the time is over or no batch is left. Returns the time of each. */
export async function work({ port, workers, durationMs }: WorkJob): Promise<number[]> {
  const times: number[] = [];
  const startedAt = performance.now();
  const worker = async (_none: unknown, index: number) => {
    const connection = await Connection.open(port);
    const workerId = `worker-${index}`;
    const claim = claimBatch(workerId, waitMs);
    for (let begunAt = startedAt; begunAt - startedAt < durationMs; ) {
      begunAt = performance.now();
      const id = batchIdOf(await connection.ask(claim, 200));
      if (id === undefined) break;
      await connection.ask(completeBatch(id, workerId), 200);
      times.push(performance.now() - begunAt);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return times;
}

/** Asks, parks a claim and answers, until the claim returns. Returns the times since the answer was sent and since its response. */
export async function claimCycle({ port, threadIds, durationMs }: ClaimCycleJob) {
  const [requester, worker] = await Promise.all([Connection.open(port), Connection.open(port)]);
  const times = { fromAnswerSent: [] as number[], afterAnswer: [] as number[] };
  const startedAt = performance.now();
  for (let n = 0; performance.now() - startedAt < durationMs; n++) {
    const created = await requester.ask(create(threadIds[n % threadIds.length] ?? ''), 201);
    const claimed = worker.ask(claimBatch('worker', 60_000), 200).then((body) => ({ body, at: performance.now() }));
    await new Promise((resolve) => setTimeout(resolve, parkMs));
    const sentAt = performance.now();
    await requester.ask(giveAnswer(created.slice(7, 43)), 200);
    const answeredAt = performance.now();
    const { body, at } = await claimed;
    await worker.ask(completeBatch(batchIdOf(body) ?? '', 'worker'), 200);
    times.fromAnswerSent.push(at - sentAt);
    times.afterAnswer.push(at - answeredAt);
  }
  requester.close();
  worker.close();
  return times;
}
