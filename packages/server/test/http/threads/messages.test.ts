import { type LogEvent, limits, type Message, type Page } from '@holdpoint/protocol';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { streamIdleMs } from '../../../src/domain/message-stream.ts';
import { startSpecServer } from '../openapi/spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const say = (threadId: string, body: unknown) => admin.made<Message>(`/v1/threads/${threadId}/messages`, body);
const begin = async (threadId?: string) => say(threadId ?? (await admin.newThread()).id, { streaming: true });
const append = (id: string, text: string) => admin.post<Message>(`/v1/messages/${id}/append`, { text });
const get = async (id: string) => (await admin.get<Message>(`/v1/messages/${id}`)).body;
const textOf = async (id: string) => `${(await get(id)).blocks[0]?.payload.text}`;
const blocks = (text: string) => [{ type: 'message', payload: { text, format: 'plain' } }];
const log = async (threadId: string) => {
  const { body } = await admin.get<Page<LogEvent>>(`/v1/threads/${threadId}/log`);
  return body.data.slice(1).map(({ type, actor, data }) => ({ type, actor, data }));
};

describe('reading', () => {
  test('[M1] messages are got one by one, and listed from either end, page by page', async () => {
    const { id } = await admin.newThread();
    const other = await admin.newThread();
    const said: Message[] = [];
    for (let n = 0; n < 5; n++) {
      said.push(await say(id, { text: `${n}` }));
      await say(other.id, { text: 'elsewhere' });
    }
    for (const message of said) expect(await get(message.id)).toEqual(message);
    for (const [query, wanted] of [
      ['', said],
      ['order=oldest&', said],
      ['order=newest&', said.toReversed()],
    ] as const) {
      const seen: Message[] = [];
      const path = `/v1/threads/${id}/messages?${query}limit=2`;
      let page = (await admin.get<Page<Message>>(path)).body;
      for (; page.next; page = (await admin.get<Page<Message>>(`${path}&cursor=${page.next}`)).body)
        seen.push(...page.data);
      seen.push(...page.data);
      expect(seen).toEqual(wanted);
    }
  });

  test('[M1] what is not there is not found, and what is wrong is pointed at', async () => {
    const { id } = await admin.newThread();
    for (const path of ['/v1/messages/never-was', `/v1/messages/${id}`])
      expect(await admin.get(path)).toMatchObject({ status: 404, body: { code: 'message-not-found' } });
    for (const verb of ['append', 'complete', 'cancel'])
      expect(await admin.post(`/v1/messages/never-was/${verb}`, verb === 'append' ? { text: 'a' } : {})).toMatchObject({
        status: 404,
        body: { code: 'message-not-found' },
      });
    expect((await admin.get('/v1/threads/never-was/messages')).body).toMatchObject({ code: 'thread-not-found' });
    expect((await admin.get(`/v1/threads/${id}/messages?cursor=x`)).body).toMatchObject({ code: 'invalid-cursor' });
    expect((await admin.get(`/v1/threads/${id}/messages?order=best`)).status).toBe(400);
  });

  test('[M1][X4] a token reads the messages of its thread, and of no other, and streams none', async () => {
    const [mine, others] = [await begin(), await begin()];
    const ada = await admin.withToken({ threadId: mine.threadId });
    expect((await ada.get<Message>(`/v1/messages/${mine.id}`)).body).toEqual(await get(mine.id));
    expect((await ada.get<Page<Message>>(`/v1/threads/${mine.threadId}/messages`)).body.data).toHaveLength(1);
    expect((await ada.get(`/v1/messages/${others.id}`)).body).toMatchObject({ code: 'message-not-found' });
    expect((await ada.get(`/v1/threads/${others.threadId}/messages`)).body).toMatchObject({ code: 'thread-not-found' });
    for (const verb of ['append', 'complete', 'cancel'])
      expect((await ada.post(`/v1/messages/${mine.id}/${verb}`, verb === 'append' ? { text: 'a' } : {})).status).toBe(
        403,
      );
    const { id: interactionId } = await admin.ask({}, mine.threadId);
    const eve = await admin.withToken({ interactionId });
    expect((await eve.get(`/v1/messages/${mine.id}`)).status).toBe(403);
  });
});

describe('streaming', () => {
  test('[M2][M3] a message grows piece by piece, and everybody reads what has come', async () => {
    const begun = await begin();
    expect(begun).toMatchObject({ role: 'agent', state: 'streaming', blocks: [] });
    expect(begun).not.toHaveProperty('updatedAt');
    for (const [piece, text] of [
      ['Hel', 'Hel'],
      ['lo, ', 'Hello, '],
      ['wörld 🙂', 'Hello, wörld 🙂'],
    ] as const) {
      const { status, body } = await append(begun.id, piece);
      expect(status).toBe(200);
      expect(body).toEqual({ ...begun, blocks: blocks(text), updatedAt: body.updatedAt });
      expect(await get(begun.id)).toEqual(body);
      const { body: list } = await admin.get<Page<Message>>(`/v1/threads/${begun.threadId}/messages`);
      expect(list.data).toEqual([body]);
    }
    expect(await log(begun.threadId)).toMatchObject([{ type: 'message.created', data: { message: begun } }]);
  });

  test.each([
    ['complete', {}, 'Hello', undefined, 'message.completed'],
    ['complete', { text: 'Better' }, 'Better', undefined, 'message.completed'],
    ['cancel', {}, 'Hello', 'cancelled', 'message.cancelled'],
  ] as const)('[M2] %s with %j ends it, and the log has it whole', async (verb, body, text, state, type) => {
    const { state: _, ...begun } = await begin();
    await append(begun.id, 'Hel');
    await append(begun.id, 'lo');
    const ended = await admin.made<Message>(`/v1/messages/${begun.id}/${verb}`, body);
    const { updatedAt } = ended;
    expect(ended).toEqual({ ...begun, blocks: blocks(text), ...(state ? { state } : {}), updatedAt });
    expect(await get(begun.id)).toEqual(ended);
    const [, end] = await log(begun.threadId);
    expect(end).toEqual({ type, actor: begun.by, data: { message: ended } });
  });

  test('[M3] what has ended, or never was streamed, takes nothing more', async () => {
    const { id: threadId } = await admin.newThread();
    const whole = await say(threadId, { text: 'Whole' });
    const [completed, cancelled] = [await begin(threadId), await begin(threadId)];
    await admin.made(`/v1/messages/${completed.id}/complete`);
    await admin.made(`/v1/messages/${cancelled.id}/cancel`);
    for (const [id, state] of [
      [whole.id, 'complete'],
      [completed.id, 'complete'],
      [cancelled.id, 'cancelled'],
    ] as const) {
      const before = await get(id);
      for (const [verb, body] of Object.entries({ append: { text: 'more' }, complete: {}, cancel: {} }))
        expect(await admin.post(`/v1/messages/${id}/${verb}`, body)).toMatchObject({
          status: 409,
          body: { code: 'message-not-streaming', current: { id, state } },
        });
      expect(await get(id)).toEqual(before);
    }
  });

  test('[M3] of thirty pieces at once none is lost, and of ten ends at once one counts', async () => {
    const { id, threadId } = await begin();
    const pieces = Array.from({ length: 30 }, (_, n) => `<${n}>`);
    for (const { status } of await Promise.all(pieces.map((piece) => append(id, piece)))) expect(status).toBe(200);
    const text = await textOf(id);
    expect(text.match(/<\d+>/g)?.toSorted()).toEqual(pieces.toSorted());
    const ends = Array.from({ length: 10 }, (_, n) =>
      admin.post(`/v1/messages/${id}/${n % 2 ? 'cancel' : 'complete'}`),
    );
    const late = Array.from({ length: 10 }, () => append(id, '!'));
    const ended = (await Promise.all(ends)).map(({ status }) => status);
    expect(ended.toSorted()).toEqual([200, ...Array(9).fill(409)]);
    const added = (await Promise.all(late)).filter(({ status }) => status === 200).length;
    expect(await textOf(id)).toBe(text + '!'.repeat(added));
    expect(await log(threadId)).toHaveLength(2);
  });

  test('[M3][S1] what was acknowledged is there after a restart, and the stream goes on', async () => {
    await using stopping = await startSpecServer();
    const { id: threadId } = await stopping.admin.newThread();
    const path = `/v1/threads/${threadId}/messages`;
    const { id } = await stopping.admin.made<Message>(path, { streaming: true });
    await stopping.admin.made(`/v1/messages/${id}/append`, { text: 'before ' });
    await stopping.restart();
    const { body } = await stopping.admin.post<Message>(`/v1/messages/${id}/append`, { text: 'after' });
    expect(body.blocks).toEqual(blocks('before after'));
  });

  test('[M4] it begins without text and blocks, and not as a person', async () => {
    const { id } = await admin.newThread();
    const post = (body: object) => admin.post(`/v1/threads/${id}/messages`, { streaming: true, ...body });
    const [text, aBlock] = ['Hi', [{ type: 'message', payload: {} }]];
    for (const [body, pointers] of [
      [{ text }, ['/text']],
      [{ text, blocks: aBlock, role: 'user' }, ['/text', '/blocks', '/streaming']],
      [{ role: 'user' }, ['/streaming']],
    ] as const) {
      const reply = await post(body);
      expect(reply).toMatchObject({ status: 400, body: { errors: pointers.map((pointer) => ({ pointer })) } });
    }
    const ada = await admin.withToken({ threadId: id });
    expect((await ada.post(`/v1/threads/${id}/messages`, { streaming: true })).status).toBe(400);
    for (const role of ['agent', 'system', 'tool']) expect((await post({ role })).body).toMatchObject({ role });
    expect(await say(id, { streaming: false, text, role: 'user' })).not.toHaveProperty('state');
  });

  test('[M4] it is no longer than a message may be, and says so', async () => {
    const { id } = await begin();
    await append(id, 'é'.repeat(limits.messageLength - 1));
    const long = await append(id, 'xx');
    expect(long).toMatchObject({ status: 400, body: { code: 'invalid-input', errors: [{ pointer: '/text' }] } });
    expect((await append(id, 'x')).status).toBe(200);
    for (const body of [{}, { text: '' }, { text: 7 }, { text: 'a', more: 1 }])
      expect((await admin.post(`/v1/messages/${id}/append`, body)).status).toBe(400);
  });

  test('[M6] an append is done each time, an end once for its key', async () => {
    const { id } = await begin();
    const key = { 'idempotency-key': 'piece' };
    for (let n = 0; n < 2; n++) await admin.post(`/v1/messages/${id}/append`, { text: 'ha' }, key);
    expect((await get(id)).blocks).toEqual(blocks('haha'));
    const end = (verb: string, as: string) => admin.post(`/v1/messages/${id}/${verb}`, {}, { 'idempotency-key': as });
    const first = await end('complete', 'end');
    expect(await end('complete', 'end')).toMatchObject({ status: 200, body: first.body });
    expect((await end('cancel', 'end')).body).toMatchObject({ code: 'idempotency-key-reused' });
    expect((await end('cancel', 'another')).body).toMatchObject({ code: 'message-not-streaming' });
  });

  test('[I1][M2] a repeated beginning gets the message as it stands', async () => {
    const { id: threadId } = await admin.newThread();
    const post = () =>
      admin.post<Message>(`/v1/threads/${threadId}/messages`, { streaming: true }, { 'idempotency-key': 'begin' });
    const { body: begun } = await post();
    await append(begun.id, 'Hello');
    expect((await post()).body).toEqual(await get(begun.id));
    expect((await get(begun.id)).blocks).toEqual(blocks('Hello'));
  });

  test('[DI1] neither the beginning nor the end of a stream is an input', async () => {
    const org = await admin.withOrg('streams');
    const { id: threadId } = await org.newThread();
    const { id } = await org.made<Message>(`/v1/threads/${threadId}/messages`, { streaming: true });
    await org.made(`/v1/messages/${id}/append`, { text: 'Hi' });
    await org.made(`/v1/messages/${id}/complete`);
    await org.made(`/v1/threads/${threadId}/messages`, { text: 'a person', role: 'user' });
    const { body } = await org.post<{ data: { inputs: { message?: Message }[] }[] }>('/v1/dispatch/claim', {
      workerId: 'ann',
      waitMs: 60_000,
    });
    expect(body.data.flatMap(({ inputs }) => inputs.map(({ message }) => message?.role))).toEqual(['user']);
  });
});

describe('a stream that dries up', () => {
  test('[M5] is cancelled a minute after its last piece, also after a restart', async () => {
    await using other = await startSpecServer();
    const { admin: client, clock } = other;
    const { id: threadId } = await client.newThread();
    const stream = () => client.made<Message>(`/v1/threads/${threadId}/messages`, { streaming: true });
    const [quiet, busy, over] = [await stream(), await stream(), await stream()];
    const read = async (id: string) => (await other.admin.get<Message>(`/v1/messages/${id}`)).body;
    const states = () => Promise.all([quiet, busy, over].map(async ({ id }) => (await read(id)).state));
    await client.made(`/v1/messages/${quiet.id}/append`, { text: 'Hel' });
    await client.made(`/v1/messages/${over.id}/complete`);
    clock.offsetMs += streamIdleMs - 5_000;
    await client.made(`/v1/messages/${busy.id}/append`, { text: 'still ' });
    expect(await states()).toEqual(['streaming', 'streaming', undefined]);
    clock.offsetMs += 5_001;
    await vi.waitFor(async () => expect(await states()).toEqual(['cancelled', 'streaming', undefined]), 10_000);
    expect((await read(quiet.id)).blocks).toEqual(blocks('Hel'));
    await other.restart();
    await other.admin.made(`/v1/messages/${busy.id}/append`, { text: 'here' });
    clock.offsetMs += streamIdleMs + 1;
    await vi.waitFor(async () => expect(await states()).toEqual(['cancelled', 'cancelled', undefined]), 10_000);
    expect((await read(busy.id)).blocks).toEqual(blocks('still here'));
    const { body } = await other.admin.get<Page<LogEvent>>(`/v1/threads/${threadId}/log`);
    expect(body.data.filter(({ type }) => type === 'message.cancelled')).toMatchObject([
      { actor: { type: 'system', id: 'stream', via: 'local' }, data: { message: { id: quiet.id } } },
      { actor: { type: 'system', id: 'stream', via: 'local' }, data: { message: { id: busy.id } } },
    ]);
  });
});
