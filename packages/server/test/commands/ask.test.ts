/** holdpoint ask: its output, and its exit codes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Interaction, Page } from '@holdpoint/protocol';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { newPlace } from '../new-place.ts';
import { spawnServer } from '../spawned-server.ts';
import { startTestServer } from '../test-server.ts';
import { commandsFor, freePort, patience, startCommand } from './commands-of-a-test.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());
const run = commandsFor(server);

/** Asks in a new thread and returns the request once it exists. */
async function asking(thread: string, ...args: string[]) {
  const command = startCommand(server.url, ['ask', '--thread', thread, ...args]);
  return { command, question: await questionIn(thread) };
}

async function questionIn(thread: string): Promise<Interaction> {
  const list = () => server.admin.get<Page<Interaction>>(`/v1/interactions?threadId=${thread}`);
  await expect.poll(async () => (await list()).body.data?.length, patience).toBe(1);
  return (await list()).body.data[0] as Interaction;
}

const answer = ({ id }: Interaction, values: object) => server.admin.post(`/v1/interactions/${id}/answers`, { values });

describe('how it ends', () => {
  test('[CM1] answered: exit 0, the answer as one line of JSON, and all else on stderr', async () => {
    const { command, question } = await asking(
      'deploy',
      'Deploy 2.4.0?',
      '--choice',
      'staging',
      '--choice',
      'production',
    );
    expect(question).toMatchObject({ kind: 'choice', title: 'Deploy 2.4.0?', responder: { type: 'human' } });
    await answer(question, { choice: 'staging' });
    const { stdout, stderr, code } = await command.finished;
    expect(code).toBe(0);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ interactionId: question.id, threadId: 'deploy', status: 'answered', values: { choice: 'staging' } },
      by: { type: 'human', id: 'key:admin' },
    });
    expect(stderr).toContain('waiting for any human');
    expect(stderr).toContain(`${server.url}/#/inbox/${question.id}`);
    expect(stderr).toContain('answered by key:admin');
    // No colors without a terminal.
    expect(stderr).not.toContain('\x1b');
  });

  test('[CM1] declined: exit 3, with the reason', async () => {
    const { command, question } = await asking(
      'declined',
      'Delete 14 files?',
      '--approve',
      '--argument',
      'folder=/srv/old',
    );
    expect(question).toMatchObject({ kind: 'approval', arguments: { folder: '/srv/old' } });
    await server.admin.post(`/v1/interactions/${question.id}/decline`, { reason: 'we need them' });
    const { stdout, code } = await command.finished;
    expect({ ...JSON.parse(stdout), code }).toMatchObject({ code: 3, status: 'declined', reason: 'we need them' });
  });

  test('[CM1] an approval that is denied: exit 3', async () => {
    const { command, question } = await asking('denied', 'Delete?', '--approve');
    await answer(question, { decision: 'deny' });
    expect((await command.finished).code).toBe(3);
  });

  test('[CM1] expired: exit 4', async () => {
    const { command, question } = await asking('expired', 'Soon?', '--deadline', '1h', '--assignee', 'sam');
    expect(question).toMatchObject({ deadline: { outcome: 'expire' }, responder: { assignees: ['sam'] } });
    server.clock.offsetMs += 3_600_001;
    const { stdout, code } = await command.finished;
    expect({ ...JSON.parse(stdout), code }).toMatchObject({ code: 4, status: 'expired' });
  });

  test('[CM1] cancelled: exit 5', async () => {
    const { command, question } = await asking('cancelled', 'Still?');
    await server.admin.post(`/v1/interactions/${question.id}/cancel`, { reason: 'not any more' });
    const { stdout, code } = await command.finished;
    expect({ ...JSON.parse(stdout), code }).toMatchObject({ code: 5, status: 'cancelled', reason: 'not any more' });
  });

  test('[CM2] no answer in time: exit 6, the question stays open, and its id is printed', async () => {
    const { stdout, stderr, code } = await run(['ask', 'Anybody?', '--timeout', '50ms']);
    const { interactionId, status } = JSON.parse(stdout);
    expect({ code, status }).toEqual({ code: 6, status: 'pending' });
    expect(stderr).toContain(`holdpoint ask --resume ${interactionId}`);
    expect((await server.admin.get(`/v1/interactions/${interactionId}`)).body.status).toBe('pending');
    await answer({ id: interactionId } as Interaction, { text: 'me' });
    const resumed = await run(['ask', '--resume', interactionId, '--plain']);
    expect({ code: resumed.code, stdout: resumed.stdout }).toEqual({ code: 0, stdout: 'me\n' });
  });

  test('[CM2] --cancel-on-timeout withdraws it', async () => {
    const { stdout, code } = await run(['ask', 'Anybody?', '--timeout', '50ms', '--cancel-on-timeout', '-q']);
    const { interactionId } = JSON.parse(stdout);
    expect(code).toBe(6);
    const { body } = await server.admin.get(`/v1/interactions/${interactionId}`);
    expect(body).toMatchObject({ status: 'cancelled', cancelReason: 'Nobody answered in time.' });
  });

  test('[CM2] Ctrl-C leaves the question open, and says how to go on', async () => {
    const { command, question } = await asking('interrupted', 'Wait for me?');
    await expect.poll(() => command.printed.stderr, patience).toContain('in a terminal');
    command.kill('SIGINT');
    const { stdout, stderr, code } = await command.finished;
    expect({ stdout, code }).toEqual({ stdout: '', code: 130 });
    expect(stderr).toContain(
      `the request stays open, and the server keeps its answer\nwait again:  holdpoint ask --resume ${question.id}`,
    );
    expect((await server.admin.get(`/v1/interactions/${question.id}`)).body.status).toBe('pending');
  });
});

test('[CM2] a server that is killed and started again meanwhile is waited for', async () => {
  await using place = await newPlace();
  const first = await spawnServer({ place });
  const port = new URL(first.url).port;
  const command = startCommand(first.url, ['ask', 'Still there?', '--thread', 'one']);
  await expect.poll(() => command.printed.stderr, patience).toContain('in a terminal');
  const { body } = await first.admin.get<Page<Interaction>>('/v1/interactions?threadId=one');
  await first.kill('SIGKILL');
  await expect.poll(() => command.printed.stderr, patience).toContain('no connection to the server');
  const second = await spawnServer({ place, args: ['--port', port] });
  onTestFinished(() => void second.kill('SIGKILL'));
  await second.admin.post(`/v1/interactions/${body.data[0]?.id}/answers`, { values: { text: 'yes' } });
  const { stdout, code } = await command.finished;
  expect({ ...JSON.parse(stdout), code }).toMatchObject({ code: 0, values: { text: 'yes' } });
  await second.kill('SIGTERM');
});

test('[CM3] repeated with its idempotency key it finds its own question, and its answer', async () => {
  const words = [
    'ask',
    'Which?',
    '--choice',
    'a',
    '--choice',
    'b',
    '--idempotency-key',
    'build-7',
    '--timeout',
    '50ms',
  ];
  const first = JSON.parse((await run(words)).stdout);
  expect(JSON.parse((await run(words)).stdout)).toEqual(first);
  await answer({ id: first.interactionId } as Interaction, { choice: 'b' });
  const again = await run([...words, '--plain']);
  expect({ code: again.code, stdout: again.stdout }).toEqual({ code: 0, stdout: 'b\n' });
  const other = await run(words.with(1, 'Other words?'));
  expect(other.code).toBe(1);
  expect(other.stderr).toContain('This idempotency key belongs to a different request.');
});

describe('what is asked', () => {
  test('[CM1] fields of a form, some of which need not be filled in', async () => {
    const fields = ['version', 'env:select=staging,production', 'notes?:textarea'].flatMap((field) => [
      '--field',
      field,
    ]);
    const { command, question } = await asking('form', 'Release', ...fields, '--body', 'More **words**');
    expect(question).toMatchObject({
      ...{ kind: 'form', body: 'More **words**' },
      fields: [
        { name: 'version', type: 'text', required: true },
        { name: 'env', type: 'select', options: [{ value: 'staging' }, { value: 'production' }] },
        { name: 'notes', type: 'textarea', required: false },
      ],
    });
    command.kill('SIGKILL');
  });

  test('[CM1] an approval whose arguments may be changed, and JSON among them', async () => {
    const args = ['--argument', 'folder=/srv', '--argument', 'days:=14', '--field', 'days:number'];
    const { command, question } = await asking('editable', 'Delete?', '--approve', ...args);
    expect(question.arguments).toEqual({ folder: '/srv', days: 14 });
    expect(question.fields).toMatchObject([{ name: 'decision' }, { name: 'days', type: 'number', default: 14 }]);
    await answer(question, { decision: 'allow', days: 7 });
    const { stdout } = await command.finished;
    expect(JSON.parse(stdout)).toMatchObject({ status: 'answered', values: { decision: 'allow', days: 7 } });
  });

  test('[CM1] several of a choice, each on a line of its own', async () => {
    const { command, question } = await asking('many', 'Which?', '--choice', 'a', '--choice', 'b', '--many', '--plain');
    await answer(question, { choice: ['b', 'a'] });
    expect((await command.finished).stdout).toBe('b\na\n');
  });

  test('[CM1] a whole request from a file, or from standard input', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-form-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const form = JSON.stringify({ title: 'From JSON', kind: 'form', fields: [{ name: 'n', type: 'number' }] });
    writeFileSync(join(folder, 'form.json'), form);
    const ways = [
      run(['ask', '--form', join(folder, 'form.json'), '--timeout', '50ms']),
      run(['ask', '--form', '-', '--timeout', '50ms'], { stdin: form }),
    ];
    for (const { stdout, code } of await Promise.all(ways)) {
      expect(code).toBe(6);
      const { body } = await server.admin.get(`/v1/interactions/${JSON.parse(stdout).interactionId}`);
      expect(body).toMatchObject({ title: 'From JSON', fields: [{ name: 'n', type: 'number' }] });
    }
  });

  test('[CM1][AN9] secret values only where they are asked for, and then they are taken', async () => {
    const { command, question } = await asking('secret', 'Token?', '--field', 'token:password', '--take-secrets');
    await answer(question, { token: 'hunter2' });
    expect(JSON.parse((await command.finished).stdout).values).toEqual({ token: 'hunter2' });
    const later = await run(['ask', '--resume', question.id]);
    expect(JSON.parse(later.stdout).values).toEqual({});
  });

  test('[CM1] a link for somebody who is named, by which they answer as themselves', async () => {
    const { command } = await asking('link', 'Hello?', '--link', 'sam');
    await expect.poll(() => command.printed.stderr, patience).toMatch(/\/a\/#hpr_\S+/);
    const [, token] = /\/a\/#(hpr_\S+)/.exec(command.printed.stderr) ?? [];
    const { id } = await questionIn('link');
    await server.admin.as(token).post(`/v1/interactions/${id}/answers`, { values: { text: 'hi' } });
    expect(JSON.parse((await command.finished).stdout)).toMatchObject({ by: { type: 'human', id: 'sam' } });
  });
});

test('[CM8] a usage error is explained in words, with exit 2, and creates nothing', async () => {
  const threads = async () => (await server.admin.get<Page<unknown>>('/v1/threads?limit=200')).body.data.length;
  const before = await threads();
  const mistakes: [string[], string][] = [
    [['ask'], 'holdpoint: no title: holdpoint ask "Deploy 2.4.0?"\n'],
    [['ask', 'Deploy', 'now?'], 'holdpoint: "now?" is an unexpected argument; put text with spaces in quotes\n'],
    [['ask', 'A?', '--choice', 'a', '--approve'], 'holdpoint: --choice and --approve cannot be combined\n'],
    [['ask', 'A?', '--timeout', 'soon'], 'holdpoint: --timeout takes a time like 90s, 10m, 2h or 1d, not "soon"\n'],
    [
      ['ask', 'A?', '--field', 'a:text', '--field', 'b:text', '--plain'],
      'holdpoint: --plain prints one value, and this question has several; leave it out\n',
    ],
    [
      ['ask', 'A?', '--field', 'a:select'],
      'holdpoint: this cannot be asked\n  /fields/0/options: The property "options" is missing.\n',
    ],
    [['ask', 'A?', '--key', 'secret'], "holdpoint: Unknown option '--key'\n"],
    [
      ['ask', 'A?', '--form', '/nowhere.json'],
      "holdpoint: --form /nowhere.json cannot be read: ENOENT: no such file or directory, open '/nowhere.json'\n",
    ],
  ];
  const runs = await Promise.all(mistakes.map(([args]) => run(args)));
  for (const [index, { stdout, stderr, code }] of runs.entries())
    expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: mistakes[index]?.[1], code: 2 });
  expect(await threads()).toBe(before);
});

test('[CM8] no server, a key that it does not know, or none at all: one line that says what to do', async () => {
  const port = await freePort();
  const nobody = `http://127.0.0.1:${port}`;
  const [refused, unknown, none] = await Promise.all([
    run(['ask', 'A?'], { env: { HOLDPOINT_URL: nobody } }),
    run(['ask', 'A?'], { env: { HOLDPOINT_API_KEY: 'no-such-key' } }),
    run(['ask', 'A?'], { env: { HOLDPOINT_API_KEY: undefined } }),
  ]);
  expect(refused).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: `holdpoint: no server answers at ${nobody}. Start it with "holdpoint serve --port ${port}", or set its URL with --url or HOLDPOINT_URL.\n`,
  });
  expect(unknown).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Check HOLDPOINT_API_KEY') });
  expect(none).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('set HOLDPOINT_API_KEY') });
});

test('[CM8] the key may stand in a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'key'), `${server.admin.token}\n`);
  const { code } = await run(['ask', 'A?', '--timeout', '50ms', '--key-file', join(folder, 'key')], {
    env: { HOLDPOINT_API_KEY: undefined },
  });
  expect(code).toBe(6);
});
