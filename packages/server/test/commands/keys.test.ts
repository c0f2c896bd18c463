/** holdpoint keys: create, list, revoke. The secret appears once. */
import type { CreatedApiKey } from '@holdpoint/protocol';
import { afterAll, expect, test } from 'vitest';
import { startTestServer } from '../test-server.ts';
import { commandsFor } from './commands-of-a-test.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());
const run = commandsFor(server);

test('[CM7][X5] create prints the key and nothing else on stdout; it works until it is revoked', async () => {
  const made = await run(['keys', 'create', '--role', 'agent', '--name', 'ci']);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^hp_\S+\n$/) });
  const secret = made.stdout.trim();
  expect((await server.admin.as(secret).get('/v1/threads')).status).toBe(200);
  const listed = (await run(['keys', '--json'])).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(listed).toMatchObject([{ name: 'ci', role: 'agent' }]);
  const lines = await run(['keys', 'list']);
  expect(lines.stdout).toMatch(new RegExp(`^${listed[0].id} {2}agent +\\d{4}-\\d\\d-\\d\\d {2}ci\n$`));
  expect(lines.stdout + JSON.stringify(listed)).not.toContain(secret);
  expect(await run(['keys', 'revoke', listed[0].id])).toEqual({
    code: 0,
    stderr: '',
    stdout: 'ci revoked\n',
  });
  await expect.poll(async () => (await server.admin.as(secret).get('/v1/threads')).status).toBe(401);
  expect((await run(['keys'])).stdout).toContain('revoked ');
});

test('[CM7][PK1] a public key has its origins and its agent', async () => {
  const flags = [
    '--role',
    'public',
    '--name',
    'site',
    '--origin',
    'https://acme.example',
    '--agent',
    'helper',
    '--json',
  ];
  const made = JSON.parse((await run(['keys', 'create', ...flags])).stdout) as CreatedApiKey;
  expect(made).toMatchObject({ role: 'public', public: { agent: 'helper', allowedOrigins: ['https://acme.example'] } });
});

test('[CM8] usage errors are one line, and an agent key may call none of these', async () => {
  const { body } = await server.admin.post<CreatedApiKey>('/v1/keys', { name: 'a', role: 'agent' });
  const tried = await Promise.all([
    run(['keys', 'create', '--name', 'x', '--role', 'king']),
    run(['keys', 'create', '--role', 'agent']),
    run(['keys', 'burn']),
    run(['keys', 'revoke']),
    run(['keys'], { env: { HOLDPOINT_API_KEY: body.secret } }),
  ]);
  expect(tried.map(({ code, stderr }) => `${code} ${stderr}`)).toEqual([
    '2 holdpoint: --role is agent, admin or public\n',
    '2 holdpoint: name the purpose of the key: --name ci\n',
    '2 holdpoint: keys takes list, create or revoke, not "burn"\n',
    '2 holdpoint: name the key: holdpoint keys revoke ID\n',
    '1 holdpoint: listApiKeys needs admin or auditor rights. The caller has agent rights. Set HOLDPOINT_API_KEY to an admin key.\n',
  ]);
});
