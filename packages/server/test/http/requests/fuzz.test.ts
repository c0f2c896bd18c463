/** Thousands of requests that are wrong, or nearly right, at every route of the table. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { type ErrorCode, errorTable, limits } from '@holdpoint/protocol';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { retryPolicy } from '../../../src/domain/webhooks/retry.ts';
import { documentedRoutes } from '../../../src/http/docs/reference.ts';
import type { DocumentedCall } from '../../../src/http/openapi/openapi.ts';
import { startSpecServer } from '../openapi/spec-server.ts';
import { makeThings, type Things, validBodies } from './every-route.ts';
import { hostileValue, junkQuery, junkText, nearMiss, ofShape, pathPart } from './hostile-input.ts';

const server = await startSpecServer({
  responderRateLimit: 1_000_000,
  // A webhook that was made by chance is attempted once, and then leaves the store alone.
  internals: { webhookRetry: { ...retryPolicy, firstMs: 3_600_000 } },
});
const { admin } = server;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const things = await makeThings(admin);
/** Closed, so that a wait for it ends at once. */
const closed = await admin.ask({}, things.threadId);
await admin.answer(closed.id);
/** Nothing is said in it, so that a turn is settled at once, whatever agent the other thread is given. */
const silent = await admin.newThread();
/** Asks for a value of every type, and for one that nobody can give, so that it is never closed by an answer. */
const open = await admin.ask(
  {
    options: undefined,
    responder: { type: 'human' },
    fields: [
      { name: 'never', type: 'text', label: 'Never', required: true, pattern: '^a$', minLength: 2 },
      { name: 'env', type: 'select', label: 'Where', options: ['staging', 'production'] },
      { name: 'many', type: 'multi_select', label: 'Many', options: ['a', 'b', 'c'], maxSelections: 2 },
      { name: 'long', type: 'textarea', label: 'Long' },
      { name: 'mail', type: 'email', label: 'Mail' },
      { name: 'link', type: 'url', label: 'Link' },
      { name: 'phone', type: 'tel', label: 'Phone' },
      { name: 'n', type: 'number', label: 'N', min: 1, max: 5 },
      { name: 'ok', type: 'checkbox', label: 'Ok' },
      {
        name: 'day',
        type: 'date',
        label: 'Day',
        visibleIf: { all_of: [{ field: 'env', op: 'equals', value: 'production' }] },
      },
      { name: 'hour', type: 'time', label: 'Hour' },
      { name: 'at', type: 'datetime', label: 'At' },
      { name: 'stars', type: 'rating', label: 'Stars' },
      { name: 'file', type: 'file_upload', label: 'File' },
      { name: 'image', type: 'image_upload', label: 'Image' },
      { name: 'sign', type: 'signature', label: 'Sign' },
      { name: 'secret', type: 'password', label: 'Secret' },
    ],
  },
  things.threadId,
);
const tokens = [
  admin.token,
  admin.token,
  (await admin.withKey()).token,
  (await admin.withToken({ threadId: things.threadId })).token,
  (await admin.withToken({ interactionId: things.interactionId })).token,
];
const watcher = await server.place.watch();

afterAll(async () => {
  agent.destroy();
  await watcher[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const perRoute = 400;

/**
 * What the server does by itself, such as taking in the inputs that others made or keeping its claims, may fall into the
 * same moment; it does not do so every time.
 */
async function hasChanged(before: number, method: string, shot: Shot): Promise<boolean> {
  if ((await watcher.changes()) === before) return false;
  for (let tries = 0; tries < 5; tries++) {
    await expect.poll(isCalm).toBe(true);
    const calm = await watcher.changes();
    await send(method, shot);
    if ((await watcher.changes()) === calm) return false;
  }
  return true;
}

async function isCalm(): Promise<boolean> {
  const before = await watcher.changes();
  await new Promise((resolve) => setTimeout(resolve, 20));
  return (await watcher.changes()) === before;
}

interface Shot {
  token: string | undefined;
  path: string;
  text: string | undefined;
  headers: Record<string, string>;
}

test.each(documentedRoutes)('[H2] $method $path stands whatever it is sent', async (route) => {
  const met = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(shotAt(route), async (shot) => {
      const before = await watcher.changes();
      const { status, headers, text } = await send(route.method, shot);
      met.set(status, (met.get(status) ?? 0) + 1);
      expect(status, text).toBeLessThan(500);
      expect(headers['x-request-id']).toBeTruthy();
      if (status < 400) return;
      expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
      const problem = JSON.parse(text) as { code: ErrorCode; status: number; detail: string };
      expect(problem.status).toBe(status);
      expect(errorTable[problem.code].status).toBe(status);
      expect(problem.detail).toBeTruthy();
      expect(await hasChanged(before, route.method, shot), 'a refused input has changed something').toBe(false);
    }),
    { numRuns: perRoute, examples: edges(route).map((shot) => [shot]) },
  );
  // Junk alone would prove little: some of it has to get past the first checks.
  expect([...met.keys()].some((status) => status >= 400)).toBe(true);
  expect(met.size).toBeGreaterThan(1);
});

test('[H2] the server goes on as if nothing had been', async () => {
  const { id } = await admin.ask();
  expect(await admin.answer(id)).toMatchObject({ status: 200, body: { status: 'answered' } });
  expect((await admin.get('/readyz')).status).toBe(200);
  expect(await server.place.isIntact()).toBe(true);
});

test('[H2] what is refused with every kind of hostile value in every place of a question changes nothing', async () => {
  const path = `/v1/threads/${things.threadId}/interactions`;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...questions), hostileValue, hostileValue, async (question, one, two) => {
      const names = Object.keys(question);
      for (const name of names) {
        const before = await watcher.changes();
        const shot = {
          token: admin.token,
          path,
          text: JSON.stringify({ ...question, [name]: one, metadata: two }),
          headers: {},
        };
        const { status, text } = await send('POST', shot);
        expect(status, text).toBeLessThan(500);
        if (status >= 400) expect(await hasChanged(before, 'POST', shot)).toBe(false);
      }
    }),
    { numRuns: 60 },
  );
});

/** Whole questions of each kind, so that near misses reach the deeper rules. */
const questions: Record<string, unknown>[] = [
  {
    title: 'Deploy?',
    options: ['yes', { value: 'no', label: 'No', variant: 'danger' }],
    recommendations: { choice: 'yes' },
  },
  { title: 'Pick', kind: 'choice', options: ['a', 'b', 'c'], minSelections: 1, maxSelections: 2 },
  { title: 'Name?', body: '**You**', submitLabel: 'Go', run: { id: 'r' }, origin: { type: 'tool', reference: 'x' } },
  {
    title: 'Form',
    fields: [
      { name: 'env', type: 'select', label: 'Where', options: ['staging', 'production'], required: true },
      {
        name: 'when',
        type: 'date',
        label: 'When',
        visibleIf: { all_of: [{ field: 'env', op: 'equals', value: 'production' }] },
      },
      { name: 'code', type: 'text', label: 'Code', pattern: '^[a-z]+$', minLength: 1, maxLength: 9 },
      { name: 'n', type: 'number', label: 'N', min: 1, max: 5 },
      { name: 'file', type: 'file_upload', label: 'File', accept: ['.pdf'] },
      { name: 'stars', type: 'rating', label: 'Stars' },
      { name: 'secret', type: 'password', label: 'Secret' },
    ],
    deadline: { at: '2099-01-31T12:00:00Z', outcome: 'decline' },
  },
  {
    title: 'Data',
    payloadSchema: { type: 'object', required: ['n'], properties: { n: { type: 'integer', minimum: 1 } } },
  },
  {
    title: 'Run it?',
    kind: 'approval',
    options: [
      { value: 'y', label: 'Y', kind: 'allow_always' },
      { value: 'n', label: 'N', kind: 'reject_once' },
    ],
    fields: [{ name: 'path', type: 'text', label: 'Path' }],
    arguments: { path: '/tmp' },
    grant: { key: 'k2', scope: 'run', forMs: 1_000 },
    run: { id: 'run-1', attemptId: 'a', toolCallId: 't' },
    resolution: { mode: 'quorum', count: 2 },
    responder: { type: 'human', assignees: ['ada', 'bob'] },
  },
];

/** Answers to the open question, some right and some not. */
const answers: fc.Arbitrary<Record<string, unknown>> = fc
  .dictionary(fc.constantFrom(...open.fields.flatMap((field) => ('name' in field ? [field.name] : []))), hostileValue)
  .map((values) => ({
    values: { env: 'production', many: ['a'], n: 2, day: '2030-01-31', file: [{ id: 'f', name: 'f.pdf' }], ...values },
  }));

const keyOf = ({ method, path }: DocumentedCall) => `${method} ${path}`;

function shotAt(route: DocumentedCall): fc.Arbitrary<Shot> {
  return fc.record({
    token: fc.constantFrom(...tokens),
    path: fc.tuple(pathOf(route), queryOf(route)).map(([path, query]) => (query ? `${path}?${query}` : path)),
    text: bodyOf(route),
    headers: headersOf(route),
  });
}

function pathOf(route: DocumentedCall): fc.Arbitrary<string> {
  const named: Things = { ...things, ...(route.path.endsWith('/wait') ? { interactionId: closed.id } : {}) };
  if (route.path.endsWith('/answers')) named.interactionId = open.id;
  if (route.path.endsWith('/turn')) named.threadId = silent.id;
  const right = route.path.replaceAll(/:(\w+)/g, (_, name: keyof Things) => named[name]);
  if (right === route.path) return fc.constant(right);
  const wrong = pathPart.map((part) => route.path.replaceAll(/:\w+/g, () => part));
  return fc.oneof({ weight: 4, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: wrong });
}

function queryOf({ method }: DocumentedCall): fc.Arbitrary<string> {
  const [none, junk] = method === 'GET' ? [1, 3] : [12, 1];
  return fc.oneof({ weight: none, arbitrary: fc.constant('') }, { weight: junk, arbitrary: junkQuery });
}

function bodyOf(route: DocumentedCall): fc.Arbitrary<string | undefined> {
  if (route.method === 'GET') return fc.constant(undefined);
  const example = fc.constant(validBodies[keyOf(route)]?.(things) ?? {});
  const whole = { '/interactions': fc.constantFrom(...questions), '/answers': answers }[
    /\/\w+$/.exec(route.path)?.[0] ?? ''
  ];
  const shaped = route.body ? [ofShape(route.body).map((value) => withoutWait(route, value))] : [];
  const valid = fc.oneof(example, ...(whole ? [whole, whole] : []), ...shaped);
  return fc.oneof(
    { weight: 6, arbitrary: nearMiss(valid).map((value) => JSON.stringify(withoutWait(route, value))) },
    { weight: 2, arbitrary: valid.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: hostileValue.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: junkText },
  );
}

/** A claim that nothing is wrong with would wait. */
function withoutWait({ path }: DocumentedCall, body: unknown): unknown {
  if (path !== '/v1/dispatch/claim' || typeof body !== 'object' || body === null) return body;
  const { waitMs } = body as { waitMs?: unknown };
  const waits = waitMs === undefined || (typeof waitMs === 'number' && waitMs >= 0 && waitMs <= limits.waitMs);
  return waits && !Array.isArray(body) ? { ...body, waitMs: 0 } : body;
}

function headersOf(route: DocumentedCall): fc.Arbitrary<Record<string, string>> {
  const latin = fc.string({
    unit: fc.integer({ min: 0x20, max: 0xfe }).map((code) => String.fromCharCode(code === 0x7f ? 0xff : code)),
    maxLength: 20,
  });
  const key = fc.oneof(fc.constantFrom('a', 'x'.repeat(255), 'x'.repeat(256), ''), latin, fc.uuid());
  const type = fc.oneof(
    { weight: 12, arbitrary: fc.constant('application/json') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('text/plain', 'application/json; charset=x', 'application/jsonx', ';', 'a/b', ''),
    },
  );
  const optional = {
    'idempotency-key': fc.oneof(fc.uuid(), key),
    'x-request-id': fc.oneof(latin, fc.constant('x'.repeat(500))),
    ...(route.path === '/v1/events'
      ? { 'last-event-id': fc.oneof(latin, fc.constantFrom('start', '0000000000000001')) }
      : {}),
    accept: fc.constantFrom('text/html', '*/*', 'nonsense'),
    'content-encoding': fc.constantFrom('gzip', 'identity'),
    'accept-version': fc.constantFrom('1.x', '*'),
  };
  return fc.record({ 'content-type': type, ...optional }, { requiredKeys: ['content-type'] });
}

/** Always tried, whatever the dice say. */
function edges(route: DocumentedCall): Shot[] {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: keyof Things) =>
    name === 'interactionId' ? closed.id : things[name],
  );
  const shot = { token: admin.token, headers: { 'content-type': 'application/json' } };
  const texts = ['{"__proto__":{}}', `{"a":${'['.repeat(50_000)}`, '"\\ud800"', `{"${'k'.repeat(100_000)}":1}`, ''];
  if (route.method === 'GET') return [{ ...shot, path: `${path}?__proto__=1`, text: undefined }];
  return texts.map((text) => ({ ...shot, path, text }));
}

/** Over one connection, with whatever path and headers Node lets through. */
function send(
  method: string,
  { token, path, text, headers }: Shot,
): Promise<{ status: number; headers: IncomingMessage['headers']; text: string }> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        hostname,
        port,
        method,
        path,
        headers: {
          ...headers,
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(text === undefined ? {} : { 'content-length': Buffer.byteLength(text) }),
        },
      },
      (response) => {
        const done = (body: string) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: body });
        if (response.headers['content-type']?.startsWith('text/event-stream')) {
          outgoing.destroy();
          done('');
          return;
        }
        let body = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () => done(body)).on('error', reject);
      },
    );
    outgoing.on('error', (error) => {
      if (!outgoing.destroyed) reject(error);
    });
    outgoing.end(text);
  });
}
