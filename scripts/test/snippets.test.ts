/** Every code block of README, guides, packages and examples runs as a reader runs it, or says why it does not. */
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Holdpoint } from '@holdpoint/client';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stories } from '../../examples/stories.ts';
import { freePort } from '../../packages/server/test/postgres/free-port.ts';
import { Page, pages } from './snippets/page.ts';
import { openStage, type Stage } from './snippets/stage.ts';

/** Blocks that another test runs from the same page. */
const elsewhere: Record<string, { languages: readonly string[]; test: string }> = {
  'README.md': { languages: ['sh', 'js'], test: 'scripts/test/packages.test.ts' },
  'docs/guides/adapters.md': { languages: ['ts'], test: 'packages/adapters/test/guide.test.ts' },
  'docs/guides/passkeys.md': { languages: ['js'], test: 'scripts/test/verify-script.test.ts' },
  'docs/guides/workflows.md': { languages: ['js'], test: 'scripts/test/workflows.test.ts' },
  'examples/README.md': { languages: ['sh'], test: 'examples/examples.test.ts' },
};
const opened = new Map<string, Page>();
function pageOf(file: string): Page {
  const page = opened.get(file) ?? new Page(file);
  opened.set(file, page);
  return page;
}
const guide = (name: string) => pageOf(`docs/guides/${name}.md`);
const nodes = [20, 24] as const;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
}, 900_000);
afterAll(() => stage?.close());

/** Returns the arguments of `npm start` in a clone, for the installed command. */
const started = (code: string): string => {
  expect(code).toMatch(/^npm start --/m);
  return /npm start --(.*)$/m.exec(code)?.[1] ?? '';
};

test('quickstart, with a crash between question and answer', async () => {
  const page = guide('quickstart');
  page.take('sh', 'npm ci && npm start'); // `npm-start.test.ts` runs it
  const made = await stage.shell(`${page.take('sh', 'keys create')}\necho "key=$HOLDPOINT_AGENT_KEY"`).succeeds();
  expect(made).toMatch(/key=hp_\w+/);

  const curl = page.take('sh', 'call threads/first');
  const id = /"id":"([^"]+)","threadId":"first"/.exec(await stage.shell(curl).succeeds())?.[1] ?? '';
  const call = curl.split('\n')[0] ?? '';
  const waiting = stage.shell(`${call}\n${page.take('sh', '/wait').replace('01a1e384-…', id)}`);
  await stage.answer('Deploy 4.2?', { choice: 'staging' });
  expect(await waiting.succeeds()).toContain('"choice":"staging"');
  const script = stage.shell(page.take('sh', 'npx holdpoint ask'));
  await stage.answer('Deploy 4.2?', { choice: 'production' });
  expect(await script.succeeds()).toContain('deploying to production');

  stage.write('hello.ts', page.take('ts', "agent('hello'"));
  rmSync(join(stage.folder, 'data'), { recursive: true, force: true });
  const first = await stage.serve(started(page.take('sh', 'npm start -- --agent')));
  const key = { HOLDPOINT_AGENT_KEY: stage.adminKey };
  const message = page.take('sh', 'threads/hello/messages');
  await stage.shell(`${call.replace('http://127.0.0.1:7400', first.url)}\n${message}`, { env: key }).succeeds();
  const [kill = '', again = ''] = page.take('sh', 'kill -9').split('\n');
  const asked = (url: string) => {
    const hp = new Holdpoint({ url, key: stage.adminKey });
    const list = async () => (await hp.listInteractions({ status: 'pending' })).data;
    return { hp, list, is: (title: string) => expect.poll(list, { timeout: 60_000 }).toMatchObject([{ title }]) };
  };
  await asked(first.url).is('Deploy where?');
  await stage.shell(kill).ended;
  await first.running.ended;
  const second = await stage.serve(started(again));
  const at = asked(second.url);
  for (const [title, values] of [
    ['Deploy where?', { env: 'staging' }],
    ['Deploy to staging?', { decision: 'allow' }],
  ] as const) {
    await at.is(title);
    await at.hp.answer((await at.list())[0] as { id: string }, values);
  }
  const said = async () => JSON.stringify((await at.hp.listMessages({ threadId: 'hello' })).data);
  await expect.poll(said, { timeout: 60_000 }).toContain('runs 4.2.0');
  second.running.kill();
});

describe.each(nodes)('on Node %s', (node) => {
  test('asking', async () => {
    const all = guide('asking').takeAll('ts').join('\n');
    const program = all.replace("'refunds'", `'refunds-${node}'`).replace("'refund-7'", `'refund-7-${node}'`);
    const running = stage.program(`asking-${node}.mts`, program, { node });
    await stage.answer('Refund order 7?', { decision: 'allow', amount: 50, reason: 'Two items came back' });
    const printed = await running.succeeds();
    expect(printed).toContain("true true { order: 7, amount: 50, reason: 'Two items came back' }");
    expect(printed).toContain('quorum');
  });

  test('the client', async () => {
    const program = guide('client').takeAll('ts').join('\n').replaceAll('release-2.4', `release-2.4-${node}`);
    const running = stage.program(`client-${node}.mts`, program, { node });
    await stage.answer('Deploy where?', { env: 'staging' });
    await stage.answer('When?', { choice: 'tonight' });
    await stage.answer('Refund order 7?', { decision: 'allow', amount: 15 });
    expect(await running.succeeds()).toContain('true true { order: 7, amount: 15 }');
  });

  test('webhooks: a handler that fails gets the event again', async () => {
    const page = guide('webhooks');
    const port = `${await freePort()}`;
    const at = (code: string) => code.replaceAll('8080', port);
    const registered = await stage.shell(at(page.take('sh', '/v1/webhooks'))).succeeds();
    const { id, secret } = JSON.parse(registered) as { id: string; secret: string };
    const receiver = at(page.take('js', 'verifyWebhook'));
    const failsOnce =
      "if (!globalThis.hasFailed) throw Object.assign(new Error('away'), { once: (globalThis.hasFailed = true) });";
    stage.write('receiver.mjs', receiver.replace('  console.log(type,', `  ${failsOnce}\n  console.log(type,`));
    const running = stage.shell(page.take('sh', 'receiver.mjs').replace('whsec_…', secret), { node });
    await running.prints('ready');
    const question = await stage.hp.create(await stage.hp.createThread({}), {
      title: `By webhook, Node ${node}`,
      options: ['yes'],
    });
    await stage.hp.answer(question, { choice: 'yes' });
    await running.prints(new RegExp(`answered By webhook, Node ${node} .*yes`));
    expect(running.printed()).toContain('away');
    await stage.shell(page.take('sh', '/replay'), { env: { WEBHOOK_ID: id } }).succeeds();
    const refused = await fetch(`http://127.0.0.1:${port}/holdpoint`, { method: 'POST', body: '{}' });
    expect(refused.status).toBe(400);
    await stage.hp.deleteWebhook({ webhookId: id });
    running.kill();
  });

  test('workers', async () => {
    const worker = stage.program(`worker-${node}.mjs`, guide('workers').take('js', 'claimBatches'), { node });
    const { id: threadId } = await stage.hp.createThread({});
    await stage.hp.postMessage({ threadId, role: 'user', text: `Hello from Node ${node}` });
    await worker.prints(`Hello from Node ${node}`);
    worker.kill();
  });

  test('a durable agent in its own process', async () => {
    const page = guide('durable-agents');
    const deploy = page.take('ts', "agent('deploy'");
    stage.write('deploy.ts', deploy, node);
    const worker = stage.program('run.ts', page.take('ts', 'runAgents'), { node });
    const { id: threadId } = await stage.hp.createThread({ agent: 'deploy' });
    await stage.hp.postMessage({ threadId, role: 'user', text: 'Deploy, please' });
    await stage.answer('Deploy where?', { env: 'staging' });
    await stage.answer('Deploy to staging?', { decision: 'allow' });
    await worker.prints('deploying to staging');
    worker.kill();
    expect(page.take('sh', 'node run.ts')).toBe('npx node run.ts');
    stage.write('deploy.ts', deploy); // on Node 20 the file above is JavaScript, and the server loads TypeScript
    const { running } = await stage.serve(`${started(page.take('sh', '--agent'))} --data ${stage.folder}/durable`);
    running.kill();
  });

  test('the token of a page', async () => {
    const page = guide('widget');
    const port = `${await freePort()}`;
    await stage.hp.createThread({ id: 'release', idempotencyKey: 'release' });
    const backend = stage.program(`backend-${node}.mjs`, page.take('js', 'mintToken').replace('8080', port), { node });
    await backend.prints('ready');
    const element = '{ getToken: undefined }';
    const fake = `const element = ${element}; globalThis.document = { querySelector: () => element };
const real = fetch; globalThis.fetch = (path) => real(new URL(path, 'http://127.0.0.1:${port}'));\n`;
    const use = "\nconsole.log('token', await element.getToken(), await element.getToken());";
    const running = stage.program(`get-token-${node}.mjs`, fake + page.take('js', 'getToken') + use, { node });
    const token = await running.prints(/token (hpr_\S+) hpr_/);
    const as = new Holdpoint({ url: stage.url, key: token });
    expect((await as.getThread({ threadId: 'release' })).id).toBe('release');
    backend.kill();
  });

  test('the READMEs of client and protocol', async () => {
    const client = pageOf('packages/client/README.md').take('ts', 'hp.ask').replaceAll('release-4.2', `readme-${node}`);
    const running = stage.program(`readme-${node}.mts`, client, { node });
    await stage.answer('Deploy where?', { env: 'production' });
    expect(await running.succeeds()).toBe('production\n');
    const protocol = pageOf('packages/protocol/README.md').take('ts', 'validateValues');
    expect(await stage.program(`values-${node}.mts`, protocol, { node }).succeeds()).toContain('option');
  });
});

test('decisions on the command line', async () => {
  const lines = guide('asking').take('sh', 'decision=allow').split('\n');
  for (const [index, line] of lines.entries()) {
    const { id: threadId } = await stage.hp.createThread({});
    const amount = { name: 'amount', type: 'number', label: 'Amount' } as const;
    const title = `Decision ${index}`;
    const { id } = await stage.hp.create(threadId, {
      kind: 'approval',
      title,
      arguments: { amount: 80 },
      fields: [amount],
    });
    await stage.shell(`npx ${line.replace('ID', id)}`).succeeds();
    expect((await stage.hp.get(id)).answer?.decision).toBe(line.includes('allow') ? 'accepted' : 'declined');
  }
});

test('the command line', async () => {
  const page = guide('command-line');
  const holdpoint = 'holdpoint() { npx holdpoint "$@"; }\n';
  const run = (containing: string, env: Record<string, string> = {}) =>
    stage.shell(holdpoint + page.take('sh', containing), { env });
  expect(await run('--help').succeeds()).toContain('holdpoint');
  const plain = run('Deploy 2.4.0?');
  await stage.answer('Deploy 2.4.0?', { choice: 'staging' });
  expect(await plain.succeeds()).toContain('deploying to staging');
  const approval = run('Delete old backups?');
  await stage.answer('Delete old backups?', { decision: 'allow', olderThanDays: 60 });
  expect(await approval.succeeds()).toContain('"olderThanDays":60');
  const release = run('ask "Release"');
  await stage.answer('Release', { version: '2.4.0', env: 'staging' });
  await release.succeeds();
  const variant = run('question.json');
  await stage.answer('Which variant?', { choice: 'b' });
  await stage.answer('Who is on call?', { text: 'Sam' });
  expect(await variant.succeeds()).toContain('Sam');

  const thread = await stage.hp.createThread({});
  const ask = async (body: Parameters<Holdpoint['create']>[1]) => (await stage.hp.create(thread, body)).id;
  const toApprove = await ask({ kind: 'approval', title: 'Approve by terminal' });
  expect(await run('--value decision=allow', { ID: toApprove }).succeeds()).toContain('Approve by terminal');
  const env = { name: 'env', type: 'select', label: 'Env', options: ['staging', 'production'] } as const;
  const tags = { name: 'tags', type: 'multi_select', label: 'Tags', options: ['a', 'b'] } as const;
  await run('--value env=staging', { ID: await ask({ title: 'Fill in', fields: [env, tags] as never }) }).succeeds();
  await run('--decline', { ID: await ask({ title: 'On a Friday?' }) }).succeeds();

  // CM15 compares such a line with the output.
  expect(page.take('text', 'Release 4.2')).toMatch(
    /^\d\d:\d\d:\d\d Release 4\.2: agent .+ requested ".+", expires in 3 h/,
  );
  for (const line of page.take('sh', 'holdpoint tail').split('\n')) {
    const tail = stage.shell(holdpoint + line);
    if (line.includes('start')) await tail.prints('interaction.created');
    else await expect.poll(async () => tail.printed(), { timeout: 2_000 }).not.toContain('error');
    tail.kill();
  }
  const [create = '', list = '', revoke = ''] = page.take('sh', 'keys create').split('\n');
  await stage.shell(holdpoint + create).succeeds();
  const keys = await stage.shell(holdpoint + list).succeeds();
  const keyId = /^(\S+)\s+agent\s+\S+\s+ci/m.exec(keys)?.[1] ?? '';
  await stage.shell(holdpoint + revoke, { env: { KEY_ID: keyId } }).succeeds();
  const managed = await run('people invite').succeeds();
  for (const text of ['ops created', '/#/sign-in/', 'Sam Lee is admin, member', 'Sam Lee is deactivated'])
    expect(managed).toContain(text);
  expect(managed).toMatch(/person\.deactivated +\S.* +Sam Lee/);
  expect(page.take('json', 'interactionId')).toContain('"status":"answered"');
});

test('testing: the tests of the guide pass', async () => {
  const page = guide('testing');
  stage.write('refund.ts', page.take('ts', 'export async function refund'));
  stage.write('refund.test.ts', page.take('ts', "from './refund.ts'"));
  expect(await stage.shell(page.take('sh', 'refund.test.ts')).succeeds()).toContain('pass 4');
  stage.write('deploy.ts', guide('durable-agents').take('ts', "agent('deploy'"));
  stage.write('deploy.test.ts', page.take('ts', "from './deploy.ts'"));
  expect(await stage.shell(page.take('sh', 'deploy.test.ts')).succeeds()).toContain('pass 1');
});

test('agents that are only loaded: versioning, the assistant, the READMEs', async () => {
  const agents = [
    ...guide('versioning').takeAll('ts'),
    guide('assistant').take('ts', 'interactionTool'),
    pageOf('README.md').take('ts', "agent('deploy'"),
    pageOf('packages/agents/README.md').take('ts', "agent('deploy'"),
  ];
  for (const [index, code] of agents.entries()) stage.write(`agent-${index}.ts`, code);
  const print = agents.map(
    (_, index) => `console.log([(await import('./agent-${index}.ts')).default].flat().map(({ name }) => name));`,
  );
  const printed = await stage.program('load.mjs', print.join('\n')).succeeds();
  expect(printed).toContain("[ 'refund' ]\n[ 'refund', 'refund-2' ]\n[ 'assistant' ]\n[ 'deploy' ]\n[ 'deploy' ]\n");
  stage.write('deploy.ts', agents.at(-1) ?? '');
  const serve = pageOf('packages/agents/README.md').take('sh', '--agent').replace('npx holdpoint serve', '');
  (await stage.serve(`${serve} --data ${stage.folder}/of-agents`)).running.kill();
});

test('embedding', async () => {
  const page = guide('embedding');
  const data = (code: string, name: string) => code.replace("'./data'", `'./${name}'`);
  stage.write('embedded.mjs', data(page.take('js', 'outcomeOf'), 'embedded'));
  expect(await stage.shell(page.take('sh', 'embedded.mjs')).succeeds()).toContain("{ env: 'staging' }");
  const port = `${await freePort()}`;
  stage.write('answers.mjs', data(page.take('js', 'errorTable'), 'answers').replace('8080', port));
  const server = stage.shell(page.take('sh', 'answers.mjs'));
  await server.prints('ready');
  const [ask = '', answer = ''] = page.take('sh', 'curl').replaceAll('8080', port).split('\n');
  const { id } = JSON.parse(await stage.shell(ask).succeeds()) as { id: string };
  const refused = await stage.shell(answer.replace('<the id from above>', id)).succeeds();
  expect(JSON.parse(refused)).toMatchObject({ code: 'invalid-answer', problems: [{ code: 'option' }] });
  server.kill();
  const readme = pageOf('packages/server/README.md');
  const own = stage.program('server-readme.mts', data(readme.take('ts', 'createHoldpoint'), 'server-readme'));
  expect(await own.succeeds()).toContain("values: { env: 'staging' }");
  expect(readme.take('sh', 'serve')).toBe('npx holdpoint serve');
});

test('uploads', async () => {
  const page = guide('uploads');
  const field = { name: 'receipt', type: 'file_upload', label: 'Receipt' } as const;
  const { id } = await stage.hp.create(await stage.hp.createThread({}), { title: 'The receipt?', fields: [field] });
  const upload = page.take('sh', '-F file=');
  const [variables = ''] = upload.split('\n');
  const sent = await stage.shell(upload, { env: { ID: id } }).succeeds();
  const file = /"file_id":"([^"]+)"/.exec(sent)?.[1] ?? '';
  expect(Object.keys(JSON.parse(page.take('json', 'file_id')))).toEqual(Object.keys(JSON.parse(sent)));
  const env = { ID: id, FILE: file };
  const rest = (containing: string) => stage.shell(`${variables}\n${page.take('sh', containing)}`, { env }).succeeds();
  expect(await rest('/answers')).toContain('"status":"answered"');
  expect(await rest('/links')).toContain('signature=');
});

test('operating, configuration and the proxy', async () => {
  const configuration = guide('configuration').take('sh', '--port 8080');
  const flags = started(configuration).replace('--port 8080', '').replace('/var/lib/holdpoint', './data');
  const { running } = await stage.serve(flags, { env: { HOLDPOINT_API_KEY: stage.adminKey } });
  const operating = guide('operating');
  rmSync(join(stage.folder, 'backup'), { recursive: true, force: true });
  // In a clone, `npx node` is the Node of the clone.
  await stage.shell(operating.take('sh', 'VACUUM').replace('npx node', 'node')).succeeds();
  const restore = operating.take('sh', '--data backup').replace('npx holdpoint serve', '').replace('--port 7401', '');
  const restored = await stage.serve(restore);
  for (const each of [running, restored.running]) each.kill();
  const security = guide('security');
  const proxied = await stage.serve(
    `${security.take('sh', '--public-url').replace('npx holdpoint serve', '')} --data ${stage.folder}/proxied`,
  );
  proxied.running.kill();
  for (const page of ['docs/guides/security.md', 'docs/guides/postgres.md'])
    for (const block of readFileSync(page, 'utf8').match(/```nginx[\s\S]*?```/g) ?? [])
      expect(block).toContain('client_max_body_size 110m;');
});

test('people: invite, ask, deactivate, read the admin log', async () => {
  const page = guide('people');
  const invited = await stage.shell(page.take('sh', 'people invite')).succeeds();
  expect(invited).toMatch(/invited +member +Ann Lee +ann@example\.com +in finance/);
  const asked = await stage.program('refund.mts', page.take('ts', 'group:finance')).succeeds();
  expect(asked).toMatch(/'person:[0-9a-f-]{36}', 'group:finance'/);
  expect(await stage.shell(page.take('sh', 'people deactivate')).succeeds()).toContain('Ann Lee is deactivated');
  expect(await stage.shell(page.take('sh', 'admin-log')).succeeds()).toContain('person.deactivated');
  expect(readFileSync(join(stage.folder, 'admin-log.jsonl'), 'utf8')).toContain('"type":"export.created"');
});

test('security', async () => {
  const page = guide('security');
  const [create = '', list = '', revoke = ''] = page.take('sh', 'keys create').split('\n');
  await stage.shell(create).succeeds();
  const keyId = /^(\S+)\s+agent\s+\S+\s+ci$/m.exec(await stage.shell(list).succeeds())?.[1] ?? '';
  await stage.shell(revoke, { env: { KEY_ID: keyId } }).succeeds();
  const bound = stage.program('bound.mts', page.take('ts', 'verifyAnswer'));
  await stage.answer('Publish the notes?', { choice: 'yes' });
  expect(await bound.succeeds()).toContain("{ choice: 'yes' }");
  const body = JSON.parse(page.take('json', '"grant"'));
  expect((await stage.hp.create(await stage.hp.createThread({}), body)).grant).toMatchObject({ variable: ['path'] });
});

test('MCP and conformance', async () => {
  const page = guide('mcp');
  expect(await stage.shell(page.take('sh', 'keys create')).succeeds()).toContain('hp_');
  expect(await stage.shell(page.take('sh', 'tools/list')).succeeds()).toContain('ask_human');
  for (const config of page.takeAll('json')) JSON.parse(config);
  const run = guide('conformance').take('sh', '--only cross');
  expect(await stage.shell(run).succeeds()).toMatch(/(\d+) of \1 passed/);
  expect(pageOf('packages/conformance/README.md').take('sh', 'npx')).toBe(run.replace(' --only cross', ''));
});

test('pages: HTML, styles and bundles', async () => {
  const page = guide('widget');
  expect(await stage.shell(page.take('sh', '/v1/keys')).succeeds()).toContain('hpp_');
  const manifest = readFileSync('packages/widget/custom-elements.json', 'utf8');
  const readme = pageOf('packages/widget/README.md');
  for (const html of [...page.takeAll('html'), ...readme.takeAll('html')])
    for (const [, element = ''] of html.matchAll(/<(holdpoint-\w+)/g)) expect(manifest).toContain(`"${element}"`);
  for (const css of page.takeAll('css'))
    for (const [, property = ''] of css.matchAll(/(--hp-[\w-]+)/g)) expect(manifest).toContain(`"${property}"`);
  const bundle = (contents: string, loader: 'js' | 'jsx' | 'tsx') =>
    build({
      stdin: { contents, loader, resolveDir: stage.folder },
      ...{ bundle: true, write: false, format: 'esm', jsx: 'automatic', logLevel: 'silent', platform: 'browser' },
    });
  for (const [code, loader] of [
    [page.take('jsx', 'HoldpointChat'), 'jsx'],
    [readme.take('js', '@holdpoint/widget'), 'js'],
    [readme.take('tsx', 'HoldpointChat'), 'tsx'],
  ] as const)
    expect((await bundle(code, loader)).errors).toEqual([]);
  const title = `globalThis.document = Object.assign(new EventTarget(), { title: '' });\n${page.take('js', 'holdpoint-pending')}
document.dispatchEvent(new CustomEvent('holdpoint-pending', { detail: { count: 2 } }));\nconsole.log(document.title);`;
  expect(await stage.program('title.mjs', title).succeeds()).toBe('(2) Releases\n');
  const source = guide('client').take('js', 'EventSource');
  const stream = await stage.hp.mintStreamToken({});
  const fake = `globalThis.EventSource = class { constructor(url) { this.url = url; } addEventListener() {} };
globalThis.fetch = async () => Response.json(${JSON.stringify(stream)});\n`;
  expect(
    await stage.program('follow.mjs', `${fake}${source}\nawait follow();\nconsole.log(source.url);`).succeeds(),
  ).toBe(`${stream.url}\n`);
});

describe('the READMEs of examples, with Node 20 instead of the Node of the clone', () => {
  const page = (name: string) => pageOf(`examples/${name}/README.md`);
  const at = { node: 20, folder: process.cwd(), env: { PORT: '0' } } as const;
  const own = (name: string, containing = 'export HOLDPOINT_URL') => stage.shell(page(name).take('sh', containing), at);

  test.each([
    ['curl-only', 'Deploy 4.2 where?', { choice: 'staging' }, 'deploying to staging'],
    ['mcp-client', 'Which hotel?', { choice: 'Seaside' }, 'booking the Seaside'],
    ['plain-fetch', 'Roll out 4.2?', { decision: 'allow', percent: 25 }, 'rolling out 4.2 to 25 %'],
    ['typed-ask', 'How would you like to fly?', { seat: 'aisle', bags: 1 }, 'booked: aisle'],
    ['langgraph', 'Publish this?', { verdict: 'publish' }, 'published: A post about bread.'],
    ['shell-gate', 'Delete the backups in /path/to/backups?', { decision: 'deny' }, 'kept: a person said no'],
  ])('%s', async (name, title, values, end) => {
    const running = own(name);
    await stage.answer(title, values);
    expect(await running.succeeds()).toContain(end);
  });

  test.each(['express-app', 'hono-app'])('%s', async (name) => {
    const running = own(name, 'openssl');
    const url = await running.prints(/ready at (\S+)/);
    const curl = page(name).take('sh', 'curl').replace('http://127.0.0.1:8080', url);
    expect(await stage.shell(curl, at).succeeds()).toContain('/a/');
    running.kill();
    rmSync(`examples/${name}/data`, { recursive: true, force: true });
  });

  test.each(['html-page', 'react-page'])('%s', async (name) => {
    const running = own(name);
    const url = await running.prints(/open (http\S+)/);
    expect((await fetch(url)).status).toBe(200);
    running.kill();
    rmSync('examples/react-page/dist', { recursive: true, force: true });
  });

  test('webhook-backend', async () => {
    const running = own('webhook-backend');
    const url = await running.prints(/ready at (\S+)/);
    const curl = page('webhook-backend').take('sh', 'curl').replace('http://127.0.0.1:8080', url);
    await stage.shell(curl, at).succeeds();
    await stage.answer('Refund order A-17?', { decision: 'allow', amount: 25 });
    await running.prints('refunded 25 € for order A-17');
    running.kill();
  });

  test('durable-agent', async () => {
    const worker = own('durable-agent', 'worker.ts');
    await stage.shell(page('durable-agent').take('sh', 'threads/trip'), at).succeeds();
    await stage.answer('Where to, and when?', { to: 'Oslo', on: '2026-12-01' });
    await stage.answer('Book this flight?', { decision: 'allow' });
    await worker.prints('booking Oslo on 2026-12-01');
    worker.kill();
  });

  test('worker-fleet', async () => {
    const port = await freePort();
    const warehouse = createServer((_request, response) => response.end()).listen(port);
    const code = page('worker-fleet').take('sh', 'WAREHOUSE_URL');
    const fleet = stage.shell(`${code.replace('https://warehouse.example.com', `http://127.0.0.1:${port}`)}\nwait`, at);
    for (const order of 'ABCD') await stage.answer(`Ship order ${order}?`, { decision: 'allow' });
    for (const order of 'ABCD') await fleet.prints(`shipped order ${order}`);
    fleet.kill();
    warehouse.close();
  });

  test('`npm run example` is what the tests of the examples run', () => {
    for (const name of stories()) expect(page(name).take('sh', 'npm run example')).toBe(`npm run example -- ${name}`);
  });
});

test('every block is run or says why not', () => {
  const unused = pages().flatMap((file) => {
    const page = pageOf(file);
    const covered = elsewhere[file];
    if (covered) expect(readFileSync(covered.test, 'utf8')).not.toBe('');
    for (const language of covered?.languages ?? []) page.takeAll(language);
    return page.rest();
  });
  expect(unused).toEqual([]);
});
