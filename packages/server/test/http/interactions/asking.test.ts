import type { FreeObject, Interaction, LogEvent, Page, Problem } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { startSpecServer } from '../openapi/spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

interface Refused {
  code: string;
  errors: Problem[];
}

const pointers = ({ errors }: Refused) => errors.map(({ pointer }) => pointer).sort();

describe('asking', () => {
  test('[A8] a title alone blocks, and asks a person for one text, the first answer closing it', async () => {
    const { id } = await admin.newThread();
    const asked = await admin.made<Interaction>(`/v1/threads/${id}/interactions`, { title: 'Name?' });
    expect(asked).toMatchObject({
      threadId: id,
      kind: 'input',
      status: 'pending',
      version: 1,
      blocking: true,
      responder: { type: 'human' },
      resolution: { mode: 'first' },
      origin: { type: 'agent' },
      fields: [{ name: 'text', type: 'text', required: true }],
      votes: [],
      createdBy: { type: 'agent', id: 'admin' },
    });
    expect((await admin.get(`/v1/interactions/${asked.id}`)).body).toEqual(asked);
  });

  test('[A8] what is said is kept', async () => {
    const said = {
      body: 'It *was* tested.',
      content: [{ type: 'link', payload: { href: 'https://ci.example.com/7' } }],
      submitLabel: 'Ship it',
      blocking: false,
      responder: { type: 'agent', assignees: ['bot-1', 'bot-2'] },
      resolution: { mode: 'quorum', count: 2 },
      deadline: { at: '2099-01-31T12:00:00.000Z', outcome: 'decline' },
      run: { id: 'run-1', attemptId: 'attempt-1', toolCallId: 'call-1' },
      origin: { type: 'tool', reference: 'deploy' },
      trace: { step: 3 },
      metadata: { sha: 'abc' },
      recommendations: { choice: 'yes' },
    };
    expect(await admin.ask(said)).toMatchObject(said);
  });

  test.each(['a\u0000b', 'line\nbreak', 'x\u007f'])('[A6] %j names no run and no grant; an emoji may', async (id) => {
    const { id: threadId } = await admin.newThread();
    const ask = (name: string) =>
      admin.post<Refused>(`/v1/threads/${threadId}/interactions`, {
        title: 'Ship it?',
        kind: 'approval',
        run: { id: name },
        grant: { key: name, scope: 'thread' },
      });
    const refused = await ask(id);
    expect([refused.status, pointers(refused.body)]).toEqual([400, ['/grant/key', '/run/id']]);
    expect((await ask('🚀 deploy')).status).toBe(201);
  });

  test('[D1] a deadline is returned in UTC, for any offset that was sent', async () => {
    const deadline = { at: '2099-01-31T14:00:00+02:00', outcome: 'expire' };
    const asked = await admin.ask({ deadline });
    expect(asked.deadline?.at).toBe('2099-01-31T12:00:00.000Z');
    const later = { deadline: { ...deadline, at: '2099-02-01T14:00:00+02:00' } };
    const patched = await admin.patch<Interaction>(`/v1/interactions/${asked.id}`, later);
    expect(patched.body.deadline?.at).toBe('2099-02-01T12:00:00.000Z');
  });

  test('[L4] a cursor that no list gave is refused', async () => {
    for (const path of ['/v1/interactions', '/v1/threads', '/v1/keys', '/v1/grants']) {
      expect(await admin.get(`${path}?cursor=nonsense`)).toMatchObject({
        status: 400,
        body: { code: 'invalid-cursor' },
      });
    }
  });

  test('[A6] all problems of a question are returned at once, each with its pointer, and nothing is stored', async () => {
    const { id } = await admin.newThread();
    let deep: unknown = {};
    for (let i = 0; i < 40; i++) deep = { deep };
    const reply = await admin.post<Refused>(`/v1/threads/${id}/interactions`, {
      title: ' ',
      fields: [
        { name: 'a', type: 'nonsense' },
        { name: 'b', type: 'select', label: 'B', options: [] },
        { name: 'b', type: 'text', label: 'B', minLength: 5, maxLength: 2 },
      ],
      trace: { deep },
      metadata: { big: 'x'.repeat(70_000) },
    });
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid-input' } });
    const at = pointers(reply.body);
    for (const start of ['/title', '/fields/0', '/fields/1', '/fields/2', '/trace', '/metadata'])
      expect(
        at.some((pointer) => pointer.startsWith(start)),
        `${start} in ${at}`,
      ).toBe(true);
    for (const { message, code } of reply.body.errors) expect(message && code).toBeTruthy();
    expect((await admin.get<Page<Interaction>>(`/v1/interactions?threadId=${id}`)).body.data).toEqual([]);
    expect((await admin.get<Page<LogEvent>>(`/v1/threads/${id}/log`)).body.data).toHaveLength(1);
  });

  test('[A6] all problems of its shape are returned at once too', async () => {
    const { id } = await admin.newThread();
    const reply = await admin.post<Refused>(`/v1/threads/${id}/interactions`, {
      title: 7,
      kind: 'poll',
      blocking: 'yes',
      responder: { type: 'cat' },
      resolution: { mode: 'quorum', count: 0 },
    });
    expect(pointers(reply.body)).toEqual(['/blocking', '/kind', '/resolution/count', '/responder/type', '/title']);
  });

  test.each([
    [{ titel: 'x' }, '/titel'],
    [{ responder: { type: 'human', assignee: 'ada' } }, '/responder/assignee'],
    [{ deadline: { at: '2099-01-01T00:00:00Z', outcome: 'expire', next: 1 } }, '/deadline/next'],
    [{ resolution: { mode: 'first', count: 2 } }, '/resolution/count'],
    [{ fields: [{ name: 'a', type: 'text', label: 'A', maxlength: 3 }], options: undefined }, '/fields/0/maxlength'],
  ])('[A9] an unknown property is refused: %j', async (extra, pointer) => {
    const { id } = await admin.newThread();
    const body = { title: 'T', options: ['a', 'b'], ...extra };
    const reply = await admin.post<Refused>(`/v1/threads/${id}/interactions`, body);
    expect(reply.status).toBe(400);
    expect(pointers(reply.body)).toContain(pointer);
  });

  test('[A9] unknown properties are refused in every body and in every query', async () => {
    const { id, threadId } = await admin.ask();
    for (const path of [
      '/v1/threads',
      `/v1/threads/${threadId}/messages`,
      `/v1/interactions/${id}/answers`,
      `/v1/interactions/${id}/decline`,
      `/v1/interactions/${id}/cancel`,
      `/v1/interactions/${id}/secrets`,
      '/v1/keys',
      '/v1/orgs',
      '/v1/responder-tokens',
    ]) {
      const { body } = await admin.post<Refused>(path, { surprise: 1 });
      expect(pointers(body), path).toContain('/surprise');
    }
    for (const path of ['/v1/threads', '/v1/interactions', `/v1/interactions/${id}/wait`, '/v1/grants', '/v1/events']) {
      const { body } = await admin.get<Refused>(`${path}?surprise=1`);
      expect(pointers(body), path).toEqual(['/query/surprise']);
    }
  });
});

describe('listing', () => {
  test('[H3] each filter leaves out what it should, and filters add up', async () => {
    const lister = await admin.withOrg('lists');
    const one = await lister.newThread();
    const two = await lister.newThread();
    const choice = await lister.ask({ run: { id: 'r1' } }, one.id);
    const form = await lister.ask({ options: undefined, fields: [{ name: 'a', type: 'text', label: 'A' }] }, one.id);
    const approval = await lister.ask({ options: undefined, kind: 'approval', run: { id: 'r1' } }, two.id);
    const cancelled = await lister.ask({}, two.id);
    await lister.post(`/v1/interactions/${cancelled.id}/cancel`);
    await lister.answer(choice.id);
    const list = async (query: string) =>
      (await lister.get<Page<Interaction>>(`/v1/interactions?${query}`)).body.data.map(({ id }) => id);
    expect(await list('')).toEqual([choice.id, form.id, approval.id, cancelled.id]);
    expect(await list('order=newest')).toEqual([cancelled.id, approval.id, form.id, choice.id]);
    expect(await list('status=pending')).toEqual([form.id, approval.id]);
    expect(await list('status=answered')).toEqual([choice.id]);
    expect(await list('status=cancelled')).toEqual([cancelled.id]);
    expect(await list('status=expired')).toEqual([]);
    expect(await list(`threadId=${two.id}`)).toEqual([approval.id, cancelled.id]);
    expect(await list('kind=approval')).toEqual([approval.id]);
    expect(await list('runId=r1')).toEqual([choice.id, approval.id]);
    expect(await list('runId=r1&kind=choice&status=answered')).toEqual([choice.id]);
    expect(await list(`threadId=${one.id}&status=cancelled`)).toEqual([]);
  });

  test.each(['oldest', 'newest'])(
    '[H3] pages with the %s first hold everything once, also while more is asked',
    async (order) => {
      const { id } = await admin.newThread();
      const before = await Promise.all(Array.from({ length: 7 }, () => admin.ask({}, id)));
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const query = `threadId=${id}&status=pending&limit=3&order=${order}${cursor}`;
        const { body } = await admin.get<Page<Interaction>>(`/v1/interactions?${query}`);
        seen.push(...body.data.map((each) => each.id));
        if (body.next === undefined) break;
        cursor = `&cursor=${body.next}`;
        if (seen.length === 3) await admin.ask({}, id);
      }
      expect(new Set(seen).size).toBe(seen.length);
      const expected = before.map((each) => each.id).sort();
      expect(seen.filter((each) => expected.includes(each))).toEqual(
        order === 'oldest' ? expected : expected.reverse(),
      );
    },
  );

  test.each(['status=open', 'kind=poll', 'order=random', 'limit=0', 'threadId=', 'status=pending&status=answered'])(
    '[H1] the filter %s is refused with its place',
    async (query) => {
      const { status, body } = await admin.get<Refused>(`/v1/interactions?${query}`);
      expect(status).toBe(400);
      expect(pointers(body)).toEqual([`/query/${query.split('=')[0]}`]);
    },
  );
});

describe('updating', () => {
  test('[U1] a new title is also the label of the field that the title named, and the event says so', async () => {
    const asked = await admin.ask({ title: 'Go?', options: ['yes'] });
    const { body } = await admin.patch<Interaction>(`/v1/interactions/${asked.id}`, { title: 'Go now?' });
    expect(body.fields[0]).toMatchObject({ label: 'Go now?', name: 'choice' });
    const { body: log } = await admin.get<Page<LogEvent>>(`/v1/threads/${asked.threadId}/log`);
    expect((log.data.at(-1)?.data as FreeObject | undefined)?.changed).toEqual({
      title: 'Go now?',
      fields: body.fields,
    });
  });

  test('[U2] a change of another version than the current one is rejected with the current version', async () => {
    const { id } = await admin.ask();
    const path = `/v1/interactions/${id}`;
    expect(await admin.patch(path, { expectedVersion: 1, title: 'Deploy now?' })).toMatchObject({
      status: 200,
      body: { version: 2, title: 'Deploy now?' },
    });
    expect(await admin.patch(path, { expectedVersion: 1, title: 'Too late' })).toMatchObject({
      status: 409,
      body: { code: 'version-conflict', current: { version: 2, status: 'pending' } },
    });
    expect((await admin.get<Interaction>(path)).body).toMatchObject({ version: 2, title: 'Deploy now?' });
  });

  test('[U2] of many changes of one version exactly one is done', async () => {
    const { id } = await admin.ask();
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        admin.patch(`/v1/interactions/${id}`, { expectedVersion: 1, metadata: { i } }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(9);
  });

  test('[U2] only what is named changes, null removes, and bad values are refused with their place', async () => {
    const { id } = await admin.ask({ body: 'Why not', metadata: { a: 1 }, trace: { b: 2 } });
    const { body } = await admin.patch(`/v1/interactions/${id}`, { body: null, metadata: { c: 3 } });
    expect(body).toMatchObject({ title: 'Deploy?', metadata: { c: 3 }, trace: { b: 2 }, version: 2 });
    expect(body).not.toHaveProperty('body');
    const refused = await admin.patch<Refused>(`/v1/interactions/${id}`, { title: '', fields: [7], nonsense: 1 });
    expect(refused.status).toBe(400);
    expect(pointers(refused.body)).toEqual(expect.arrayContaining(['/nonsense', '/title']));
    const deadline = { at: '1999-01-01T00:00:00Z', outcome: 'expire' };
    const past = await admin.patch<Refused>(`/v1/interactions/${id}`, { deadline });
    expect(past).toMatchObject({ status: 400, body: { errors: [{ pointer: '/deadline/at', code: 'past' }] } });
  });
});
