import type { LogEvent, Message, Page, Thread } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { startSpecServer } from '../openapi/spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

describe('threads', () => {
  test('[L1] a thread made without an id is given one, and its log begins with its creation', async () => {
    const thread = await admin.newThread({ title: 'Release 7', metadata: { team: 'web' } });
    expect(thread).toMatchObject({ title: 'Release 7', metadata: { team: 'web' } });
    expect(thread.id).toMatch(/^[0-9a-f-]{36}$/);
    expect((await admin.get(`/v1/threads/${thread.id}`)).body).toEqual(thread);
    const { body: log } = await admin.get<Page<LogEvent>>(`/v1/threads/${thread.id}/log`);
    expect(log.data.map(({ seq, type, data }) => ({ seq, type, data }))).toEqual([
      { seq: 1, type: 'thread.created', data: { thread } },
    ]);
  });

  test('[H1] a thread keeps the id it was given, and no second one may have it', async () => {
    expect(await admin.newThread({ id: 'release:7' })).toMatchObject({ id: 'release:7' });
    const again = await admin.post('/v1/threads', { id: 'release:7' });
    expect(again).toMatchObject({ status: 409, body: { code: 'thread-exists', current: { id: 'release:7' } } });
  });

  test.each([' ', 'a b', '../x', 'a/b', '-a', 'ä', 'a\u0000', 'x'.repeat(257)])(
    '[H1] %j is no id for a thread',
    async (id) => {
      const { status, body } = await admin.post('/v1/threads', { id });
      expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ pointer: '/id' }] } });
    },
  );

  test('[H3] the list has the newest first, in pages, each thread once', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await admin.newThread()).id);
    const seen: string[] = [];
    let path = '/v1/threads?limit=2';
    while (seen.length < 5) {
      const { body } = await admin.get<Page<Thread>>(path);
      seen.push(...body.data.map(({ id }) => id));
      path = `/v1/threads?limit=2&cursor=${body.next}`;
    }
    expect(seen.slice(0, 5)).toEqual(ids);
  });

  test('[H1] a page has next only where there is more', async () => {
    const fresh = await admin.withOrg('pages');
    await fresh.newThread();
    await fresh.newThread();
    expect((await fresh.get('/v1/threads?limit=2')).body).not.toHaveProperty('next');
    expect((await fresh.get('/v1/threads?limit=1')).body).toHaveProperty('next');
    expect((await fresh.get('/v1/threads?cursor=nonsense')).body).toMatchObject({ code: 'invalid-cursor' });
  });

  test.each(['0', '201', '-1', '1.5', 'ten', '1e1', ''])(
    '[H1] a limit of %j is refused with its place',
    async (limit) => {
      const { status, body } = await admin.get(`/v1/threads?limit=${limit}`);
      expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ pointer: '/query/limit' }] } });
    },
  );

  test('[H1] what is not there is not found', async () => {
    for (const path of ['', '/log', '/messages', '/interactions']) {
      const method = path === '/messages' || path === '/interactions' ? 'POST' : 'GET';
      const body = method === 'GET' ? {} : { body: path === '/messages' ? { text: 'hi' } : { title: 'Hi?' } };
      const reply = await admin.call(`/v1/threads/never-was${path}`, { method, ...body });
      expect(reply).toMatchObject({ status: 404, body: { code: 'thread-not-found' } });
    }
  });
});

describe('changing a thread', () => {
  const log = async (id: string) => (await admin.get<Page<LogEvent>>(`/v1/threads/${id}/log`)).body.data;

  test('[T1][T2] title, metadata and archiving change by name, each time by one version and one event', async () => {
    const made = await admin.newThread({ title: 'Old', metadata: { a: 1, b: 2 } });
    expect(made).toMatchObject({ version: 1, updatedAt: made.createdAt });
    const path = `/v1/threads/${made.id}`;
    const { body: titled } = await admin.patch<Thread>(path, { title: 'New' });
    expect(titled).toEqual({ ...made, version: 2, title: 'New', updatedAt: titled.updatedAt });
    const { body: archived } = await admin.patch<Thread>(path, { metadata: { c: 3 }, isArchived: true });
    expect(archived).toMatchObject({ version: 3, metadata: { c: 3 }, archivedAt: archived.updatedAt });
    const agent = await admin.withKey();
    const { body: bare } = await agent.patch<Thread>(path, { title: null, metadata: null, isArchived: false });
    expect(bare).toEqual({
      ...{ id: made.id, version: 4, createdBy: made.createdBy },
      ...{ createdAt: made.createdAt, updatedAt: bare.updatedAt },
    });
    expect((await admin.get(path)).body).toEqual(bare);
    const { body: listed } = await admin.get<Page<Thread>>('/v1/threads?limit=1');
    expect(listed.data).toEqual([bare]);
    const updates = (await log(made.id)).filter(({ type }) => type === 'thread.updated');
    expect(updates.map(({ data }) => data)).toEqual([
      { thread: titled, was: { title: 'Old' } },
      { thread: archived, was: { metadata: { a: 1, b: 2 }, archivedAt: null } },
      { thread: bare, was: { title: 'New', metadata: { c: 3 }, archivedAt: archived.archivedAt } },
    ]);
    const { keyId } = agent;
    expect(updates.at(-1)?.actor).toEqual({ type: 'agent', id: keyId, via: 'key', keyId, name: 'a key' });
  });

  test('[T3] what changes nothing is no event, and an archived thread goes on', async () => {
    const made = await admin.newThread({ title: 'Same', metadata: { a: 1 } });
    const path = `/v1/threads/${made.id}`;
    for (const patch of [{}, { title: 'Same', metadata: { a: 1 }, isArchived: false, expectedVersion: 1 }])
      expect(await admin.patch(path, patch)).toMatchObject({ status: 200, body: made });
    expect(await log(made.id)).toHaveLength(1);
    await admin.patch(path, { isArchived: true });
    expect((await admin.post(`${path}/messages`, { text: 'still here' })).status).toBe(201);
    expect((await admin.ask({}, made.id)).status).toBe('pending');
  });

  test('[T2] another version than the current one is refused, and of twenty at once one wins', async () => {
    const { id } = await admin.newThread();
    const path = `/v1/threads/${id}`;
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => admin.patch<Thread>(path, { expectedVersion: 1, title: `by ${n}` })),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)]);
    expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'version-conflict',
      current: { id, version: 2 },
    });
    const free = await Promise.all(Array.from({ length: 20 }, (_, n) => admin.patch(path, { title: `then ${n}` })));
    expect(new Set(free.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await admin.get(path)).body).toMatchObject({ version: 22 });
    expect(await log(id)).toHaveLength(22);
  });

  test('[T2][H1] what is wrong is pointed at, and nothing changes', async () => {
    const made = await admin.newThread();
    const path = `/v1/threads/${made.id}`;
    for (const [patch, pointer] of [
      [{ title: '' }, '/title'],
      [{ metadata: { text: 'x'.repeat(70_000) } }, '/metadata'],
      [{ isArchived: null }, '/isArchived'],
      [{ archivedAt: '2030-01-01T00:00:00Z' }, '/archivedAt'],
      [{ expectedVersion: 0 }, '/expectedVersion'],
    ])
      expect(await admin.patch(path, patch)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
    expect((await admin.get(path)).body).toEqual(made);
    expect((await admin.patch('/v1/threads/never-was', {})).body).toMatchObject({ code: 'thread-not-found' });
  });
});

describe('messages and the log', () => {
  test('[L1] a text becomes a message of one block; blocks are kept as sent', async () => {
    const { id } = await admin.newThread();
    const text = await admin.made<Message>(`/v1/threads/${id}/messages`, { text: 'Hello' });
    expect(text).toMatchObject({
      role: 'agent',
      blocks: [{ type: 'message', payload: { text: 'Hello', format: 'plain' } }],
    });
    const blocks = [
      { id: 'b1', type: 'link', payload: { href: 'https://example.com' }, meta: { icon: 'x' } },
      { type: 'of-my-own', payload: {} },
    ];
    const sent = { blocks, role: 'system', metadata: { a: 1 } };
    expect(await admin.made(`/v1/threads/${id}/messages`, sent)).toMatchObject(sent);
    const { body } = await admin.get<Page<LogEvent>>(`/v1/threads/${id}/log`);
    expect(body.data.map(({ type }) => type)).toEqual(['thread.created', 'message.created', 'message.created']);
    expect(body.data[1]?.data).toEqual({ message: text });
  });

  test('[H1] a message has text or blocks, not both and not neither', async () => {
    const { id } = await admin.newThread();
    for (const body of [{}, { text: 'a', blocks: [{ type: 'message', payload: {} }] }]) {
      const reply = await admin.post(`/v1/threads/${id}/messages`, body);
      expect(reply).toMatchObject({ status: 400, body: { errors: [{ pointer: '/text', code: 'one-of' }] } });
    }
  });

  test('[H1] blocks and metadata are bounded in size and depth', async () => {
    const { id } = await admin.newThread();
    let deep: unknown = {};
    for (let i = 0; i < 40; i++) deep = { deep };
    const reply = await admin.post<{ errors: { pointer: string; code: string }[] }>(`/v1/threads/${id}/messages`, {
      blocks: [{ type: 'card', payload: { text: 'x'.repeat(70_000) } }],
      metadata: { deep },
    });
    expect(reply.status).toBe(400);
    expect(reply.body.errors.map(({ code }) => code)).toEqual(['too-deep', 'too-large']);
  });

  test('[L2] the log of a thread is numbered without a gap, also where many write at once, and is read in pages', async () => {
    const { id } = await admin.newThread();
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => admin.made(`/v1/threads/${id}/messages`, { text: `message ${i}` })),
    );
    const seqs: number[] = [];
    let after = '0';
    let pages = 0;
    for (let next: string | undefined = '0'; next !== undefined; pages++) {
      const { body } = await admin.get<Page<LogEvent>>(`/v1/threads/${id}/log?after=${after}&limit=41`);
      seqs.push(...body.data.map(({ seq }) => seq));
      next = body.next;
      after = next ?? after;
    }
    expect(seqs).toEqual(Array.from({ length: 41 }, (_, i) => i + 1));
    expect(pages).toBe(1);
    const { body } = await admin.get<Page<LogEvent>>(`/v1/threads/${id}/log?after=38&limit=2`);
    expect(body).toMatchObject({ data: [{ seq: 39 }, { seq: 40 }], next: '40' });
  });

  test('[L1] a refused change leaves nothing in the log', async () => {
    const { id } = await admin.newThread();
    await admin.post(`/v1/threads/${id}/messages`, { text: 7 });
    await admin.post(`/v1/threads/${id}/interactions`, { title: ' ' });
    expect((await admin.get<Page<LogEvent>>(`/v1/threads/${id}/log`)).body.data).toHaveLength(1);
  });
});
