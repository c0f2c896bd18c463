/** Callers of one org that load a server as much as they can, whatever it responds, until the job ends. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import type { DisturbJob } from './jobs.ts';
import { sampleAnswer } from './sample.ts';

/** The most expensive reads. Each caller repeats one of them, so that all of them run all the time. */
const reads = [
  '/v1/events?after=start',
  '/v1/events?after=start&types=grant.revoked',
  '/v1/interactions?kind=choice&limit=1',
  '/spec/v1/interactions?kind=form',
  '/v1/interactions/count?kind=choice',
  '/v1/overview',
];
/** A stream that is silent for this long has reached the end of the stored events. Its caller then starts it again. */
const silenceMs = 1_000;
/** Time between two pieces of a slow upload, and the pause before an upload that ended starts again. */
const pieceMs = 250;
const announcedBytes = 50_000_000;

let stopping: AbortController | undefined;
let callers: Promise<void>[] = [];
let made: Record<string, number> = {};

export function disturb({ port, key, how }: DisturbJob): void {
  if (stopping) throw new Error('there is a disturbance already');
  stopping = new AbortController();
  const { signal } = stopping;
  made = {};
  const agent = new Agent({ keepAlive: true });
  const call = (path: string, what = path, body?: string) => callOnce({ port, key, agent, signal, path, what, body });
  const repeat = async (once: () => Promise<void>) => {
    while (!signal.aborted) await once();
  };
  const each = (count: number, once: (n: number) => Promise<void>) =>
    Array.from({ length: count }, (_none, n) => repeat(() => once(n)));
  const answer = JSON.stringify(sampleAnswer);
  switch (how.kind) {
    case 'reads':
      callers = each(how.callers, (n) => call(reads[n % reads.length] ?? ''));
      return;
    case 'answers':
      callers = each(how.callers, () => call(`/v1/interactions/${how.interactionId}/answers`, 'answer', answer));
      return;
    case 'uploads':
      callers = each(how.callers, () => uploadSlowly({ port, key, signal, interactionId: how.interactionId }));
      return;
    case 'messages':
      callers = each(1, async () => {
        await call(`/v1/threads/${how.threadId}/messages`, 'message', '{"text":"Hello"}');
        await pause(how.everyMs, signal);
      });
  }
}

export async function calm(): Promise<Record<string, number>> {
  stopping?.abort();
  await Promise.all(callers);
  stopping = undefined;
  return made;
}

const count = (what: string): void => {
  made[what] = (made[what] ?? 0) + 1;
};

interface Call {
  port: number;
  key: string;
  agent: Agent;
  signal: AbortSignal;
  path: string;
  /** Name under which the call is counted. */
  what: string;
  body?: string | undefined;
}

/** Resolves when the response has ended, or the call was rejected, lost or aborted. */
function callOnce({ port, key, agent, signal, path, what, body }: Call): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const method = body === undefined ? 'GET' : 'POST';
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const sent = request(
    { host: '127.0.0.1', port, agent, signal, path, method, headers },
    (response: IncomingMessage) => {
      count(`${what} ${response.statusCode}`);
      const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
      const silence = isStream ? setTimeout(() => sent.destroy(), silenceMs) : undefined;
      response.on('data', () => silence?.refresh());
      response.on('error', () => {});
      response.on('close', () => {
        clearTimeout(silence);
        resolve();
      });
    },
  );
  sent.on('error', () => setImmediate(resolve));
  sent.end(body);
  return promise;
}

/** Sends one upload slowly, until the server responds or the signal aborts it. */
async function uploadSlowly({
  port,
  key,
  signal,
  interactionId,
}: Omit<Call, 'agent' | 'path' | 'what'> & { interactionId: string }) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect({ port, host: '127.0.0.1' });
  const head = [
    `POST /v1/interactions/${interactionId}/uploads?field=report HTTP/1.1`,
    ...['host: 127.0.0.1', `authorization: Bearer ${key}`, 'content-type: text/plain'],
    `content-length: ${announcedBytes}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const pieces = setInterval(() => socket.write('a line of text\n'), pieceMs);
  const stop = () => socket.destroy();
  signal.addEventListener('abort', stop);
  socket.on('data', (data) => {
    count(`upload ${data.toString('latin1', 9, 12)}`);
    stop();
  });
  socket.on('error', () => {});
  socket.on('close', () => resolve());
  await promise;
  clearInterval(pieces);
  signal.removeEventListener('abort', stop);
  await pause(pieceMs, signal);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
