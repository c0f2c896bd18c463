import { connect } from 'node:net';
import type { FreeObject, Interaction, LogEvent, Status } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { followEvents, listInteractions, readLog } from './read-everything.ts';
import { serversOfATest } from './servers-of-a-test.ts';
import type { SpawnedServer } from './spawned-server.ts';
import { adminKey } from './test-server.ts';

const servers = serversOfATest();
const { running, start } = servers;

async function killAtOnce(server: SpawnedServer): Promise<void> {
  running.delete(server);
  await server.kill('SIGKILL');
}

const threads = ['one', 'two', 'three', 'four'];
const callers = 24;
const rounds = 6;

interface Call {
  path: string;
  body: unknown;
  key: string;
}

/** A server that is killed and started again, and callers that repeat calls without an answer under the same key. */
class Battered {
  current: Promise<SpawnedServer> = start();
  acknowledged: (Call & { id: string })[] = [];
  interrupted = 0;
  #onAcknowledged: (() => void) | undefined;

  async call<T extends { id: string }>(call: Call): Promise<T> {
    while (true) {
      const server = this.current;
      try {
        const { admin } = await server;
        const { status, body } = await admin.post<T>(call.path, call.body, { 'idempotency-key': call.key });
        expect(status, JSON.stringify(body)).toBeOneOf([200, 201]);
        this.acknowledged.push({ ...call, id: body.id });
        this.#onAcknowledged?.();
        return body;
      } catch (error) {
        // A server that was not killed has no reason to close a connection.
        if (server === this.current) throw error;
        this.interrupted++;
      }
    }
  }

  /** Kills it after this number of acknowledged calls, with others under way, and starts it again. */
  async killAfter(calls: number): Promise<void> {
    const until = this.acknowledged.length + calls;
    await new Promise<void>((resolve) => {
      this.#onAcknowledged = () => {
        if (this.acknowledged.length >= until) resolve();
      };
    });
    const victim = await this.current;
    this.current = killAtOnce(victim).then(() => start());
    await this.current;
  }
}

/** The random calls of one caller. The result of each call is not random. */
async function workOnce(server: Battered, name: string, expected: Map<string, Status>): Promise<void> {
  const thread = threads[Math.floor(Math.random() * threads.length)];
  const asked = await server.call<Interaction>({
    path: `/v1/threads/${thread}/interactions`,
    body: { title: name, options: ['yes', 'no'], resolution: { mode: 'quorum', count: 2 } },
    key: `ask-${name}`,
  });
  expect(asked.title).toBe(name);
  const path = `/v1/interactions/${asked.id}`;
  const vote = (id: string) =>
    server.call<Interaction>({
      path: `${path}/answers`,
      body: { values: { choice: 'yes' }, responder: { type: 'human', id } },
      key: `${id}-${name}`,
    });
  const ending = Math.floor(Math.random() * 4);
  if (ending < 2) {
    const votes = await Promise.all([vote('ann'), vote('bob')]);
    expect(votes.map(({ status }) => status)).toContain('answered');
    expected.set(asked.id, 'answered');
  } else if (ending === 2) {
    await server.call({ path: `${path}/cancel`, body: { reason: name }, key: `cancel-${name}` });
    expected.set(asked.id, 'cancelled');
  } else {
    await server.call({ path: `/v1/threads/${thread}/messages`, body: { text: name }, key: `say-${name}` });
    expected.set(asked.id, 'pending');
  }
}

/** Reads the org's log through every crash, each time from the last event it saw, until the thread `end` is made. */
async function readThroughCrashes(server: Battered): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  while (true) {
    const followed = server.current;
    try {
      for await (const event of followEvents((await followed).admin, events.at(-1)?.cursor ?? 'start')) {
        if (event.threadId === 'end') return events;
        events.push(event);
      }
    } catch (error) {
      if (followed === server.current) throw error;
    }
  }
}

const closings: Partial<Record<LogEvent['type'], Status>> = {
  'interaction.answered': 'answered',
  'interaction.declined': 'answered',
  'interaction.cancelled': 'cancelled',
  'interaction.expired': 'expired',
};

/** Returns the state of every interaction by the log alone. */
function replay(log: readonly LogEvent[]): Map<string, { status: Status; version: number; votes: number }> {
  const states = new Map<string, { status: Status; version: number; votes: number }>();
  for (const { type, interactionId, data } of log) {
    if (interactionId === undefined) continue;
    const before = states.get(interactionId);
    if (type === 'interaction.created') {
      expect(before).toBeUndefined();
      states.set(interactionId, { status: 'pending', version: 1, votes: 0 });
      continue;
    }
    expect(before?.status).toBe('pending');
    expect((data as FreeObject).version).toBe((before?.version ?? 0) + 1);
    const isVote = type === 'interaction.voted' || type === 'interaction.answered';
    states.set(interactionId, {
      status: closings[type] ?? 'pending',
      version: Number((data as FreeObject).version),
      votes: (before?.votes ?? 0) + (isVote ? 1 : 0),
    });
  }
  return states;
}

test('[S1][S2][L2][L3][I1] kill -9 under load loses no acknowledged call and repeats none', async () => {
  const server = new Battered();
  for (const id of threads) await server.call({ path: '/v1/threads', body: { id }, key: `thread-${id}` });
  let isOver = false;
  const reading = readThroughCrashes(server);
  const expected = new Map<string, Status>();
  const working = Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let turn = 0; !isOver; turn++) await workOnce(server, `${caller}-${turn}`, expected);
    }),
  );
  const battering = (async () => {
    for (let round = 0; round < rounds; round++) await server.killAfter(10 + Math.floor(Math.random() * 300));
    isOver = true;
  })();
  await Promise.all([battering, working]);
  const { admin } = await server.current;
  expect(server.interrupted).toBeGreaterThan(0);

  const logs = await Promise.all(threads.map((id) => readLog(admin, id)));
  for (const log of logs) expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));

  const records = await listInteractions(admin);
  expect(new Map(records.map(({ id, status }) => [id, status]))).toEqual(expected);
  expect(new Set(records.map(({ title }) => title)).size).toBe(records.length);
  const states = replay(logs.flat());
  expect(states.size).toBe(records.length);
  for (const { id, status, version, votes } of records)
    expect(states.get(id)).toEqual({ status, version, votes: votes.length });

  const said = logs.flat().filter(({ type }) => type === 'message.created');
  const acknowledgedMessages = server.acknowledged.filter(({ path }) => path.endsWith('/messages'));
  expect(said.map(({ data }) => ('message' in data ? data.message.id : '')).sort()).toEqual(
    acknowledgedMessages.map(({ id }) => id).sort(),
  );

  const whole = logs.flat().sort((a, b) => (a.cursor < b.cursor ? -1 : 1));
  const fromStart: LogEvent[] = [];
  for await (const event of followEvents(admin, 'start')) if (fromStart.push(event) === whole.length) break;
  expect(fromStart).toEqual(whole);

  // Every call is repeated once more, gets its first result and changes nothing.
  const some = server.acknowledged.filter((_, index) => index % 7 === 0);
  await Promise.all(some.map(async (call) => expect((await server.call<{ id: string }>(call)).id).toBe(call.id)));
  expect(await listInteractions(admin)).toEqual(records);
  await admin.post('/v1/threads', { id: 'end' });
  expect(await reading).toEqual(whole);
});

/** Sends a call and kills the server at the first byte of the response. */
async function killAtFirstByte(server: SpawnedServer, path: string, body: unknown): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const content = JSON.stringify(body);
  const socket = connect(Number(port), hostname);
  const firstBytes = new Promise<string>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('data', (data) => {
      server.process.kill('SIGKILL');
      resolve(String(data));
    });
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${adminKey}\r\n` +
      `content-type: application/json\r\ncontent-length: ${content.length}\r\n\r\n${content}`,
  );
  const response = await firstBytes;
  socket.on('error', () => {});
  await killAtOnce(server);
  socket.destroy();
  return response;
}

test('[S1] a write whose response had begun is there after kill -9', async () => {
  let server = await start();
  await server.admin.post('/v1/threads', { id: 'one' });
  expect(await killAtFirstByte(server, '/v1/threads/one/interactions', { title: 'Deploy?' })).toMatch(/^HTTP\/1.1 201/);
  server = await start();
  const [asked, ...others] = await listInteractions(server.admin);
  expect(asked?.title).toBe('Deploy?');
  expect(others).toEqual([]);

  const path = `/v1/interactions/${asked?.id}/answers`;
  expect(await killAtFirstByte(server, path, { values: { text: 'yes' } })).toMatch(/^HTTP\/1.1 200/);
  server = await start();
  const { body } = await server.admin.get<Interaction>(`/v1/interactions/${asked?.id}`);
  expect(body).toMatchObject({ status: 'answered', version: 2, answer: { values: { text: 'yes' } } });
  const log = await readLog(server.admin, 'one');
  expect(log.map(({ type }) => type)).toEqual(['thread.created', 'interaction.created', 'interaction.answered']);
});
