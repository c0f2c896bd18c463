/** Actors, and how the server identified them. */
import type { Draft, FileRef, Interaction, LogEvent, Page, Person, StoredFile, Thread } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { Client } from '../../client.ts';
import { upload } from '../../files-of-tests.ts';
import { type SpecClient, startSpecServer } from '../openapi/spec-server.ts';
import { invite, signedIn } from './person-client.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const logOf = async (threadId: string) =>
  (await admin.get<Page<LogEvent>>(`/v1/threads/${threadId}/log?limit=200`)).body.data;
const actorsOf = async (threadId: string) => (await logOf(threadId)).map(({ actor }) => actor);
const read = async (id: string) => (await admin.get<Interaction>(`/v1/interactions/${id}`)).body;
const photo = { fields: [{ name: 'photo', type: 'image_upload' }], options: undefined };
const answerAs = (responder: object, id: string, values: unknown = { choice: 'yes' }) =>
  admin.post<Interaction>(`/v1/interactions/${id}/answers`, { values, responder });

describe('via', () => {
  test('[PE1][PE3] a key acts with its id and its name, in the record, the log and all that it makes', async () => {
    const agent = await admin.withKey();
    const { keyId } = agent;
    const by = { type: 'agent', id: keyId, via: 'key', keyId, name: 'a key' };
    const asked = await agent.ask({ responder: { type: 'agent' } });
    expect(asked.createdBy).toEqual(by);
    const message = await agent.made<{ by: object }>(`/v1/threads/${asked.threadId}/messages`, { text: 'Hello' });
    expect(message.by).toEqual(by);
    const { body: answered } = await agent.answer(asked.id);
    expect(answered).toMatchObject({ closedBy: by, answer: { by }, votes: [{ by }] });
    expect((await admin.get<Thread>(`/v1/threads/${asked.threadId}`)).body.createdBy).toEqual(by);
    expect(await actorsOf(asked.threadId)).toEqual([by, by, by, by]);
  });

  test('[PE3] the configured key has no name, and answers for people', async () => {
    const asked = await admin.ask();
    expect(asked.createdBy).toEqual({ type: 'agent', id: 'admin', via: 'key', keyId: 'admin' });
    const { body } = await answerAs({ type: 'human', id: 'crew-7' }, asked.id);
    expect(body.answer?.by).toEqual({ type: 'human', id: 'crew-7', via: 'key', keyId: 'admin' });
    const { body: own } = await admin.answer((await admin.ask()).id);
    expect(own.answer?.by).toEqual({ type: 'human', id: 'key:admin', via: 'key', keyId: 'admin' });
  });

  test('[PE3] a token acts with the key that created it', async () => {
    const minting = await admin.withKey('admin');
    const asked = await admin.ask();
    const ada = await minting.withToken({ interactionId: asked.id });
    const { body } = await ada.answer(asked.id);
    const by = { type: 'human', id: 'ada', via: 'token', keyId: minting.keyId };
    expect(body).toMatchObject({ closedBy: by, answer: { by } });
    expect((await actorsOf(asked.threadId)).at(-1)).toEqual(by);
  });

  test('[PE3] a person acts under the name of that time, as they signed in', async () => {
    const client = await signedIn(admin, { name: 'Ann Lee' });
    const asked = await admin.ask();
    const { body } = await client.answer(asked.id);
    const by = { type: 'human', id: client.person.id, via: 'link', name: 'Ann Lee', keyId: 'admin' };
    expect(body.answer?.by).toEqual(by);
    await admin.patch(`/v1/people/${client.person.id}`, { name: 'Ann Roe' });
    expect((await read(asked.id)).answer?.by).toEqual(by);
  });

  test('[PE3] due times, grants and jobs of the server are known as such', async () => {
    const at = (seconds: number) => new Date(server.clock.now() + seconds * 1_000).toISOString();
    const asked = await admin.ask({ deadline: { at: at(60), outcome: 'decline', remindBeforeMs: [30_000] } });
    server.clock.offsetMs += 61_000;
    await expect
      .poll(() => read(asked.id))
      .toMatchObject({
        closedBy: { type: 'system', id: 'deadline', via: 'deadline' },
      });
    const approval = { kind: 'approval', options: undefined, arguments: { command: 'ls' } };
    const grant = { key: 'via', scope: 'org' };
    const always = { kind: 'allow_always', value: 'always', label: 'Always' };
    const options = [always, { kind: 'reject_once', value: 'no', label: 'No' }];
    const first = await admin.ask({ ...approval, options, grant });
    await admin.answer(first.id, { decision: 'always' });
    const second = await admin.ask({ ...approval, options, grant });
    expect(second.closedBy).toEqual({ type: 'system', id: 'grant', via: 'rule' });
  });

  test('[PE3] a visitor of a public page is known by a token of the public key', async () => {
    const key = await admin.made<{ id: string; publicKey: string }>('/v1/keys', {
      ...{ name: 'a page', role: 'public', public: { allowedOrigins: ['https://example.com'], agent: 'helper' } },
    });
    const opened = await admin.as(key.publicKey).call<{ threadId: string }>('/v1/sessions', {
      ...{ body: { customerId: 'boss' }, headers: { origin: 'https://example.com' } },
    });
    expect(await actorsOf(opened.body.threadId)).toEqual([
      { type: 'human', id: 'customer:boss', via: 'token', keyId: key.id },
    ]);
  });

  test('[PE2] no caller says how it is identified', async () => {
    const agent = await admin.withKey();
    const asked = await agent.ask({ responder: { type: 'any' } });
    const forged = [{ via: 'passkey' }, { name: 'The boss' }, { keyId: 'admin' }, { onBehalfOf: 'boss' }];
    for (const client of [agent, admin])
      for (const more of forged)
        for (const verb of ['answers', 'decline'])
          expect(
            await client.post(`/v1/interactions/${asked.id}/${verb}`, {
              responder: { type: 'human', id: 'boss', ...more },
            }),
          ).toMatchObject({ status: 400, body: { code: 'invalid-input' } });
    expect(await read(asked.id)).toMatchObject({ status: 'pending', votes: [] });
  });

  test('[PE11] a question of a dialect has no more than its page says', async () => {
    const dialect = new Client(server.url, admin.token);
    const { id: chatId } = await admin.newThread();
    const { body: created } = await dialect.post<{ id: string }>(`/api/v1/chats/${chatId}/requests`, {
      ...{ type: 'choice', title: 'Deploy?', config: { options: [{ id: 'yes', label: 'Yes' }] } },
    });
    await admin.post(`/v1/interactions/${created.id}/cancel`);

    const late = await dialect.post<{ error: { details: Record<string, unknown> } }>(
      `/api/v1/requests/${created.id}/resolve`,
      { selectedOptionIds: ['yes'] },
    );
    expect(late.body.error.details.closedBy).toEqual({ type: 'agent', id: 'admin' });
  });
});

describe('a person who is named', () => {
  const names = (person: Person) => [
    person.id,
    `person:${person.id}`,
    person.email ?? '',
    (person.email ?? '').toUpperCase(),
    `person:${person.email}`,
  ];

  test('[PE6] by an admin key answers and declines as that person', async () => {
    const person = await invite(admin);
    const by = { type: 'human', id: person.id, via: 'key', keyId: 'admin', name: person.name };
    for (const id of names(person)) {
      const responder = { type: 'human', id };
      const asked = await admin.ask();
      expect((await answerAs(responder, asked.id)).body.answer?.by, id).toEqual(by);
      const declined = await admin.ask();
      const reply = await admin.post<Interaction>(`/v1/interactions/${declined.id}/decline`, { responder });
      expect(reply.body.answer?.by, id).toEqual(by);
    }
  });

  test('[PE6] by a token answers, drafts and uploads as that person', async () => {
    const person = await invite(admin);
    const by = { type: 'human', id: person.id, via: 'token', keyId: 'admin', name: person.name };
    for (const responderId of names(person)) {
      const asked = await admin.ask({ ...photo, responder: { type: 'human', assignees: [`person:${person.id}`] } });
      const token = await admin.withToken({ interactionId: asked.id, responderId });
      const { body: file } = await upload(token, asked.id);
      expect((await admin.get<StoredFile>(`/v1/files/${file.file_id}`)).body.by, responderId).toEqual(by);
      expect((await token.answer(asked.id, { photo: file satisfies FileRef })).body.answer?.by, responderId).toEqual(
        by,
      );
    }
  });

  test('[PE6] has one draft, whatever the name of the token', async () => {
    const client = await signedIn(admin);
    const asked = await admin.ask();
    const tokens = await Promise.all(
      names(client.person).map((responderId) => admin.withToken({ interactionId: asked.id, responderId })),
    );
    const path = `/v1/interactions/${asked.id}/draft`;
    await tokens[2]?.made(path, { values: { choice: 'no' } });
    for (const each of [client, ...tokens]) expect((await each.get<Draft>(path)).body.values).toEqual({ choice: 'no' });
    const other = await admin.withToken({ interactionId: asked.id, responderId: 'crew-7' });
    expect((await other.get<Draft>(path)).body).toEqual({});
  });

  test('[PE6] votes once, under whatever name', async () => {
    const client = await signedIn(admin);
    const { id } = await admin.ask({ resolution: { mode: 'quorum', count: 2 } });
    expect((await client.answer(id)).status).toBe(200);
    for (const name of names(client.person)) {
      const token = await admin.withToken({ interactionId: id, responderId: name });
      const again = { status: 409, body: { code: 'already-voted' } };
      expect(await token.answer(id), name).toMatchObject(again);
      expect(await answerAs({ type: 'human', id: name }, id), name).toMatchObject(again);
    }
    expect(await read(id)).toMatchObject({ status: 'pending', votes: [{ by: { id: client.person.id } }] });
  });

  test('[PE6] answers what is for their groups, and for the name of the token', async () => {
    await admin.made('/v1/groups', { id: 'crew' });
    const person = await invite(admin, { groups: ['crew'] });
    const email = person.email ?? '';
    for (const assignee of ['group:crew', email]) {
      const { id } = await admin.ask({ responder: { type: 'human', assignees: [assignee] } });
      expect(await answerAs({ type: 'human', id: email }, id), assignee).toMatchObject({
        ...{ status: 200, body: { answer: { by: { id: person.id } } } },
      });
    }
    const { id } = await admin.ask({ responder: { type: 'human', assignees: ['group:crew'] } });
    expect(await answerAs({ type: 'human', id: 'crew-7' }, id)).toMatchObject({ status: 403 });
    expect(await answerAs({ type: 'human', id: 'group:crew' }, id)).toMatchObject({ status: 403 });
  });

  test('[PE7] and deactivated is refused', async () => {
    const person = await invite(admin);
    const asked = await admin.ask();
    const token = await admin.withToken({ interactionId: asked.id, responderId: person.email });
    await admin.patch(`/v1/people/${person.id}`, { status: 'deactivated' });
    const refused = { status: 409, body: { code: 'person-deactivated' } };
    expect(await answerAs({ type: 'human', id: person.id }, asked.id)).toMatchObject(refused);
    expect(await token.answer(asked.id)).toMatchObject(refused);
    expect((await read(asked.id)).status).toBe('pending');
  });

  test('[PE7] an agent, another org and an unknown name are nobody of the org', async () => {
    const person = await invite(admin);
    const elsewhere = await admin.withOrg('actors-elsewhere');
    const answer = async (client: SpecClient, responder: object) => {
      const { id } = await client.ask({ responder: { type: 'any' } });
      const reply = await client.post<Interaction>(`/v1/interactions/${id}/answers`, {
        ...{ values: { choice: 'yes' }, responder },
      });
      return reply.body.answer?.by;
    };
    for (const responder of [
      { type: 'agent', id: person.id },
      { type: 'system', id: person.email },
      { type: 'human', id: 'nobody@example.com' },
      { type: 'human', id: '01900000-0000-7000-8000-000000000000' },
      { type: 'human', id: `person-${person.id}` },
    ])
      expect(await answer(admin, responder)).toEqual({ ...responder, via: 'key', keyId: 'admin' });
    const there = await answer(elsewhere, { type: 'human', id: person.email });
    expect(there).toMatchObject({ type: 'human', id: person.email, via: 'key' });
    expect(there).toMatchObject({ id: person.email });
  });
});

test('[PE13] a grant of a person answers for the person and their groups, until they leave', async () => {
  await admin.made('/v1/groups', { id: 'approvers' });
  const client = await signedIn(admin, { groups: ['approvers'] });
  const ask = (assignee: string, key: string) =>
    admin.ask({
      ...{ kind: 'approval', options: [{ kind: 'allow_always', value: 'always', label: 'Always' }] },
      ...{ grant: { key, scope: 'org' }, responder: { type: 'human', assignees: [assignee] } },
    });
  for (const assignee of [`person:${client.person.id}`, 'group:approvers']) {
    const { id } = await ask(assignee, assignee);
    expect((await client.answer(id, { decision: 'always' })).body.status).toBe('answered');
    expect((await ask(assignee, assignee)).answer, assignee).toMatchObject({ automatic: 'grant' });
  }
  await admin.call(`/v1/groups/approvers/members/${client.person.id}`, { method: 'DELETE' });
  expect((await ask('group:approvers', 'group:approvers')).status).toBe('pending');
  const own = `person:${client.person.id}`;
  expect((await ask(own, own)).status).toBe('answered');
});
