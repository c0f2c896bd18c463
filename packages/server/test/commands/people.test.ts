/** holdpoint people, groups and admin-log: the commands that manage people. */
import type { AdminEvent, CreatedApiKey, InvitedPerson, Person } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { call, header, tokenOf } from '../http/access/console-caller.ts';
import { startTestServer } from '../test-server.ts';
import { commandsFor } from './commands-of-a-test.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());
const run = commandsFor(server);
const jsonLines = <T>(text: string): T[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('people', () => {
  test('[CM11] invite prints the link and nothing else on stdout, and the link signs the person in', async () => {
    await run(['groups', 'create', 'ops', '--name', 'Operations']);
    const flags = ['--name', 'Ann Lee', '--role', 'admin', '--role', 'member', '--group', 'ops'];
    const invited = await run(['people', 'invite', 'Ann@Example.com', ...flags]);
    expect(invited).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http\S+\n$/) });
    expect(invited.stderr).toMatch(/^Ann Lee is invited, as \S+; the link works once, until \S+\n$/);
    const shown = await run(['people', 'show', 'ann@example.com']);
    const ann = JSON.parse(shown.stdout) as Person;
    expect(ann).toMatchObject({ name: 'Ann Lee', status: 'invited', roles: ['admin', 'member'], groups: ['ops'] });
    const body = { link: tokenOf(invited.stdout.trim()) };
    expect((await call(server.url, '/console/session', { headers: header, body })).status).toBe(200);

    const line = `${ann.id}  active       admin,member   Ann Lee  Ann@Example.com  in ops\n`;
    expect((await run(['people'])).stdout).toBe(line);
    for (const filter of [
      ['--group', 'ops'],
      ['--status', 'active'],
      ['--search', 'lee'],
    ])
      expect((await run(['people', 'list', ...filter])).stdout).toBe(line);
    expect((await run(['people', '--status', 'deactivated'])).stdout).toBe('');

    const [session] = jsonLines<{ id: string }>((await run(['people', 'sessions', ann.id, '--json'])).stdout);
    const sessions = await run(['people', 'sessions', 'ANN@example.com']);
    expect(sessions.stdout).toMatch(
      new RegExp(`^${session?.id} {2}link {5}since \\S+ \\S+ {2}used \\S+ \\S+ {2}.+\n$`),
    );
    expect((await run(['people', 'end-session', ann.id, session?.id ?? ''])).stdout).toBe(
      `session ${session?.id} ended\n`,
    );
    expect((await run(['people', 'sessions', ann.id])).stdout).toBe('');
  });

  test('[CM11] role, deactivate and reactivate say how the person is now', async () => {
    const { stdout } = await run(['people', 'invite', 'ben@example.com', '--json']);
    const ben = JSON.parse(stdout) as InvitedPerson;
    expect(ben).toMatchObject({ name: 'ben@example.com', invitation: { url: expect.any(String) } });
    const outputs = [
      await run(['people', 'role', 'ben@example.com', 'auditor', 'member']),
      await run(['people', 'deactivate', ben.id]),
      await run(['people', 'reactivate', ben.id]),
    ];
    expect(outputs.map((output) => output.stdout)).toEqual([
      'ben@example.com is auditor, member\n',
      'ben@example.com is deactivated\n',
      'ben@example.com is invited\n',
    ]);
    const last = await run(['people', 'deactivate', 'ann@example.com']);
    expect(last).toMatchObject({ code: 1, stderr: expect.stringContaining('Make another person an admin first.') });
  });

  test('[CM8] usage errors are one line, and an agent key may call none of these', async () => {
    const { body } = await server.admin.post<CreatedApiKey>('/v1/keys', { name: 'a', role: 'agent' });
    const env = { HOLDPOINT_API_KEY: body.secret };
    const tried = await Promise.all([
      run(['people', 'eat', 'ann']),
      run(['people', 'invite']),
      run(['people', 'invite', 'x@y.example', '--role', 'king']),
      run(['people', 'role', 'ann@example.com']),
      run(['people', 'list', '--status', 'gone']),
      run(['people', 'show', 'nobody@example.com']),
      run(['people', 'show', 'a', 'b']),
      run(['groups', 'add', 'ops']),
      run(['groups', 'constructor']),
      run(['admin-log', '--since', 'yesterday']),
      run(['admin-log', '--since', '2030-13-01T00:00:00Z']),
      run(['people'], { env }),
      run(['admin-log'], { env }),
    ]);
    const admin = 'The caller has agent rights. Set HOLDPOINT_API_KEY to an admin key.';
    expect(tried.map(({ code, stderr }) => `${code} ${stderr.trimEnd()}`)).toEqual([
      '2 holdpoint: people takes list, invite, show, role, deactivate, reactivate, sessions or end-session, not "eat"',
      '2 holdpoint: people invite takes EMAIL: holdpoint people invite EMAIL',
      '2 holdpoint: a role is admin, member or auditor',
      '2 holdpoint: people role takes PERSON ROLE…: holdpoint people role PERSON ROLE…',
      '2 holdpoint: --status is invited, active or deactivated',
      '2 holdpoint: nobody here has the email nobody@example.com',
      '2 holdpoint: "b" is an unexpected argument; put text with spaces in quotes',
      '2 holdpoint: groups add takes GROUP PERSON: holdpoint groups add GROUP PERSON',
      '2 holdpoint: groups takes list, create, delete, add or remove, not "constructor"',
      '2 holdpoint: --since takes a time like 90s, 10m, 2h or 1d, not "yesterday"',
      '2 holdpoint: --since takes a time like 12h, or a date like 2030-01-31T12:00:00Z',
      `1 holdpoint: listPeople needs admin or member or auditor rights. ${admin}`,
      `1 holdpoint: listAdminEvents needs admin or auditor rights. ${admin}`,
    ]);
  });

  test('[CM8] the name of a person cannot move the cursor or imitate a line', async () => {
    const name = 'Eve\u001b[2J\u202egnp';
    await server.admin.post('/v1/people', { name: 'Eve\u202egnp', email: 'eve@example.com' });
    expect((await server.admin.post('/v1/people', { name })).status).toBe(400);
    const { stdout } = await run(['people', '--search', 'eve@']);
    expect(stdout).toContain('Eve[U+202E]gnp');
    expect((await run(['people', '--search', 'eve@', '--json'])).stdout).toContain('Eve\\u202egnp');
    expect((await run(['admin-log'])).stdout).toContain('Eve[U+202E]gnp');
  });
});

test('[CM11] groups are created, listed, filled and deleted', async () => {
  await server.admin.post('/v1/people', { name: 'Cy', email: 'cy@example.com' });
  const outputs: string[] = [];
  for (const args of [
    ['create', 'legal', '--name', 'Legal team'],
    ['add', 'legal', 'cy@example.com'],
    ['add', 'legal', 'CY@example.com'],
    ['list'],
    ['remove', 'legal', 'cy@example.com'],
    ['delete', 'legal'],
  ])
    outputs.push((await run(['groups', ...args])).stdout);
  expect(outputs).toEqual([
    'legal created\n',
    'Cy is in legal\n',
    'Cy is in legal\n',
    expect.stringContaining('legal  Legal team\n'),
    'Cy is in no group\n',
    'legal deleted\n',
  ]);
  expect(await run(['groups', 'delete', 'legal'])).toMatchObject({
    code: 1,
    stderr: 'holdpoint: There is no group legal.\n',
  });
});

test('[CM12] admin-log prints the newest first, as lines or JSON, and exports everything', async () => {
  for (let n = 0; n < 60; n++) await server.admin.post('/v1/groups', { id: `many-${n}` });
  const { stdout } = await run(['admin-log']);
  const printed = stdout.trim().split('\n');
  expect(printed).toHaveLength(50);
  expect(printed[0]).toMatch(/^\d{4}-\S+Z {2}group\.created +agent admin \(key\) {2}many-59$/);
  const json = jsonLines<AdminEvent>((await run(['admin-log', '--since', '1h', '--json'])).stdout);
  expect(json.length).toBeGreaterThan(60);
  expect(json.map(({ at }) => at)).toEqual(
    json
      .map(({ at }) => at)
      .toSorted()
      .reverse(),
  );
  const exported = jsonLines<AdminEvent>((await run(['admin-log', '--export'])).stdout);
  expect(exported.slice(1)).toEqual(expect.arrayContaining(json));
  expect(exported[0]).toMatchObject({ type: 'export.created', actor: { via: 'key' } });
  expect((await run(['admin-log', '--since', '2999-01-01T00:00:00Z'])).stdout).toBe('');
});
