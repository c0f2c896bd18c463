/** The samples of the reference run as copied. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminKey, startTestServer, type TestServer } from './test-server.ts';

const execute = promisify(execFile);
let server: TestServer;
let page: string;

beforeAll(async () => {
  server = await startTestServer();
  page = await (await fetch(`${server.url}/docs`)).text();
});
afterAll(() => server[Symbol.asyncDispose]());

const textOf = (html: string): string =>
  html.replaceAll(/<[^>]+>/g, '').replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** The code blocks with this caption in a part of the page, as a reader copies them. */
const blocks = (caption: string, html = page): string[] =>
  [...html.matchAll(/<(?:figcaption|summary)>([^<]+)<\/(?:figcaption|summary)><pre[^>]*><code>(.*?)<\/code>/gs)]
    .filter(([, said]) => said === caption)
    .map(([, , code = '']) => textOf(code));

const operation = (id: string): string => {
  const start = page.indexOf(`id="${id}"`);
  expect(start, id).toBeGreaterThan(0);
  return page.slice(start, page.indexOf('</section>', start));
};

const env = () => ({ ...process.env, HOLDPOINT_URL: server.url, HOLDPOINT_API_KEY: adminKey });
const bash = async (script: string) => (await execute('bash', ['-c', script], { env: env() })).stdout;
const python = async (script: string) => (await execute('python3', ['-c', script], { env: env() })).stdout;
const hasPython = await execute('python3', ['--version']).then(
  () => true,
  () => false,
);
const setUp = () => (blocks('both terminals')[0] ?? '').replace(/KEY=.*/, `KEY=${adminKey}`);
const helper = () => (blocks('agent.py')[0] ?? '').split('\n\nthread = ')[0] ?? '';

test('[PG5] the quickstart works in a shell', async () => {
  const [thread = '', ask = '', wait = ''] = blocks('terminal 1: the agent');
  const [answer = ''] = blocks('terminal 2: the person');
  const printed = await bash([setUp(), thread, ask, answer, wait].join('\n'));
  expect(printed).toContain('asked ');
  const [, waited = ''] = /(\{[^\n]*\})$/.exec(printed.trim()) ?? [];
  expect(waited).toContain('"values":{"choice":"yes"}');
});

/** Operations whose samples need only what the quickstart created. Each creates what a later one reads. */
const runnable = [
  'post-v1-threads-threadid-messages',
  'get-v1-threads-threadid-messages',
  'get-v1-threads-threadid-log',
  'get-v1-interactions',
  'get-v1-interactions-count',
  'get-v1-interactions-interactionid',
  'post-v1-interactions-interactionid-answers',
  'get-v1-interactions-interactionid-wait',
  'post-v1-keys',
  'post-v1-responder-tokens',
  'get-v1-grants',
  'get-v1-runs',
];

/** An approval in the thread of the samples, as the sample asks it. */
async function ask(): Promise<string> {
  await server.admin.post('/v1/threads', { id: 'release' });
  const [sample = ''] = blocks('curl', operation('post-v1-threads-threadid-interactions'));
  return (JSON.parse(await bash(sample)) as { id: string }).id;
}

test('[PG5] the samples for a shell work with the two variables of the quickstart', async () => {
  const ID = await ask();
  for (const id of runnable) {
    const [sample = ''] = blocks('curl', operation(id));
    const reply = JSON.parse(await bash(`ID=${ID}\n${sample}`)) as { status?: unknown };
    expect(typeof reply.status, `${id}: ${JSON.stringify(reply)}`).not.toBe('number');
  }
  for (const sample of blocks('curl')) await execute('bash', ['-n', '-c', sample]);
});

// A machine without Python still has the test above, which reads the same examples.
test.runIf(hasPython)('[PG5] the samples in Python work without packages', async () => {
  const samples = page.split('<section class="op"').flatMap((part) => blocks('Python', part));
  expect(samples.length).toBeGreaterThan(60);
  const compiled = `import ast, json, sys
for sample in json.loads(sys.argv[1]):
    names = {node.id for node in ast.walk(ast.parse(sample)) if isinstance(node, ast.Name)}
    assert not names & {"true", "false", "null"}, sample
print("compiled")`;
  const { stdout } = await execute('python3', ['-c', compiled, JSON.stringify(samples)]);
  expect(stdout).toBe('compiled\n');
  const lines = runnable.map((id) => blocks('Python', operation(id))[0]);
  await python(`${helper()}\nID = "${await ask()}"\n${lines.join('\n')}`);
  const [program = ''] = blocks('agent.py');
  const answered = program.replace(
    'while asked',
    `call("POST", f"/v1/interactions/{ID}/answers", {"values": {"choice": "yes"}})\nwhile asked`,
  );
  expect(await python(answered)).toMatch(/^Answer it at http.*\n\{'choice': 'yes'\}\n$/);
});
