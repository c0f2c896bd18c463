/** The schema of the interaction request, property by property: what it allows is taken and shown, what it forbids is refused where it stands. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InteractionRequest } from '../../src/dialects/agent-service/request-codec.ts';
import { startTestServer } from '../test-server.ts';
import { AgentServiceClient, errorIn, places } from './agent-service-client.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());
const agents = new AgentServiceClient(server.admin);

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const free = { any: ['thing', 1, { at: null }] };
const freely = [{}, free];
const noObjects = [[], 'x', 7];
const option = (more: object = {}) => ({ id: 'allow', label: 'Allow', kind: 'allow_once', ...more });

/** A property, how a command has it, what may be sent, and what may not. */
type Property = [string, (value: unknown) => object, unknown[], unknown[]];

const ofPrompt = (name: string) => (value: unknown) => ({ prompt: { title: 'Deploy?', [name]: value } });
const ofOption = (name: string) => (value: unknown) => ({ options: [option({ [name]: value })] });
const ofOrigin = (name: string) => (value: unknown) => ({ origin: { type: 'tool', [name]: value } });
const own = (name: string) => (value: unknown) => ({ [name]: value });

describe('what is asked', () => {
  const contents = [
    [{ type: 'text', text: 'ls' }],
    [{ type: 'binary', mimeType: 'image/png', url: 'https://files.example/a.png' }],
    [{ type: 'data', data: [1, null] }],
  ];
  const deadline = new Date(server.clock.now() + 3_600_000).toISOString();
  const schema = { type: 'object', properties: { note: { type: 'string' } } };
  const properties: Property[] = [
    ['prompt', own('prompt'), [{ title: 'Deploy?' }, { description: 'Now.' }], noObjects],
    ['prompt, no further property', ofPrompt('text'), [], ['x']],
    ['prompt.title', ofPrompt('title'), ['Deploy?'], [7, null]],
    ['prompt.description', ofPrompt('description'), ['To **all**.'], [7, null]],
    ['prompt.content', ofPrompt('content'), [[], ...contents], ['x', [{ type: 'video' }], [{ text: 'x' }]]],
    ['prompt.metadata', ofPrompt('metadata'), freely, noObjects],
    ['options', own('options'), [[option()], [option(), option({ id: 'no', kind: 'reject_once' })]], ['x', ['x']]],
    ['options[], no further property', ofOption('variant'), [], ['primary']],
    ['options[].id', ofOption('id'), ['a'], ['', 7, undefined]],
    ['options[].label', ofOption('label'), ['A'], ['', 7, undefined]],
    ['options[].kind', ofOption('kind'), ['allow_once', 'reject_once'], ['maybe', undefined]],
    ['options[].description', ofOption('description'), ['This time'], [7]],
    ['options[].metadata', ofOption('metadata'), freely, noObjects],
    ['origin', own('origin'), [{ type: 'agent' }, { type: 'policy' }], noObjects],
    ['origin, no further property', ofOrigin('name'), [], ['x']],
    ['origin.type', ofOrigin('type'), ['agent', 'tool', 'policy', 'system', 'user'], ['robot', undefined]],
    ['origin.reference', ofOrigin('reference'), ['bash'], [7]],
    ['origin.metadata', ofOrigin('metadata'), freely, noObjects],
    ['no further property', own('priority'), [], [1]],
    ['runId', own('runId'), ['r', 'r'.repeat(256)], ['', 7, undefined]],
    ['attemptId', own('attemptId'), ['1', 'second'], ['', 7, undefined]],
    ['threadId', own('threadId'), [undefined], ['', 7]],
    ['kind', own('kind'), ['approval', 'input'], ['poll', undefined]],
    ['status', own('status'), ['pending'], ['resolved', 'open']],
    ['payloadSchema', own('payloadSchema'), [{}, schema], [[], 'x']],
    ['blocking', own('blocking'), [true, false], ['yes', 1]],
    ['scope', own('scope'), ['interaction', 'run', 'thread', 'org'], ['galaxy']],
    ['resolutionPolicy', own('resolutionPolicy'), ['first'], ['last']],
    ['deadlineAt', own('deadlineAt'), [deadline], ['soon', 7]],
    ['metadata', own('metadata'), freely, noObjects],
  ];

  test.each(properties)('[DL2] %s', async (property, written, allowed, forbidden) => {
    for (const value of allowed) {
      const { runId, ...shown } = await agents.create(written(value));
      expect({ ...shown, runId }).toMatchObject(withoutUndefined(written(value)));
    }
    const place = `/${property.replace(/, .*$/, '').replace('[]', '/0').replaceAll('.', '/')}`;
    for (const value of forbidden) {
      const error = errorIn(await agents.tryCreate(written(value)));
      expect(error.code).toBe('invalid-input');
      const pointers = places(error).map(([pointer]) => pointer);
      const isOfNoPlace = property === 'no further property';
      for (const pointer of pointers)
        expect(pointer, JSON.stringify(value)).toMatch(isOfNoPlace ? /^\/priority$/ : new RegExp(`^${place}(/|$)`));
    }
  });
});

const withoutUndefined = (value: object): object => JSON.parse(JSON.stringify(value)) as object;

describe('what was answered', () => {
  const anything = { kind: 'input', payloadSchema: {} };
  const properties: [string, object, object[], object[]][] = [
    ['decision', {}, [{ decision: 'accepted' }, { decision: 'declined' }], [{ decision: 'maybe' }, { decision: 7 }]],
    ['selectedOptionId', {}, [{ selectedOptionId: 'allow' }], [{ selectedOptionId: 7 }]],
    ['payload', anything, ['x', 1.5, false, null, [1, 'a'], { a: {} }].map((payload) => ({ payload })), []],
    ['submittedBy', {}, [{ submittedBy: 'ann' }], [{ submittedBy: 7 }]],
    ['metadata', {}, freely.map((metadata) => ({ metadata })), noObjects.map((metadata) => ({ metadata }))],
    ['no further property', {}, [], [{ comment: 'x' }]],
  ];

  test.each(properties)('[DL2] response: %s', async (property, asked, allowed, forbidden) => {
    const accepting = property === 'decision' || property === 'payload' ? {} : { decision: 'accepted' };
    for (const sent of allowed) {
      const { interactionId } = await agents.create(asked);
      const { response } = await agents.respond(interactionId, { ...accepting, ...sent });
      expect(response).toMatchObject(property === 'metadata' && isEmpty(sent) ? accepting : sent);
    }
    for (const sent of forbidden) {
      const { interactionId } = await agents.create(asked);
      const error = errorIn(await agents.tryRespond(interactionId, { ...accepting, ...sent }));
      expect(error.code).toBe('invalid-input');
      for (const [pointer] of places(error)) expect(pointer).toBe(`/${Object.keys(sent)[0]}`);
    }
  });

  const isEmpty = (sent: object) => Object.values(sent).every((value) => Object.keys(value as object).length === 0);
});

describe('what the server says', () => {
  const shown = {} as Record<'pending' | 'resolved' | 'cancelled' | 'expired', InteractionRequest>;
  beforeAll(async () => {
    shown.pending = await agents.create();
    const { interactionId } = await agents.create();
    shown.resolved = await agents.respond(interactionId, { decision: 'accepted' });
    const { interactionId: withdrawn } = await agents.create();
    await agents.tryCancel(withdrawn);
    shown.cancelled = await agents.get(withdrawn);
    const deadlineAt = new Date(server.clock.now() + 60_000).toISOString();
    const due = await agents.create({ deadlineAt });
    server.clock.offsetMs += 120_000;
    await server.admin.get(`/v1/interactions/${due.interactionId}/wait`);
    shown.expired = await agents.get(due.interactionId);
  });

  const required =
    'interactionId orgId runId attemptId kind status prompt origin blocking scope resolutionPolicy createdAt updatedAt';
  const closed = () => [shown.resolved, shown.cancelled, shown.expired];
  const properties: [string, () => void][] = [
    ['required', () => each((one) => expect(Object.keys(one)).toEqual(expect.arrayContaining(required.split(' '))))],
    ['interactionId', () => each((one) => expect(one.interactionId).toMatch(/^\S{1,256}$/))],
    ['orgId', () => each(({ orgId }) => expect(orgId).toBe('default'))],
    ['threadId', () => each(({ threadId }) => expect(threadId).toMatch(/^\S{1,256}$/))],
    ['status', () => expect(Object.values(shown).map(({ status }) => status)).toEqual(Object.keys(shown))],
    [
      'response',
      () => {
        expect(shown.resolved.response).toMatchObject({ decision: 'accepted', submittedBy: expect.any(String) });
        for (const one of [shown.pending, shown.cancelled, shown.expired]) expect(one).not.toHaveProperty('response');
      },
    ],
    ['response.submittedAt', () => expect(shown.resolved.response?.submittedAt).toMatch(time)],
    ['createdAt', () => each(({ createdAt }) => expect(createdAt).toMatch(time))],
    ['updatedAt', () => each(({ updatedAt }) => expect(updatedAt).toMatch(time))],
    [
      'resolvedAt',
      () => {
        expect(shown.pending).not.toHaveProperty('resolvedAt');
        for (const { resolvedAt, updatedAt } of closed()) expect([resolvedAt]).toEqual([updatedAt]);
      },
    ],
    [
      'version',
      () => {
        expect(shown.pending.version).toBe(1);
        for (const { version } of closed()) expect(version).toBe(2);
      },
    ],
  ];

  test.each(properties)('[DL2] %s, as it stands', (_property, check) => check());

  function each(check: (one: InteractionRequest) => void): void {
    for (const one of Object.values(shown)) check(one);
  }
});
