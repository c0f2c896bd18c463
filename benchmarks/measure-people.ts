/** Compares calls of a person in a session with calls of a key, on a server with few people and on one with many. */
import { performance } from 'node:perf_hooks';
import type { InvitedPerson, SignInLink } from '@holdpoint/protocol';
import type { BenchStore } from './bench-store.ts';
import { Connection } from './connection.ts';
import { benchKey, requestsOf } from './request-bytes.ts';
import { percentile, type Row } from './rows.ts';
import { sampleAnswer } from './sample.ts';
import { spawnHoldpoint } from './spawn-server.ts';

export interface PeopleSettings {
  people: number;
  groups: number;
  rounds: number;
  /** Calls of each kind in one round. */
  calls: number;
}

export interface PeopleTimes {
  rows: Row[];
  /** Names of comparisons with their ratios of the p50: a session to a key, and many people to few. */
  ratios: { name: string; ratio: number; bound: number }[];
}

const clients = 16;
const groupsOfMember = 20;
const fewPeople = 1;
const mostSessionRatio = 1.1;
const mostGrowthRatio = 1.2;

type Operation = 'get' | 'answer' | 'list';
type Caller = 'key' | 'session';
const kinds: readonly (readonly [Operation, Caller])[] = [
  ['get', 'key'],
  ['get', 'session'],
  ['answer', 'key'],
  ['answer', 'session'],
  ['list', 'session'],
];
const nameOf = ([operation, caller]: readonly [Operation, Caller]): string => `${operation}, by ${caller}`;

export async function measurePeople(store: BenchStore, settings: PeopleSettings): Promise<PeopleTimes> {
  // The member is in as many groups on both servers, because a list looks for the questions of each.
  const few = await open(store, fewPeople, groupsOfMember);
  const many = await open(store, settings.people, settings.groups);
  const times = new Map<string, number[]>();
  // Both servers take turns, and so do the callers, so that a noisy machine affects all alike. The first round warms up.
  for (let round = 0; round <= settings.rounds; round++)
    for (const kind of kinds)
      for (const place of round % 2 === 0 ? [few, many] : [many, few]) {
        const name = `${nameOf(kind)} ${place.people}`;
        const measured = await place.run(kind, settings.calls);
        if (round > 0) times.set(name, [...(times.get(name) ?? []), ...measured]);
      }
  await Promise.all([few.close(), many.close()]);
  const p50 = (kind: readonly [Operation, Caller], people: number) =>
    percentile(times.get(`${nameOf(kind)} ${people}`) ?? [], 0.5);
  return {
    rows: kinds.flatMap((kind) =>
      [few.people, many.people].map((people): Row => {
        const all = times.get(`${nameOf(kind)} ${people}`) ?? [];
        return {
          operation: nameOf(kind),
          clients,
          stored: people,
          p50Ms: p50(kind, people),
          p99Ms: percentile(all, 0.99),
        };
      }),
    ),
    ratios: [
      ...(['get', 'answer'] as const).map((operation) => ({
        name: `${operation}: p50 of a session / of a key, ${many.people.toLocaleString('en')} people`,
        ratio: p50([operation, 'session'], many.people) / p50([operation, 'key'], many.people),
        bound: mostSessionRatio,
      })),
      ...kinds.map((kind) => ({
        name: `${nameOf(kind)}: p50 with ${many.people.toLocaleString('en')} people / with ${fewPeople}`,
        ratio: p50(kind, many.people) / p50(kind, few.people),
        bound: mostGrowthRatio,
      })),
    ],
  };
}

async function open(store: BenchStore, people: number, groups: number) {
  const place = await store.emptyPlace();
  const server = await spawnHoldpoint(place, ['--responder-rate-limit', '0', '--no-demo']);
  const url = `http://127.0.0.1:${server.port}`;
  const call = async <T>(path: string, body: object): Promise<T> => {
    const headers = { authorization: `Bearer ${benchKey}`, 'content-type': 'application/json' };
    const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${path} → ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as T;
  };
  await signIn(url, (await call<SignInLink>('/v1/sign-in-links', {})).url, 'Ada');
  for (let n = 0; n < groups; n++) await call('/v1/groups', { id: `group-${n}` });
  const own = Array.from({ length: groupsOfMember }, (_, n) => `group-${n}`);
  const member = await call<InvitedPerson>('/v1/people', { name: 'Ben', groups: own });
  const cookie = await signIn(url, member.invitation?.url ?? '');
  await fill(people - fewPeople, (n) => call('/v1/people', personOf(n, groups)));
  const { id: threadId } = await call<{ id: string }>('/v1/threads', {});
  const connections = await Promise.all(Array.from({ length: clients }, () => Connection.open(server.port)));
  const { create, get, giveAnswer } = requestsOf(benchKey);
  const asSession = requestsOfSession(cookie);
  const ids: string[] = [];

  /** Runs calls in a closed loop on every connection, and returns their times. */
  async function inLoop(count: number, request: (n: number) => Buffer, onBody = (_body: string) => {}) {
    const samples: number[] = [];
    let begun = 0;
    await Promise.all(
      connections.map(async (connection) => {
        while (begun < count) {
          const sent = request(begun++);
          const startedAt = performance.now();
          const { status, body } = await connection.call(sent);
          samples.push(performance.now() - startedAt);
          if (status >= 300) throw new Error(`${status} ${body}`);
          onBody(body);
        }
      }),
    );
    return samples;
  }

  return {
    people,
    async run([operation, caller]: readonly [Operation, Caller], count: number): Promise<number[]> {
      const fresh: string[] = [];
      if (operation !== 'get' || ids.length === 0)
        await inLoop(
          count,
          () => create(threadId),
          (body) => fresh.push(body.slice(7, 43)),
        );
      ids.push(...fresh);
      const id = (n: number, all: readonly string[]) => all[n % all.length] ?? '';
      if (operation === 'list') return inLoop(count / 10, asSession.list);
      if (operation === 'get')
        return inLoop(count, (n) => (caller === 'key' ? get(id(n, ids)) : asSession.get(id(n, ids))));
      return inLoop(count, (n) => (caller === 'key' ? giveAnswer(id(n, fresh)) : asSession.giveAnswer(id(n, fresh))));
    },
    async close(): Promise<void> {
      for (const connection of connections) connection.close();
      await server.stop();
      await place.remove();
    },
  };
}

const personOf = (n: number, groups: number) => ({
  name: `Person ${n}`,
  email: `person-${n}@example.com`,
  groups: [`group-${n % groups}`, `group-${(n * 7 + 1) % groups}`].filter((id, at, all) => all.indexOf(id) === at),
});

/** Runs the calls, some at a time. */
async function fill(count: number, once: (n: number) => Promise<unknown>): Promise<void> {
  let begun = 0;
  const runClient = async () => {
    while (begun < count) await once(begun++);
  };
  await Promise.all(Array.from({ length: clients * 2 }, runClient));
}

async function signIn(url: string, link: string, name?: string): Promise<string> {
  const reply = await fetch(`${url}/console/session`, {
    method: 'POST',
    headers: { 'x-holdpoint-console': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ link: link.slice(link.lastIndexOf('/') + 1), ...(name ? { name } : {}) }),
  });
  if (!reply.ok) throw new Error(`signing in → ${reply.status} ${await reply.text()}`);
  return reply.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** The requests of a person, as the console sends them. */
function requestsOfSession(cookie: string) {
  const head = `host: 127.0.0.1\r\nx-holdpoint-console: 1\r\ncookie: ${cookie}\r\n`;
  const answer = JSON.stringify(sampleAnswer);
  return {
    get: (id: string): Buffer => Buffer.from(`GET /v1/interactions/${id} HTTP/1.1\r\n${head}\r\n`),
    list: (): Buffer => Buffer.from(`GET /v1/interactions?status=pending&limit=20 HTTP/1.1\r\n${head}\r\n`),
    giveAnswer: (id: string): Buffer =>
      Buffer.from(
        `POST /v1/interactions/${id}/answers HTTP/1.1\r\n${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(answer)}\r\n\r\n${answer}`,
      ),
  };
}
