/** holdpoint answer: the list, every field type, and answers by flags. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { httpService } from '@holdpoint/client';
import type { CreateInteraction, Interaction } from '@holdpoint/protocol';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { answerOne } from '../../src/commands/answer/answer-one.ts';
import { paintFor } from '../../src/commands/terminal-text.ts';
import { Client } from '../client.ts';
import { pdf, png } from '../files-of-tests.ts';
import { adminKey, startTestServer } from '../test-server.ts';
import { commandsFor } from './commands-of-a-test.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());
const run = commandsFor(server);

let threads = 0;

async function ask(question: CreateInteraction): Promise<Interaction> {
  const threadId = `thread-${++threads}`;
  await server.admin.post('/v1/threads', { id: threadId });
  const { body, status } = await server.admin.post<Interaction>(`/v1/threads/${threadId}/interactions`, question);
  expect(status).toBe(201);
  return body;
}

const read = async ({ id }: Interaction) => (await server.admin.get<Interaction>(`/v1/interactions/${id}`)).body;

/** The typed lines, after the first Enter. */
const typed = (...lines: string[]) => ({ stdin: ['', ...lines, ''].join('\n') });

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-answer-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

test('[CM4] lists what is pending, the oldest first, and as JSON', async () => {
  const first = await ask({ title: 'First\x1b[31m\nline' });
  const second = await ask({ title: 'Second', responder: { type: 'human', assignees: ['sam'] } });
  const closed = await ask({ title: 'Closed' });
  await server.admin.post(`/v1/interactions/${closed.id}/cancel`, {});
  const { stdout, code } = await run(['answer']);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    new RegExp(
      `First\\[U\\+001B\\]\\[31m line\\n +.*any human\\n +holdpoint answer ${first.id}\\nSecond\\n +.*for sam\\n +holdpoint answer ${second.id}\\n`,
    ),
  );
  expect(stdout).not.toContain('Closed');
  // Text by others contains no escape sequences.
  expect(stdout).not.toContain('\x1b');
  const listed = (await run(['answer', '--json', '--assignee', 'sam'])).stdout.trim().split('\n');
  expect(listed.map((line) => JSON.parse(line).id)).toEqual([second.id]);
  const none = await run(['answer', '--thread', 'no-such-thread']);
  expect(none).toEqual({ code: 0, stdout: '', stderr: 'no pending requests\n' });
});

test('[CM15] a pending request is listed with its thread, its agent and its deadline', async () => {
  const threadId = `thread-${++threads}`;
  await server.admin.post('/v1/threads', { id: threadId, title: 'Release 4.2' });
  const { body: key } = await server.admin.post('/v1/keys', { name: 'release-bot', role: 'agent' });
  const at = new Date(Date.now() + 3 * 3_600_000 + 60_000).toISOString();
  const question = { title: 'Ship it?', options: ['yes'], deadline: { at, outcome: 'decline' } };
  const agent = new Client(server.url, String(key.secret));
  const { body } = await agent.post(`/v1/threads/${threadId}/interactions`, question);
  const { stdout } = await run(['answer', '--thread', threadId]);
  expect(stdout).toBe(
    `Ship it?\n   Release 4.2: choice of agent release-bot, 0 s old, for any human, is declined in 3 h\n   holdpoint answer ${body.id}\n`.replace(
      '0 s',
      / (\d+ s) old/.exec(stdout)?.[1] ?? '',
    ),
  );
});

test('[CM8] says how to answer for the person that a request names', async () => {
  const question = await ask({ title: 'Go?', options: ['yes'], responder: { type: 'human', assignees: ['ann'] } });
  const { stderr, code } = await run(['answer', question.id, '--value', 'choice=yes', '--as', 'ben']);
  expect(code).toBe(1);
  expect(stderr).toContain('The question is for human ann. You are human ben. With an admin key, --as NAME answers');
});

describe('line by line', () => {
  test('[G24] says what “always” would cover before it is given', async () => {
    const asked = await ask({
      kind: 'approval',
      title: 'Run this command?',
      options: [
        { value: 'once', label: 'Once', kind: 'allow_once' },
        { value: 'always', label: 'Always', kind: 'allow_always' },
      ],
      arguments: { 'com\x1b[2Jmand': 'ls', path: '/tmp', times: 2 },
      fields: [{ name: 'times', type: 'number' }],
      grant: { key: 'shell', scope: 'org', variable: ['path'], forMs: 3_600_000 },
    });
    const { stderr } = await run(['answer', asked.id], typed('2', ''));
    expect(stderr).toContain(
      `"Always" covers requests from this agent that read the same as this one (shell):
  only with these values, as you leave them: com[U+001B][2Jmand, times
  with any value: path
  in every thread, for 1 h`,
    );
    expect(await read(asked)).toMatchObject({ answer: { values: { decision: 'always', times: 2 } } });
  });

  test('[CM4] every type of field, by number, label or value, with what is suggested at Enter', async () => {
    const question = await ask({
      title: 'Everything',
      fields: [
        { type: 'heading', text: 'Part one' },
        { name: 'text', type: 'text', default: 'as it is' },
        { name: 'textarea', type: 'textarea' },
        { name: 'email', type: 'email' },
        { name: 'number', type: 'number' },
        { name: 'date', type: 'date' },
        { name: 'time', type: 'time' },
        { name: 'datetime', type: 'datetime' },
        { name: 'checkbox', type: 'checkbox' },
        { name: 'confirm', type: 'confirm' },
        { name: 'select', type: 'select', options: ['a', 'b'] },
        { name: 'radio', type: 'radio', options: [{ value: 'x', label: 'The X' }] },
        { name: 'multi', type: 'multi_select', options: ['one', 'two', 'three'] },
        { name: 'rating', type: 'rating' },
        { name: 'url', type: 'url' },
        { name: 'custom', type: 'custom' },
        { name: 'left_out', type: 'text' },
      ],
    });
    const lines = ['', 'two', 'lines', '.', 'a@example.com', '4.5', '2026-11-17', '09:30', '2026-11-17T09:30:00Z'];
    const more = ['y', 'no', '2', 'the x', '1, three', '4', 'https://example.com', 'anything', ''];
    const { code, stderr } = await run(['answer', question.id, '--as', 'kim'], typed(...lines, ...more));
    expect(code).toBe(0);
    expect(stderr).toContain('Part one');
    expect((await read(question)).answer).toMatchObject({
      by: { type: 'human', id: 'kim' },
      values: {
        ...{ text: 'as it is', textarea: 'two\nlines', email: 'a@example.com', number: 4.5, date: '2026-11-17' },
        ...{ time: '09:30', datetime: '2026-11-17T09:30:00Z', checkbox: true, confirm: false, select: 'b', radio: 'x' },
        ...{ multi: ['one', 'three'], rating: 4, url: 'https://example.com', custom: 'anything' },
      },
    });
  });

  test('[CM4][V1] asks for what is visible, and no more', async () => {
    const visibleIf = { all_of: [{ field: 'env', op: 'equals', value: 'production' }] };
    const fields = [
      { name: 'env', type: 'select', options: ['staging', 'production'], required: true },
      { name: 'ticket', type: 'text', required: true, visibleIf },
    ];
    const [staging, production] = [await ask({ title: 'Where?', fields }), await ask({ title: 'Where?', fields })];
    expect((await run(['answer', staging.id], typed('staging'))).code).toBe(0);
    expect((await run(['answer', production.id], typed('production', 'OPS-1'))).code).toBe(0);
    expect((await read(staging)).answer?.values).toEqual({ env: 'staging' });
    expect((await read(production)).answer?.values).toEqual({ env: 'production', ticket: 'OPS-1' });
  });

  test("[CM4][F20] what is not valid is asked again, in the protocol's words", async () => {
    const fields = [{ name: 'count', type: 'number', label: 'Count', required: true, min: 3 }];
    const question = await ask({ title: 'How many?', fields });
    const { stderr, code } = await run(['answer', question.id], typed('many', '', '2', '3'));
    expect(code).toBe(0);
    expect(stderr).toContain('Count: enter a number.');
    expect(stderr).toContain('Count: fill this in.');
    expect(stderr).toContain('Count: enter 3 or more.');
    expect((await read(question)).answer).toMatchObject({ values: { count: 3 }, by: { id: userInfo().username } });
  });

  test('[CM4] an approval shows its arguments; a no asks nothing more', async () => {
    const fields = [{ name: 'days', type: 'number', required: true }];
    const question = await ask({ title: 'Delete?', kind: 'approval', arguments: { folder: '/srv', days: 14 }, fields });
    const { stderr } = await run(['answer', question.id], typed('deny'));
    expect(stderr).toContain('folder: /srv');
    expect(await read(question)).toMatchObject({ status: 'answered', closedReason: 'declined' });
  });

  test('[CM4] uploads go by path, a signature too, and what is refused is asked again', async () => {
    const fields = [
      { name: 'photo', type: 'image_upload', required: true },
      { name: 'signature', type: 'signature', required: true },
    ];
    const question = await ask({ title: 'Sign', fields });
    const picture = file('a.png', png(3, 2));
    const wrong = [join(folder, 'none.png'), file('a.pdf', pdf)];
    const { stderr, code } = await run(['answer', question.id], typed(...wrong, picture, picture));
    expect(code).toBe(0);
    expect(stderr).toContain(`There is no file ${wrong[0]}.`);
    expect(stderr).toContain(`enter the path of an image of your signature`);
    expect(stderr).toContain(`${server.url}/#/inbox/${question.id}`);
    expect((await read(question)).answer?.values).toMatchObject({
      photo: { name: 'a.png' },
      signature: { mime: 'image/png' },
    });
  });

  test('[CM4] a question by payloadSchema takes JSON', async () => {
    const payloadSchema = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };
    const question = await ask({ title: 'JSON?', payloadSchema });
    const { stderr, code } = await run(['answer', question.id], typed('nonsense', '{"a":"x"}', '{"a":1}'));
    expect(code).toBe(0);
    expect(stderr).toContain('This is not JSON.');
    expect(stderr).toContain('/payload/a: ');
    expect((await read(question)).answer?.payload).toEqual({ a: 1 });
  });

  test('[CM4] declined with a reason, left alone, or broken off: only the first is sent', async () => {
    const [one, two, three] = [await ask({ title: '1' }), await ask({ title: '2' }), await ask({ title: '3' })];
    const declined = await run(['answer', one.id], { stdin: 'd\nnot on a Friday\n' });
    const left = await run(['answer', two.id], { stdin: 's\n' });
    const broken = await run(['answer', three.id], { stdin: '\n' });
    expect([declined.code, left.code, broken.code]).toEqual([0, 0, 130]);
    expect(broken.stderr).toContain('Nothing was sent.');
    expect((await read(one)).answer).toMatchObject({ decision: 'declined', reason: 'not on a Friday' });
    expect([(await read(two)).status, (await read(three)).status]).toEqual(['pending', 'pending']);
  });

  test('[CM4] one that is closed is only shown', async () => {
    const question = await ask({ title: 'Over' });
    await server.admin.post(`/v1/interactions/${question.id}/cancel`, {});
    const { stderr, code } = await run(['answer', question.id], typed('late'));
    expect(code).toBe(1);
    expect(stderr).toContain('This request is closed: cancelled');
  });
});

describe('by flags', () => {
  test('[CM4] --value reads each by the type of its field', async () => {
    const question = await ask({
      title: 'Flags',
      fields: [
        { name: 'env', type: 'select', options: [{ value: 'prod', label: 'Production' }] },
        { name: 'count', type: 'number' },
        { name: 'tags', type: 'multi_select', options: ['a', 'b', 'c'] },
        { name: 'on', type: 'checkbox' },
        { name: 'file', type: 'file_upload' },
        { name: 'when', type: 'text' },
      ],
    });
    const given = [
      'env=production',
      'count=3',
      'tags=a',
      'tags=c',
      'on=yes',
      `file=${file('b.pdf', pdf)}`,
      'when:="a=b"',
    ];
    const flags = given.flatMap((each) => ['--value', each]);
    const { stdout, code } = await run(['answer', question.id, ...flags, '--as', 'sam', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ status: 'answered', by: { type: 'human', id: 'sam' } },
      values: { env: 'prod', count: 3, tags: ['a', 'c'], on: true, file: { name: 'b.pdf' }, when: 'a=b' },
    });
  });

  test('[CM4] --decline, with a reason', async () => {
    const question = await ask({ title: 'No?' });
    expect((await run(['answer', question.id, '--decline', '--reason', 'too late'])).code).toBe(0);
    expect((await read(question)).answer).toMatchObject({ decision: 'declined', reason: 'too late' });
  });

  test('[CM4] invalid values are reported field by field, with exit 2, and change nothing', async () => {
    const question = await ask({ title: 'No?', fields: [{ name: 'n', type: 'number', label: 'N', required: true }] });
    const { stderr, code } = await run(['answer', question.id, '--value', 'n=x', '--value', 'm=1']);
    expect({ stderr, code }).toEqual({
      code: 2,
      stderr: 'holdpoint: the answer is invalid\n  There is no field named "m".\n  N: enter a number.\n',
    });
    expect((await read(question)).status).toBe('pending');
  });

  test("[CM4][X4] a person's token answers for that person", async () => {
    const question = await ask({ title: 'Me?' });
    const { body } = await server.admin.post('/v1/responder-tokens', {
      responderId: 'sam',
      interactionId: question.id,
    });
    const env = { HOLDPOINT_API_KEY: String(body.token) };
    expect((await run(['answer', question.id, '--value', 'text=hi'], { env })).code).toBe(0);
    expect((await read(question)).answer?.by).toEqual({ type: 'human', id: 'sam', via: 'token', keyId: 'admin' });
  });

  test('[CM4][R1] a vote that does not settle it says so', async () => {
    const question = await ask({ title: 'Both?', options: ['a', 'b'], resolution: { mode: 'quorum', count: 2 } });
    const { stderr } = await run(['answer', question.id, '--value', 'choice=a', '--as', 'sam']);
    expect(stderr).toBe('your vote is counted; the request waits for more votes\n');
  });

  test('[CM8] errors of the server and usage errors are explained in words', async () => {
    const question = await ask({ title: 'Who?', responder: { type: 'human', assignees: ['sam'] } });
    const refused = await run(['answer', question.id, '--value', 'text=hi', '--as', 'kim']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^holdpoint: .*sam/) });
    const both = await run(['answer', question.id, '--value', 'text=hi', '--decline']);
    expect(both).toMatchObject({ code: 2, stderr: 'holdpoint: give --value or --decline, not both\n' });
    const none = await run(['answer', crypto.randomUUID(), '--value', 'text=hi']);
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr.split('\n')).toHaveLength(2);
  });
});

describe('texts of the requester', () => {
  const hostile = '\x1b]0;owned\x07\x9b31m\u202e\nholdpoint: all is well';
  const harmless = expect.not.stringMatching(/(?!\n)\p{Cc}|[\u2028-\u202e]|^holdpoint: all/mu);

  test('[CM8] cannot paint by the messages that quote it, at the terminal or at the end', async () => {
    const label = `N${hostile}`;
    const fields = [
      { name: 'n', type: 'number', label, required: true },
      { name: 'file', type: 'file_upload', label, accept: ['image/png'] },
    ];
    const question = await ask({ title: 'Many?', fields });
    const path = file('two.txt', Buffer.from('ab'));
    const [atTerminal, byValue, byFile] = await Promise.all([
      run(['answer', question.id], typed('x', '1', path)),
      run(['answer', question.id, '--value', 'n=x']),
      run(['answer', question.id, '--value', 'n=1', '--value', `file=${path}`]),
    ]);
    expect(atTerminal.stderr).toContain('enter a number');
    expect(byValue).toMatchObject({ code: 2, stderr: expect.stringContaining('enter a number') });
    expect(byFile.code).toBe(1);
    for (const { stderr } of [atTerminal, byValue, byFile]) expect(stderr).toEqual(harmless);
  });

  test('[CM8] cannot paint by the keys of a schema', async () => {
    const payloadSchema = { type: 'object', required: [hostile], properties: { [hostile]: { type: 'string' } } };
    const question = await ask({ title: 'Payload?', payloadSchema });
    const { stderr } = await run(['answer', question.id], typed(JSON.stringify({ [hostile]: 1 })));
    expect(stderr).toContain('Correct the answer.');
    expect(stderr).toEqual(harmless);
  });

  test('[CM8] is escaped in JSON, and still itself to who reads it as JSON', async () => {
    const question = await ask({ title: `Odd${hostile}` });
    const { stdout } = await run(['answer', '--list', '--json', '--thread', question.threadId]);
    expect(stdout.trimEnd()).toEqual(harmless);
    expect(JSON.parse(stdout)).toMatchObject({ title: `Odd${hostile}` });
  });
});

/** A user at a terminal. The request changes before the first line. */
function personAt(question: Interaction, patch: object, lines: string[]) {
  const said: string[] = [];
  const paint = paintFor({ isTTY: false }, { env: {} });
  let isChanged = false;
  const ask = async (prompt: string) => {
    said.push(prompt);
    if (!isChanged) await server.admin.call(`/v1/interactions/${question.id}`, { method: 'PATCH', body: patch });
    isChanged = true;
    return lines.shift();
  };
  const terminal = { paint, ask, say: (text: string) => void said.push(text), close: () => {} };
  const connection = { service: httpService({ url: server.url, key: adminKey }), url: server.url, key: adminKey };
  const responder = { responder: { type: 'human', id: 'kim' } } as const;
  return { said, answering: { terminal, connection, responder, print: () => {} } };
}

describe('a question that changes meanwhile', () => {
  test('[BD6] is shown again before it is answered', async () => {
    const question = await ask({ title: 'Restart?', options: ['yes', 'no'] });
    const { said, answering } = personAt(question, { title: 'Delete?' }, ['', 'yes', '', 'no']);
    expect(await answerOne(answering, question)).toBe(0);
    expect(said.join('\n')).toMatch(/Restart\?[\s\S]*changed meanwhile[\s\S]*nothing was sent[\s\S]*Delete\?/);
    const { digest, answer } = await read(question);
    expect(answer).toMatchObject({ digest, values: { choice: 'no' } });
    expect(digest).not.toBe(question.digest);
  });

  test('[BD6] is shown again before it is declined', async () => {
    const question = await ask({ title: 'Restart?', options: ['yes', 'no'] });
    const { said, answering } = personAt(question, { title: 'Delete?' }, ['d', 'No.', 's']);
    expect(await answerOne(answering, question)).toBe(0);
    expect(said.join('\n')).toMatch(/changed meanwhile[\s\S]*Delete\?/);
    expect(await read(question)).toMatchObject({ status: 'pending', title: 'Delete?' });
  });
});

test('[CM8] a value may stand in a file, and no message repeats one', async () => {
  const fields = [{ name: 'secret', type: 'password', label: 'S', required: true }];
  const question = await ask({ title: 'Secret?', fields });
  const bad = await Promise.all(
    ['hunter2', 'secret:=hunter2', 'secret=@hunter2'].map((value) => run(['answer', question.id, '--value', value])),
  );
  for (const { stderr, code } of bad) {
    expect({ stderr, code }).toEqual({ stderr: expect.stringMatching(/^holdpoint: --value /), code: 2 });
    expect(stderr).not.toContain('hunter2');
  }
  const path = file('secret', Buffer.from('hunter2\n'));
  expect((await run(['answer', question.id, '--value', `secret=@${path}`])).code).toBe(0);
  const taken = await server.admin.post(`/v1/interactions/${question.id}/secrets`);
  expect(taken.body).toMatchObject({ values: { secret: 'hunter2' } });
});

test('[CM4] a terminal is not shown what is typed as a secret, and remembers none of it', async () => {
  const { openTerminal } = await import('../../src/commands/answer/terminal.ts');
  const { PassThrough } = await import('node:stream');
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  let shown = '';
  stderr.on('data', (data) => {
    shown += data;
  });
  const terminal = openTerminal({ env: { NO_COLOR: '1' }, stdin, stderr, stdout: stderr } as never);
  onTestFinished(() => terminal.close());
  const typedAt = async (prompt: string, text: string, options = {}) => {
    const asked = terminal.ask(prompt, options);
    await expect.poll(() => shown).toContain(prompt);
    stdin.write(text);
    return asked;
  };
  expect(await typedAt('secret > ', 'hunter2\r', { isSecret: true })).toBe('hunter2');
  // The up arrow brings back nothing.
  expect(await typedAt('open > ', '\x1b[Avisible\r')).toBe('visible');
  expect(shown).toContain('visible');
  expect(shown).not.toContain('hunter');
});
