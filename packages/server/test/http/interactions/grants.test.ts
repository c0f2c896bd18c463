import type { Grant, Interaction, LogEvent, Page } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { startSpecServer } from '../openapi/spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const options = [
  { value: 'once', label: 'Allow', kind: 'allow_once' },
  { value: 'always', label: 'Always allow', kind: 'allow_always' },
  { value: 'no', label: 'Deny', kind: 'reject_once' },
];
const approve = (key: string, threadId?: string) =>
  admin.ask({ kind: 'approval', options, grant: { key, scope: 'org', forMs: 3_600_000 } }, threadId);
const grantsOf = async (key: string) => (await admin.get<Page<Grant>>(`/v1/grants?key=${key}`)).body.data;

test('[G4] a grant is listed, answers what comes after it, and no longer once an admin has revoked it', async () => {
  const asked = await approve('rm');
  await admin.answer(asked.id, { decision: 'always' });
  const [grant] = await grantsOf('rm');
  expect(grant).toMatchObject({ key: 'rm', scope: 'org', decision: 'allow', interactionId: asked.id });
  expect(await approve('rm')).toMatchObject({
    status: 'answered',
    answer: {
      automatic: 'grant',
      grantId: grant?.id,
      values: { decision: 'once' },
      by: { type: 'system', id: 'grant', via: 'rule' },
    },
  });

  const agent = await admin.withKey();
  expect((await agent.get<Page<Grant>>('/v1/grants?key=rm')).body.data).toEqual([grant]);
  expect(await agent.post(`/v1/grants/${grant?.id}/revoke`)).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  });
  const revoked = await admin.post<Grant>(`/v1/grants/${grant?.id}/revoke`);
  expect(revoked).toMatchObject({ status: 200, body: { revokedBy: { type: 'agent', id: 'admin' } } });
  expect(await grantsOf('rm')).toEqual([revoked.body]);
  expect(await approve('rm')).toMatchObject({ status: 'pending' });
  expect(await admin.post(`/v1/grants/${grant?.id}/revoke`)).toMatchObject({
    status: 409,
    body: { code: 'grant-revoked', current: { revokedAt: revoked.body.revokedAt } },
  });

  const { body: log } = await admin.get<Page<LogEvent>>(`/v1/threads/${asked.threadId}/log`);
  expect(log.data.slice(2).map(({ type, interactionId }) => ({ type, interactionId }))).toEqual([
    { type: 'interaction.answered', interactionId: asked.id },
    { type: 'grant.created', interactionId: asked.id },
    { type: 'grant.revoked', interactionId: asked.id },
  ]);
  expect(log.data.at(-1)?.data).toEqual({ grant: revoked.body });
});

describe('what “always” covers', () => {
  const shell = (command: string, more: object = {}) => ({
    kind: 'approval',
    title: 'Run this command?',
    options,
    arguments: { command, path: '/tmp' },
    origin: { type: 'tool', reference: 'shell' },
    grant: { key: 'shell', scope: 'org' },
    ...more,
  });

  test('[G20] always to `ls` does not approve `rm -rf /` under the same key, from anybody', async () => {
    const [agent, another] = [await admin.withKey(), await admin.withKey()];
    const asked = await agent.ask(shell('ls'));
    await admin.answer(asked.id, { decision: 'always' });
    expect(await agent.ask(shell('rm -rf /'))).toMatchObject({ status: 'pending' });
    expect(await another.ask(shell('rm -rf /'))).toMatchObject({ status: 'pending' });
    expect(await another.ask(shell('ls'))).toMatchObject({ status: 'pending' });
    expect(await agent.ask(shell('ls', { title: 'Run `rm -rf /`?' }))).toMatchObject({ status: 'pending' });
    expect(await agent.ask(shell('ls'))).toMatchObject({ status: 'answered', answer: { automatic: 'grant' } });
    const [grant] = await grantsOf('shell');
    expect(grant?.covers).toMatchObject({
      // A public name: cspell:ignore asker
      asker: { type: 'agent', id: asked.createdBy.id },
      origin: { type: 'tool', reference: 'shell' },
      title: 'Run this command?',
      arguments: { command: 'ls', path: '/tmp' },
      variable: [],
    });
  });

  test('[G21] an argument that the question declares variable may have any value, and no other', async () => {
    const variable = { grant: { key: 'shell-anywhere', scope: 'org', variable: ['path'] } };
    const asked = await admin.ask(shell('ls', variable));
    await admin.answer(asked.id, { decision: 'always' });
    const elsewhere = { ...variable, arguments: { command: 'ls', path: '/etc' } };
    expect(await admin.ask(shell('ls', elsewhere))).toMatchObject({ status: 'answered' });
    const other = { ...variable, arguments: { command: 'rm', path: '/tmp' } };
    expect(await admin.ask(shell('ls', other))).toMatchObject({ status: 'pending' });
    expect((await grantsOf('shell-anywhere'))[0]?.covers).toMatchObject({
      arguments: { command: 'ls' },
      variable: ['path'],
    });
  });

  test('[G21] what is not an argument cannot be declared variable', async () => {
    const { id } = await admin.newThread();
    const grant = { key: 'k', scope: 'org', variable: ['nowhere'] };
    expect(await admin.post(`/v1/threads/${id}/interactions`, shell('ls', { grant }))).toMatchObject({
      status: 400,
      body: { code: 'invalid-input', errors: [{ pointer: '/grant/variable/0', code: 'unknown' }] },
    });
  });

  test('[G20] hundreds of standing answers under one key hide none', async () => {
    const { id: threadId } = await admin.newThread();
    const first = await admin.ask(shell('first', { grant: { key: 'many', scope: 'org' } }), threadId);
    await admin.answer(first.id, { decision: 'always' });
    for (let n = 0; n < 120; n++) {
      const { id } = await admin.ask(shell(`command ${n}`, { grant: { key: 'many', scope: 'org' } }), threadId);
      await admin.answer(id, { decision: 'always' });
    }
    expect(await admin.ask(shell('first', { grant: { key: 'many', scope: 'org' } }))).toMatchObject({
      status: 'answered',
    });
  });
});

test('[G4] of many who revoke at once one does it', async () => {
  await admin.answer((await approve('race')).id, { decision: 'always' });
  const [grant] = await grantsOf('race');
  const replies = await Promise.all(Array.from({ length: 6 }, () => admin.post(`/v1/grants/${grant?.id}/revoke`)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
});

test('[G4] grants are listed in pages, the newest first, all or of one key', async () => {
  const { id: threadId } = await admin.newThread();
  for (const key of ['p1', 'p2', 'p3']) {
    const asked: Interaction = await approve(key, threadId);
    await admin.answer(asked.id, { decision: 'always' });
  }
  const first = (await admin.get<Page<Grant>>('/v1/grants?limit=2')).body;
  expect(first.data.map(({ key }) => key)).toEqual(['p3', 'p2']);
  const second = (await admin.get<Page<Grant>>(`/v1/grants?limit=1&cursor=${first.next}`)).body;
  expect(second.data.map(({ key }) => key)).toEqual(['p1']);
  expect((await grantsOf('p2')).map(({ key }) => key)).toEqual(['p2']);
  expect(await grantsOf('never')).toEqual([]);
  expect(await admin.post('/v1/grants/never-was/revoke')).toMatchObject({
    status: 404,
    body: { code: 'grant-not-found' },
  });
});
