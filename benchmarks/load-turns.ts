/** The timed calls of one org, alone and during a disturbance. */
import { performance } from 'node:perf_hooks';
import { Connection } from './connection.ts';
import type { TurnsJob, UploadsJob } from './jobs.ts';
import { requestsOf } from './request-bytes.ts';

interface Loop {
  clients: number;
  count: number;
  maxMs: number;
}

/** Every client runs `once` in a closed loop. */
async function inLoops({ clients, count, maxMs }: Loop, once: (n: number) => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  let begun = 0;
  const runClient = async () => {
    while (begun < count && performance.now() - startedAt < maxMs) await once(begun++);
  };
  await Promise.all(Array.from({ length: clients }, runClient));
}

export async function timeTurns({ port, key, threadIds, clients, turns, maxMs }: TurnsJob) {
  const { create, giveAnswer, wait } = requestsOf(key);
  const samples: Record<'create' | 'answer' | 'wait', number[]> = { create: [], answer: [], wait: [] };
  const free = await Promise.all(Array.from({ length: clients * 2 }, () => Connection.open(port)));
  await inLoops({ clients, count: turns, maxMs }, async (n) => {
    const [requester, waiter] = free.splice(0, 2) as [Connection, Connection];
    const askedAt = performance.now();
    const { status, body } = await requester.call(create(threadIds[n % threadIds.length] ?? ''));
    samples.create.push(performance.now() - askedAt);
    if (status === 201) {
      const id = body.slice(7, 43);
      const returned = waiter.call(wait(id)).then(() => performance.now());
      const sentAt = performance.now();
      const answered = await requester.call(giveAnswer(id));
      samples.answer.push(performance.now() - sentAt);
      if (answered.status === 200) samples.wait.push((await returned) - sentAt);
      else await returned;
    }
    free.push(requester, waiter);
  });
  for (const connection of free) connection.close();
  return samples;
}

const fileBytes = 64 * 1024;
/** Pause of a caller that ignores Retry-After. */
const againMs = 50;

export async function timeUploads({ port, key, interactionIds, clients, uploads, maxMs }: UploadsJob) {
  const samples = { upload: [] as number[] };
  const file = Buffer.alloc(fileBytes, 'a line of text\n');
  const startedAt = performance.now();
  await inLoops({ clients, count: uploads, maxMs }, async (n) => {
    const head = [
      `POST /v1/interactions/${interactionIds[n % interactionIds.length]}/uploads?field=report HTTP/1.1`,
      ...['host: 127.0.0.1', `authorization: Bearer ${key}`, 'content-type: text/plain'],
      `content-length: ${fileBytes}`,
    ];
    const request = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), file]);
    const begunAt = performance.now();
    while ((await uploadOnce(port, request)) !== 201 && performance.now() - startedAt < maxMs)
      await new Promise((resolve) => setTimeout(resolve, againMs));
    samples.upload.push(performance.now() - begunAt);
  });
  return samples;
}

/** Opens a connection for each upload, because a rejection closes it. */
async function uploadOnce(port: number, request: Buffer): Promise<number> {
  const connection = await Connection.open(port);
  const { status } = await connection.call(request);
  connection.close();
  return status;
}
