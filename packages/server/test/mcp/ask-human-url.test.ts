/** ask_human with a client of 2026-07-28 that leads its user to a page, where a form cannot say it all. */
import type { Interaction } from '@holdpoint/protocol';
import { afterAll, expect, test } from 'vitest';
import { adminKey, startTestServer } from '../test-server.ts';
import { type AskResult, ask, connectMcp, firstRound, modern, nextRound, powers, waitOn } from './mcp-client.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());

const secret = {
  title: 'The token?',
  fields: [{ name: 'token', type: 'password', required: true }],
  assignees: ['ana'],
};
const resultOf = (result: unknown) => (result as { structuredContent: AskResult }).structuredContent;

const newKey = async (role: string) =>
  (await server.admin.post<{ secret: string }>('/v1/keys', { name: 'another', role })).body.secret;
const leads = (key = adminKey, capabilities: object = powers.both) =>
  connectMcp(server.url, { ...modern, capabilities }, key);
const read = async (id: string) => (await server.admin.get<Interaction>(`/v1/interactions/${id}`)).body;

async function asked(input: object, key?: string, capabilities?: object) {
  await using client = await leads(key, capabilities);
  const { inputRequests } = await firstRound(client, input);
  return inputRequests.answer?.params ?? { message: 'nothing was asked' };
}

/** Answers as the page of a link does, with the token after the # of the address. */
async function answerAt(url: string, values: object) {
  const token = new URL(url).hash.slice(1);
  const { interaction } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return server.admin.as(token).post(`/v1/interactions/${interaction}/answers`, { values });
}

test('[AH2] a form only where it says it all: for the rest a page', async () => {
  const field = (more: object) => ({ title: 'This?', fields: [{ name: 'a', ...more }] });
  for (const fits of [
    { title: 'What?' },
    field({ type: 'email' }),
    field({ type: 'multi_select', options: ['a', 'b'] }),
    field({ type: 'date' }),
  ])
    expect(await asked(fits), JSON.stringify(fits)).toMatchObject({ requestedSchema: { type: 'object' } });
  const text = { name: 'b', type: 'text' };
  for (const needsAPage of [
    field({ type: 'file_upload' }),
    field({ type: 'signature' }),
    field({ type: 'password' }),
    field({ type: 'text', secret: true }),
    field({ type: 'textarea' }),
    {
      title: 'This?',
      fields: [text, { name: 'c', type: 'text', visibleIf: { all_of: [{ field: 'b', op: 'not_empty' }] } }],
    },
    { title: 'This?', fields: Array.from({ length: 11 }, (_, n) => ({ name: `f${n}`, type: 'text' })) },
    { title: 'This?', body: 'long '.repeat(1_000) },
  ])
    expect(await asked(needsAPage), JSON.stringify(needsAPage).slice(0, 99)).toMatchObject({ mode: 'url' });
  expect(await asked({ title: 'What?' }, adminKey, powers.url)).toMatchObject({ mode: 'url', message: 'What?' });
  const hidden = await asked({ title: 'invoice \u202egnp.exe' }, adminKey, powers.url);
  expect(hidden.message).toBe('invoice [U+202E]gnp.exe');
});

test('[AH2] [AH6] the page is that of the one person who was asked, and what they say there is the answer', async () => {
  await using client = await leads();
  const links: string[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const { url } = params as { url: string };
    links.push(url);
    expect((await answerAt(url, { token: 's3cret' })).status).toBe(200);
    return { action: 'accept' };
  });
  const answered = await ask(client, secret);
  expect(answered).toMatchObject({
    status: 'answered',
    answered_by: { type: 'human', id: 'ana' },
    secret_fields: ['token'],
    values: {},
  });
  expect(JSON.stringify(answered)).not.toContain('s3cret');
  expect(links).toEqual([expect.stringContaining(`${server.url}/a/#hpr_`)]);
  expect((await fetch(links[0] ?? '')).status).toBe(200);
});

test('[AH3] a page that was opened is waited for, as long as the call may last; the handle goes on', async () => {
  await using client = await leads();
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept' as const }));
  const opened = await ask(client, { ...secret, wait_seconds: 0 });
  expect(opened).toMatchObject({ status: 'pending' });
  const waiting = waitOn(client, opened.interaction_id);
  await server.admin.post(`/v1/interactions/${opened.interaction_id}/answers`, {
    values: { token: 't' },
    responder: { type: 'human', id: 'ana' },
  });
  expect(await waiting).toMatchObject({ status: 'answered' });
});

test('[AH3] [AH5] declining to open it declines only for people that the key may answer for', async () => {
  const said = { action: 'decline' };
  await using admin = await leads();
  const own = await firstRound(admin, secret);
  expect(resultOf(await nextRound(admin, { ...own, input: secret, said }))).toMatchObject({
    status: 'declined',
    answered_by: { type: 'human', id: 'ana' },
  });
  await using agent = await leads(await newKey('agent'));
  const others = await firstRound(agent, secret);
  expect(resultOf(await nextRound(agent, { ...others, input: secret, said }))).toMatchObject({ status: 'pending' });
});

test('[AH6] an address that an agent is given lets nobody answer: the person signs in where it leads', async () => {
  const key = await newKey('agent');
  for (const input of [secret, { title: 'What?' }, { title: 'What?', assignees: ['ana', 'bo'] }]) {
    const { url = '', mode } = await asked(input, key);
    expect([mode, url]).toEqual(['url', expect.stringMatching(/\/#\/inbox\/[^/]+$/)]);
    expect(url).not.toContain('hpr_');
    const { status } = await read(url.split('/').at(-1) ?? '');
    expect(status).toBe('pending');
  }
  const { url = '' } = await asked({ title: 'Which?', fields: [{ name: 'f', type: 'file_upload' }] });
  expect(url).toMatch(/\/#\/inbox\//);
});

test('[AH6] the link of one question is of no use for another', async () => {
  const { url = '' } = await asked(secret);
  const other = await ask(await leads(adminKey, {}), { ...secret, wait_seconds: 0 });
  const token = new URL(url).hash.slice(1);
  const answer = { values: { token: 't' } };
  expect((await server.admin.as(token).post(`/v1/interactions/${other.interaction_id}/answers`, answer)).status).toBe(
    404,
  );
  expect((await answerAt(url, { token: 't' })).status).toBe(200);
});
