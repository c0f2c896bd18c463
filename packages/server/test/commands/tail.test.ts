/** holdpoint tail: each event once, in order, across a restart of the server. */
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { Client } from '../client.ts';
import { newPlace } from '../new-place.ts';
import { spawnServer } from '../spawned-server.ts';
import { startTestServer } from '../test-server.ts';
import { commandsFor, patience, startCommand } from './commands-of-a-test.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());
const run = commandsFor(server);

interface Printed {
  cursor: string;
  type: string;
  threadId: string;
}

const eventsIn = (text: string): Printed[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test('[CM5] one JSON a line from the start, of the thread and the types that were asked for', async () => {
  await server.admin.post('/v1/threads', { id: 'one' });
  await server.admin.post('/v1/threads', { id: 'two' });
  const { body } = await server.admin.post('/v1/threads/one/interactions', {
    title: 'Deploy?',
    options: ['yes', 'no'],
  });
  await server.admin.post('/v1/threads/two/messages', { text: 'Hello' });
  await server.admin.post(`/v1/interactions/${body.id}/answers`, { values: { choice: 'yes' } });
  const all = startCommand(server.url, ['tail', '--json', '--from', 'start', '--thread', 'one']);
  const some = startCommand(server.url, [
    'tail',
    '--json',
    '--from',
    'start',
    '--type',
    'message',
    '--type',
    'interaction.answered',
  ]);
  const lines = startCommand(server.url, ['tail', '--from', 'start']);
  await expect
    .poll(() => eventsIn(all.printed.stdout).map(({ type }) => type), patience)
    .toEqual(['thread.created', 'interaction.created', 'interaction.answered']);
  await expect
    .poll(() => eventsIn(some.printed.stdout).map(({ type }) => type), patience)
    .toEqual(['message.created', 'interaction.answered']);
  await expect
    .poll(() => lines.printed.stdout, patience)
    .toMatch(/\d\d:\d\d:\d\d one: key:admin answered "Deploy\?" choice=yes\n$/);
  expect(lines.printed.stdout).toMatch(/ two: agent admin wrote Hello\n/);
  expect(lines.printed.stdout).not.toContain('\x1b');
  const after = eventsIn(all.printed.stdout)[1]?.cursor ?? '';
  const rest = startCommand(server.url, ['tail', '--json', '--from', after]);
  await expect
    .poll(() => eventsIn(rest.printed.stdout).map(({ type }) => type), patience)
    .toEqual(['message.created', 'interaction.answered']);
  all.kill('SIGINT');
  expect((await all.finished).code).toBe(0);
});

test('[CM15] a line has the title of the thread and of the question, the agent and the deadline, also if they are older', async () => {
  await server.admin.post('/v1/threads', { id: 'titled', title: 'Release 4.2' });
  const { body: key } = await server.admin.post('/v1/keys', { name: 'release-bot', role: 'agent' });
  const agent = new Client(server.url, String(key.secret));
  const at = new Date(Date.now() + 3 * 3_600_000 + 60_000).toISOString();
  const { body } = await agent.post('/v1/threads/titled/interactions', {
    ...{ title: 'Ship it?', options: ['yes', 'no'] },
    deadline: { at, outcome: 'expire' },
  });
  const whole = startCommand(server.url, ['tail', '--from', 'start', '--thread', 'titled']);
  await expect
    .poll(() => whole.printed.stdout, patience)
    .toMatch(/Release 4\.2: agent release-bot requested "Ship it\?", expires in 3 h\n/);
  const { body: log } = await server.admin.get<{ data: Printed[] }>('/v1/threads/titled/log');
  const late = startCommand(server.url, ['tail', '--from', log.data[1]?.cursor ?? '', '--thread', 'titled']);
  await server.admin.post(`/v1/interactions/${body.id}/cancel`, {});
  await expect.poll(() => late.printed.stdout, patience).toMatch(/Release 4\.2: .* cancelled "Ship it\?"\n/);
  expect(late.printed.stdout).not.toContain(String(body.id));
});

test('[CM5][L5] goes on after the last event when the server is back', async () => {
  await using place = await newPlace();
  const first = await spawnServer({ place });
  const port = new URL(first.url).port;
  await first.admin.post('/v1/threads', { id: 'before' });
  const tail = startCommand(first.url, ['tail', '--json', '--from', 'start']);
  const threads = () => eventsIn(tail.printed.stdout).map(({ threadId }) => threadId);
  await expect.poll(threads, patience).toEqual(['before']);
  await first.kill('SIGKILL');
  await expect.poll(() => tail.printed.stderr, patience).toContain('connection lost; retrying\n');
  const second = await spawnServer({ place, args: ['--port', port] });
  onTestFinished(() => void second.kill('SIGKILL'));
  await second.admin.post('/v1/threads', { id: 'after' });
  await expect.poll(threads, patience).toEqual(['before', 'after']);
  expect(tail.printed.stderr).toContain('connected again\n');
  await second.kill('SIGTERM');
});

test('[CM8] an error that a retry cannot solve is reported at once', async () => {
  const [unknown, key, cursor] = await Promise.all([
    run(['tail', '--type', 'nonsense']),
    run(['tail'], { env: { HOLDPOINT_API_KEY: 'no-such-key' } }),
    run(['tail', '--from', 'nonsense']),
  ]);
  expect(unknown).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^holdpoint: there is no event "nonsense"; there are thread\.created, /),
  });
  expect(key).toMatchObject({ code: 1, stderr: expect.stringContaining('Check HOLDPOINT_API_KEY') });
  expect(cursor).toMatchObject({ code: 1, stderr: expect.stringContaining('cursor') });
});

test('[CM8] ends without a word when nobody reads it any more', async () => {
  const followed = startCommand(server.url, ['tail', '--from', 'start']);
  await server.admin.post('/v1/threads', { id: 'left' });
  await expect.poll(() => followed.printed.stdout, patience).toContain(' left: ');
  followed.leave();
  await server.admin.post('/v1/threads/left/messages', { text: 'Is anybody there?' });
  expect(await followed.finished).toMatchObject({ code: 141, stderr: '' });
});
