/** The demo from its first click to its last card. Its agent and its server are killed on the way. */
import { runAgents } from '@holdpoint/agents';
import { httpService } from '@holdpoint/client';
import type { ApiKey, Interaction, JournalEntry, Message, Page, Run } from '@holdpoint/protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { releaseManager } from '../src/demo/release-manager.ts';
import type { Client } from './client.ts';
import { png, upload } from './files-of-tests.ts';
import { serversOfATest } from './servers-of-a-test.ts';
import { adminKey, startTestServer } from './test-server.ts';

const servers = serversOfATest();
const patience = { timeout: 90_000, interval: 100 };
const longer = 400_000;

interface Demo {
  isOn: boolean;
  state: string;
  threadId?: string;
  pid?: number;
}

const demoOf = async (admin: Client) => (await admin.get<Demo>('/console/demo')).body;
const openDemo = async (admin: Client) => (await admin.post<{ threadId: string }>('/console/demo', {})).body.threadId;

async function asked(admin: Client, threadId: string, title: string): Promise<Interaction> {
  const find = async () =>
    (await admin.get<Page<Interaction>>(`/v1/interactions?threadId=${threadId}&status=pending`)).body.data;
  await expect.poll(async () => (await find()).map((question) => question.title), patience).toEqual([title]);
  return (await find())[0] as Interaction;
}

const answer = async (admin: Client, { id }: Interaction, values: object, by = 'kim') => {
  const reply = await admin.post(`/v1/interactions/${id}/answers`, { values, responder: { type: 'human', id: by } });
  expect(reply.status).toBe(200);
};

const messagesOf = async (admin: Client, threadId: string) =>
  (await admin.get<Page<Message>>(`/v1/threads/${threadId}/messages?limit=100`)).body.data;

const said = async (admin: Client, threadId: string): Promise<string> =>
  (await messagesOf(admin, threadId))
    .flatMap(({ blocks }) => blocks)
    .map(({ payload }) => [payload.title, payload.text].filter(Boolean).join('\n'))
    .join('\n');

const hears = (admin: Client, threadId: string, words: string | RegExp) =>
  typeof words === 'string'
    ? expect.poll(() => said(admin, threadId), patience).toContain(words)
    : expect.poll(() => said(admin, threadId), patience).toMatch(words);

const runsOf = async (admin: Client, threadId: string) =>
  (await admin.get<Page<Run>>(`/v1/runs?threadId=${threadId}&order=oldest`)).body.data;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const production = { version: '2.4.0', environment: 'production', ticket: 'OPS-7', window: '2026-12-01T22:00:00Z' };

async function sign(admin: Client, threadId: string, rating: object): Promise<void> {
  const question = await asked(admin, threadId, 'Sign off 2.4.0');
  const { body: signature } = await upload(admin, question.id, {
    field: 'signature',
    name: 'signature.png',
    content: png(9, 9),
  });
  await answer(admin, question, { signature, ...rating });
}

describe('opening it', () => {
  test('[DM1] it does not exist until an admin of the org opens it', async () => {
    const server = await servers.start();
    expect(await demoOf(server.admin)).toEqual({ isOn: true, state: 'off' });
    const { body: key } = await server.admin.post('/v1/keys', { name: 'a', role: 'agent' });
    const { body: org } = await server.admin.post<{ adminKey: { secret: string } }>('/v1/orgs', { id: 'acme' });
    const tried = [undefined, String(key.secret), org.adminKey.secret].map(async (token) => {
      const other = server.admin.as(token);
      return [(await other.get('/console/demo')).status, (await other.post('/console/demo', {})).status];
    });
    expect(await Promise.all(tried)).toEqual([
      [401, 401],
      [403, 403],
      [200, 404],
    ]);
    expect((await server.admin.as(org.adminKey.secret).get('/console/demo')).body).toEqual({
      isOn: false,
      state: 'off',
    });
    expect((await server.admin.get<Page<ApiKey>>('/v1/keys')).body.data.map(({ name }) => name)).toEqual(['a']);
    expect(await demoOf(server.admin)).toEqual({ isOn: true, state: 'off' });
  });

  test('[DM1] --no-demo switches it off', async () => {
    const { admin } = await servers.start({ args: ['--no-demo'] });
    expect(await demoOf(admin)).toEqual({ isOn: false, state: 'off' });
    expect((await admin.post('/console/demo', {})).status).toBe(404);
    expect((await admin.post('/console/demo/kill', {})).status).toBe(404);
  });
});

test(
  '[DM1][DM2][DM3] the whole story, with the server killed at a question and the agent killed in its work',
  async () => {
    const first = await servers.start();
    const threadId = await openDemo(first.admin);
    const { pid: firstPid = 0, ...begun } = await demoOf(first.admin);
    expect(begun).toMatchObject({ isOn: true, threadId });
    expect(isAlive(firstPid)).toBe(true);

    await answer(first.admin, await asked(first.admin, threadId, 'What should be released?'), production);
    expect(await demoOf(first.admin)).toMatchObject({ state: 'running', pid: firstPid });
    const [greeting] = (await messagesOf(first.admin, threadId)).filter(({ role }) => role === 'agent');
    expect(greeting?.blocks.map(({ type }) => type)).toEqual(['message', 'image', 'card']);
    const picture = await fetch(String(greeting?.blocks[1]?.payload.url));
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    await asked(first.admin, threadId, 'Roll out 2.4.0 to production?');

    // kill -9 gives no notice, but the agent must end too.
    servers.running.delete(first);
    await first.kill('SIGKILL');
    await expect.poll(() => isAlive(firstPid), patience).toBe(false);
    const { admin } = await servers.start();
    await expect.poll(() => demoOf(admin), patience).toMatchObject({ state: 'running', threadId });

    const approval = await asked(admin, threadId, 'Roll out 2.4.0 to production?');
    expect(approval.arguments).toMatchObject({ version: '2.4.0', ticket: 'OPS-7', strategy: 'rolling' });
    await answer(admin, approval, { decision: 'allow', strategy: 'canary', percentPerStep: 50 });

    await hears(admin, threadId, /Ohio: 0%/);
    const { pid: secondPid = 0 } = await demoOf(admin);
    const killed = await admin.post<Demo>('/console/demo/kill', {});
    expect(killed.body).toEqual({ isOn: true, state: 'killed', threadId });
    await expect.poll(() => isAlive(secondPid), patience).toBe(false);
    await expect.poll(async () => (await demoOf(admin)).state, patience).toBe('running');
    const { pid: thirdPid } = await demoOf(admin);
    expect(thirdPid).not.toBe(secondPid);
    await hears(
      admin,
      threadId,
      `You killed me: process ${secondPid} began **Ohio**, and process ${thirdPid} finished it.`,
    );

    await sign(admin, threadId, { rating: 5 });
    const announce = await asked(admin, threadId, 'Tell all customers about 2.4.0 now?');
    await answer(admin, announce, { choice: 'now' });
    await hears(admin, threadId, /your colleague \*\*Sam\*\*/);
    const links = (await messagesOf(admin, threadId)).flatMap(({ blocks }) =>
      blocks.filter(({ type }) => type === 'link'),
    );
    const [, token] = /\/a\/#(hpr_.+)$/.exec(String(links[0]?.payload.url)) ?? [];
    const sams = await admin.as(token).post(`/v1/interactions/${announce.id}/answers`, { values: { choice: 'now' } });
    expect(sams.body).toMatchObject({ status: 'answered', answer: { by: { type: 'human', id: 'sam' } } });

    await hears(admin, threadId, /2\.4\.0 is on production\nApproved by kim, with changes: canary, 50% per step\n/);
    const words = await said(admin, threadId);
    for (const line of [
      'Killed once meanwhile',
      'Signed by kim, 5 of 5 stars',
      'Announced to all customers, as kim and sam decided',
    ])
      expect(words).toContain(line);
    const [run] = await runsOf(admin, threadId);
    await expect.poll(async () => (await runsOf(admin, threadId))[0]?.status, patience).toBe('completed');
    const { body: journal } = await admin.get<Page<JournalEntry>>(`/v1/runs/${run?.id}/journal?limit=200`);
    const done = journal.data.filter(({ type, state }) => type === 'step' && state === 'done').map(({ name }) => name);
    expect(done.filter((name) => name?.startsWith('begin'))).toEqual([
      'begin Frankfurt',
      'begin Ohio',
      'begin Singapore',
    ]);

    // It created one agent key, and uses it after every restart.
    const { body: keys } = await admin.get<Page<ApiKey>>('/v1/keys');
    expect(keys.data).toMatchObject([{ id: 'release-manager', role: 'agent' }]);

    // The story begins again with the next message.
    await admin.post(`/v1/threads/${threadId}/messages`, { text: 'Again, please', role: 'user' });
    await asked(admin, threadId, 'What should be released?');
  },
  longer,
);

test(
  '[DM3] the agent ends with its server, and does not start if the story has not begun or is over',
  async () => {
    const first = await servers.start();
    const threadId = await openDemo(first.admin);
    const question = await asked(first.admin, threadId, 'What should be released?');
    const { pid = 0 } = await demoOf(first.admin);
    await first.admin.post(`/v1/interactions/${question.id}/decline`, { responder: { type: 'human', id: 'kim' } });
    await expect.poll(async () => (await runsOf(first.admin, threadId))[0]?.status, patience).toBe('completed');
    servers.running.delete(first);
    expect(await first.kill('SIGTERM')).toMatchObject({ code: 0 });
    await expect.poll(() => isAlive(pid), patience).toBe(false);
    const { admin } = await servers.start();
    await expect.poll(() => demoOf(admin), patience).toEqual({ isOn: true, state: 'off', threadId });
  },
  longer,
);

test(
  '[DM1][DM2][X5] a revoked key of the demo stays revoked, and the next key replaces it',
  async () => {
    const { admin } = await servers.start();
    await asked(admin, await openDemo(admin), 'What should be released?');
    await admin.post('/v1/keys/release-manager/revoke', {});
    const { pid = 0 } = await demoOf(admin);
    process.kill(pid, 'SIGKILL');
    await expect.poll(async () => [undefined, pid].includes((await demoOf(admin)).pid), patience).toBe(false);
    await asked(admin, await openDemo(admin), 'What should be released?');
    const { body } = await admin.get<Page<ApiKey>>('/v1/keys');
    expect(body.data.map(({ id, revokedAt }) => [id, revokedAt !== undefined]).sort()).toEqual([
      ['release-manager', true],
      ['release-manager-1', false],
    ]);
  },
  longer,
);

test(
  '[DM6] it shows the address at which an admin opened it, even if a thread has another',
  async () => {
    const { admin, url } = await servers.start();
    const here = url.replace('127.0.0.1', 'localhost');
    const opened = await fetch(`${here}/console/demo`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey}`, origin: here, 'content-type': 'application/json' },
      body: '{}',
    });
    const { threadId } = (await opened.json()) as { threadId: string };
    const theirs = { agent: 'release-manager', metadata: { origin: 'https://evil.example' } };
    const { body: other } = await admin.post<{ id: string }>('/v1/threads', theirs);
    await admin.post(`/v1/threads/${other.id}/messages`, { text: 'Go', role: 'user' });
    const picture = async (id: string) =>
      (await messagesOf(admin, id)).flatMap(({ blocks }) => blocks).find(({ type }) => type === 'image')?.payload.url;
    await expect.poll(() => picture(threadId), patience).toBe(`${here}/console/demo/release.svg`);
    await expect.poll(() => picture(other.id), patience).toBe(`${url}/console/demo/release.svg`);
  },
  longer,
);

describe('other paths of the story', () => {
  async function inAHurry() {
    const server = await startTestServer({ hasDemo: false });
    const service = httpService({ url: server.url, key: adminKey });
    const world = {
      service,
      linkFor: async (id: string) => `${server.url}/a/#${id}`,
      originOf: async () => server.url,
      pace: 0,
    };
    const worker = runAgents({ service, agents: [releaseManager(world)], onError: () => {} });
    onTestFinished(async () => {
      await worker.stop();
      await server[Symbol.asyncDispose]();
    });
    const { body } = await server.admin.post<{ id: string }>('/v1/threads', { agent: 'release-manager' });
    await server.admin.post(`/v1/threads/${body.id}/messages`, { text: 'Go', role: 'user' });
    return { server, admin: server.admin, threadId: body.id };
  }

  const ended = (admin: Client, threadId: string) =>
    expect.poll(async () => (await runsOf(admin, threadId))[0], patience);

  test('[DM4] the agent asks why after a no, details may be changed, and a cancelled question ends the story', async () => {
    const { admin, threadId } = await inAHurry();
    const details = await asked(admin, threadId, 'What should be released?');
    await answer(admin, details, { version: '2.4.1', environment: 'staging' });
    const approval = await asked(admin, threadId, 'Roll out 2.4.1 to staging?');
    await admin.post(`/v1/interactions/${approval.id}/decline`, {
      reason: 'a typo',
      responder: { type: 'human', id: 'kim' },
    });
    const next = await asked(admin, threadId, 'The plan was denied. What should happen next?');
    expect(next.body).toContain('a typo');
    await answer(admin, next, { choice: 'change' });
    const again = await asked(admin, threadId, 'What should be released?');
    expect(again.fields[0]).toMatchObject({ name: 'version', default: '2.4.1' });
    await admin.post(`/v1/interactions/${again.id}/cancel`, { reason: 'a test' });
    await ended(admin, threadId).toMatchObject({ status: 'completed', result: 'stopped: cancelled' });
    expect(await said(admin, threadId)).toContain('The request was cancelled (“a test”). There is no release today');
  });

  test('[DM4] if two people do not agree in time, the deadline accepts the recommended answer', async () => {
    const { server, admin, threadId } = await inAHurry();
    await answer(admin, await asked(admin, threadId, 'What should be released?'), {
      version: '2.4.0',
      environment: 'staging',
    });
    await answer(admin, await asked(admin, threadId, 'Roll out 2.4.0 to staging?'), { decision: 'allow' });
    await sign(admin, threadId, { rating: 1, complaint: 'too quick' });
    const announce = await asked(admin, threadId, 'Tell all customers about 2.4.0 now?');
    await answer(admin, announce, { choice: 'now' });
    await answer(admin, announce, { choice: 'tomorrow' }, 'sam');
    server.clock.offsetMs += 180_001;
    await ended(admin, threadId).toMatchObject({ status: 'completed', result: 'released' });
    const words = await said(admin, threadId);
    expect(words).toContain('Announced tomorrow morning: two did not agree in time');
    expect(words).toContain('Never killed');
  });

  test('[DM4] if nobody signs, the agent reports the release and announces nothing', async () => {
    const { admin, threadId } = await inAHurry();
    await answer(admin, await asked(admin, threadId, 'What should be released?'), {
      version: '2.4.0',
      environment: 'staging',
    });
    await answer(admin, await asked(admin, threadId, 'Roll out 2.4.0 to staging?'), { decision: 'allow' });
    const signature = await asked(admin, threadId, 'Sign off 2.4.0');
    await admin.post(`/v1/interactions/${signature.id}/decline`, { responder: { type: 'human', id: 'kim' } });
    await ended(admin, threadId).toMatchObject({ status: 'completed', result: 'stopped: declined' });
    expect(await said(admin, threadId)).toContain('The version is rolled out, but nobody signed it off.');
  });
});
