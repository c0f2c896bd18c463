import { checkPayloadSchema, errorTable, verbTable } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { examples } from '../../../src/http/docs/examples.ts';
import { documentedRoutes } from '../../../src/http/docs/reference.ts';
import { everyCall, makeThings } from '../requests/every-route.ts';
import { startSpecServer } from './spec-server.ts';

const server = await startSpecServer();
afterAll(() => server[Symbol.asyncDispose]());
const { spec } = server.admin;
const { document } = spec;

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
);

/** Every schema that stands somewhere in the document, by where it stands. */
const schemas: [string, unknown][] = [
  ...Object.entries(document.components.schemas),
  ...operations.flatMap(({ name, operation }): [string, unknown][] => [
    ...(operation.parameters ?? []).map((each): [string, unknown] => [`${name} ${each.name}`, each.schema]),
    ...Object.values(operation.requestBody?.content ?? {}).map((each): [string, unknown] => [
      `${name} body`,
      each.schema,
    ]),
    ...Object.entries(operation.responses).flatMap(([status, { content }]) =>
      Object.values(content).map((each): [string, unknown] => [`${name} ${status}`, each.schema]),
    ),
  ]),
];

describe('/openapi.json', () => {
  test('[H1] is an OpenAPI 3.1 document with one operation for each route, and no others', async () => {
    const reply = await fetch(`${server.url}/openapi.json`);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1\.\d$/), info: { title: 'Holdpoint' } });
    expect(operations.map(({ name }) => name).toSorted()).toEqual(
      documentedRoutes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`).toSorted(),
    );
  });

  test.each(operations)('[H1] $name has its parameters, its body and its responses', ({ path, operation }) => {
    const inPath = (operation.parameters ?? []).filter((each) => each.in === 'path');
    expect(inPath.map((each) => each.name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, each]) => each));
    expect(inPath.every((each) => each.required)).toBe(true);
    const names = (operation.parameters ?? []).map((each) => `${each.in} ${each.name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(operation.responses)).toEqual([expect.stringMatching(/^20[01]$/), 'default']);
    expect(operation.responses.default?.content).toHaveProperty('application/problem+json');
  });

  test('[I1][DI12][WH12] Idempotency-Key is named where it is honoured, and nowhere else', async () => {
    const { admin } = server;
    const key = { 'idempotency-key': 'of-another-call' };
    const calls = everyCall(await makeThings(admin)).filter(({ method }) => method !== 'GET');
    await admin.post('/v1/threads', {}, key);
    for (const { method, path, body } of calls) {
      const reply = await admin.call(path, { method, headers: key, ...(body === undefined ? {} : { body }) });
      const isNamed = spec.operation(method, path)?.parameters?.some(({ name }) => name === 'Idempotency-Key') ?? false;
      expect([method, path, reply.body.code === 'idempotency-key-reused']).toEqual([method, path, isNamed]);
    }
  });

  test('[H22] what the server takes is what the document allows, in short forms as well', async () => {
    const { admin } = server;
    const { id } = await admin.newThread();
    const fields = [
      { name: 'a', type: 'select', options: ['x', { value: 'y', label: 'Y' }] },
      { name: 'b', type: 'multiselect', options: ['x'] },
      { name: 'c', type: 'file_upload', accept: '.pdf, image/*' },
    ];
    const asked = await admin.ask({ fields, options: undefined }, id);
    expect(asked.fields.map(({ type }) => type)).toEqual(['select', 'multi_select', 'file_upload']);
    await admin.ask({ options: ['yes', { value: 'no', label: 'No' }] }, id);
    // Without a body at all.
    for (const path of [`/v1/interactions/${asked.id}/cancel`, `/v1/threads/${id}/typing`, '/v1/threads'])
      expect((await admin.call(path, { method: 'POST' })).status, path).toBeLessThan(300);
    const bodies = Object.entries(examples).flatMap(([name, { body, query = '' }]) => {
      const [method = '', path = ''] = name.split(' ');
      return [
        { method, path: path.replaceAll(/\{\w+\}/g, 'x') + query, ...(body === undefined ? {} : { sent: body }) },
      ];
    });
    expect(bodies.map((call) => spec.refusal(call)).filter((why) => why !== '')).toEqual([]);
  });

  test('[H22] the judge of requests does refuse what is not as the document says', () => {
    const post = (path: string, sent?: unknown) => spec.refusal({ method: 'POST', path, sent });
    const fields = [{ name: 'a', type: 'select', options: [7] }];
    const refusals = [
      post('/v1/threads/x/interactions'),
      post('/v1/threads/x/interactions', { title: 'T', fields }),
      post('/v1/threads/x/interactions', { title: 'T', surprise: 1 }),
      post('/v1/interactions/x/uploads', {}),
      spec.refusal({ method: 'GET', path: '/v1/threads?limit=many' }),
      spec.refusal({ method: 'GET', path: '/v1/threads?surprise=1' }),
    ];
    expect(refusals.filter((why) => why === '')).toEqual([]);
  });

  test('[H22] every operation has an id of its own, the name of its verb, and the document names its server', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const named = Object.entries(verbTable).flatMap(([verb, { method, paths }]) =>
      paths.map(
        (path) =>
          spec.operation(method, path.replaceAll(/:\w+/g, 'x'))?.operationId.replace('Thread', '') ===
          verb.replace('Thread', ''),
      ),
    );
    expect(named.every(Boolean)).toBe(true);
    expect(document.servers).toEqual([{ url: '/' }]);
  });

  test.each(schemas)('[H1] %s: every reference resolves and it is a valid JSON Schema', (_where, schema) => {
    const resolved = spec.resolve(schema);
    expect(checkPayloadSchema(resolved).filter(({ code }) => code !== 'too-large')).toEqual([]);
  });

  test('[H1] the problem schema lists every code of the error table', () => {
    const { properties } = document.components.schemas.Problem as { properties: { code: { enum: string[] } } };
    expect(properties.code.enum.toSorted()).toEqual(Object.keys(errorTable).toSorted());
  });

  test('[H1] the judge of the other tests does refuse what is not as the document says', () => {
    const schema = spec.operation('GET', '/v1/threads/x')?.responses[200]?.content['application/json']?.schema ?? {};
    const at = '2030-01-01T00:00:00.000Z';
    const createdBy = { type: 'agent', id: 'a', via: 'key' };
    const thread = { id: 't', version: 1, createdBy, createdAt: at, updatedAt: at };
    expect(spec.accepts(schema, thread)).toBe(true);
    expect(spec.accepts(schema, { ...thread, surprise: 1 })).toBe(false);
    expect(spec.accepts(schema, { ...thread, createdBy: { ...createdBy, type: 'cat' } })).toBe(false);
  });
});
