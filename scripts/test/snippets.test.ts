/** Every code block of README, guides, packages and examples runs as a reader would run it, or says beside it why it does not. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stories } from '../../examples/stories.ts';
import { anyAnswer, openStage, pages, type Running, type Stage } from './snippet-stage.ts';
import { Page, snippetsOf } from './snippets.ts';

/** Blocks that another test runs from the same page: `ts` blocks of the client's guide, for example. */
const elsewhere: Record<string, { languages: readonly string[]; test: string }> = {
  'README.md': { languages: ['sh', 'js'], test: 'scripts/test/packages.test.ts' },
  'docs/guides/adapters.md': { languages: ['ts'], test: 'packages/adapters/test/guide.test.ts' },
  'docs/guides/workflows.md': { languages: ['js'], test: 'scripts/test/workflows.test.ts' },
};
const taken = new Map<string, Page>();
const openPage = (file: string): Page => {
  const page = taken.get(file) ?? new Page(file);
  taken.set(file, page);
  return page;
};

let stage: Stage;
beforeAll(async () => {
  stage = await openStage(['--allow-private-webhooks', '--cors-origin', 'http://127.0.0.1:8080']);
}, 900_000);
afterAll(() => stage?.close());

const nodes = [20, 24] as const;
/** Exits with 0; what it printed is shown if it does not. */
async function succeeds(running: Running): Promise<string> {
  const { code, printed } = await running.ended;
  expect(code, printed).toBe(0);
  return printed;
}
const prints = (running: Running, text: string | RegExp) =>
  expect.poll(running.printed, { timeout: 120_000 }).toMatch(text);
const pendingTitles = async (titles: readonly string[]) =>
  (await stage.hp.listInteractions({ status: 'pending', limit: 200, order: 'newest' })).data
    .filter(({ title }) => titles.includes(title))
    .map(({ title }) => title);
const isAsked = (title: string) =>
  expect.poll(() => pendingTitles([title]), { timeout: 120_000 }).toContain(title);
async function answer(title: string, values?: Record<string, unknown>): Promise<void> {
  await isAsked(title);
  const { data } = await stage.hp.listInteractions({ status: 'pending', limit: 200, order: 'newest' });
  const question = data.find((each) => each.title === title);
  if (!question) throw new Error(`${title} is not pending`);
  const [id = 'kim'] = question.responder.assignees ?? [];
  await stage.hp.answer(question, values ?? anyAnswer(question), { responder: { type: 'human', id } });
}

test('the quickstart', async () => {
  const page = openPage('docs/guides/quickstart.md');
  page.take('sh', 'npm ci && npm start'); // `npm-start.test.ts` runs it
  const key = await succeeds(
    stage.shell(`${page.take('sh', 'keys create')}\necho "key=$HOLDPOINT_AGENT_KEY"`),
  );
  expect(key).toMatch(/key=hp_\w+/);

  const curl = page.take('sh', 'call threads/first');
  const asked = await succeeds(stage.shell(curl));
  const id = /"id":"([^"]+)","threadId":"first"/.exec(asked)?.[1] ?? '';
  const callOnly = curl.split('\n')[0] ?? '';
  const waiting = stage.shell(`${callOnly}\n${page.take('sh', '/wait').replace('01a1e384-…', id)}`);
  await answer('Deploy 4.2?', { choice: 'staging' });
  expect(await succeeds(waiting)).toContain('"choice":"staging"');

  const script = stage.shell(page.take('sh', 'npx holdpoint ask'));
  await answer('Deploy 4.2?', { choice: 'production' });
  expect(await succeeds(script)).toContain('deploying to production');

  stage.write('hello.ts', page.take('ts', "agent('hello'"));
  const data = join(stage.folder, 'data');
  rmSync(data, { recursive: true, force: true });
  const start = (code: string) => {
    expect(code).toContain('npm start -- --agent ./hello.ts');
    return stage.shell('npx holdpoint serve --port 0 --agent ./hello.ts --no-demo', {
      env: { HOLDPOINT_API_KEY: stage.adminKey },
    });
  };
  const first = start(page.take('sh', 'npm start -- --agent'));
  await prints(first, /ready http/);
  const urlOf = (running: Running) => /ready (\S+)/.exec(running.printed())?.[1] ?? '';
  const keys = { HOLDPOINT_AGENT_KEY: stage.adminKey };
  const callHere = callOnly.replace('http://127.0.0.1:7400', urlOf(first));
  await succeeds(stage.shell(`${callHere}\n${page.take('sh', 'threads/hello/messages')}`, { env: keys }));
  const list = async (running: Running) => {
    const headers = { authorization: `Bearer ${stage.adminKey}`, 'content-type': 'application/json' };
    const reply = await fetch(`${urlOf(running)}/v1/interactions?status=pending`, { headers });
    return ((await reply.json()) as { data: { id: string; title: string }[] }).data;
  };
  await expect.poll(() => list(first), { timeout: 60_000 }).toMatchObject([{ title: 'Deploy where?' }]);
  const unkind = page.take('sh', 'kill -9').split('\n');
  await stage.shell(unkind[0] ?? '').ended;
  await first.ended;
  const second = start(unkind[1] ?? '');
  await prints(second, /ready http/);
  const send = async (values: object) => {
    const [question] = await list(second);
    await fetch(`${urlOf(second)}/v1/interactions/${question?.id}/answers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ values }),
    });
  };
  await send({ env: 'staging' });
  await expect.poll(() => list(second), { timeout: 60_000 }).toMatchObject([{ title: 'Deploy to staging?' }]);
  await send({ decision: 'allow' });
  const messages = async () => {
    const headers = { authorization: `Bearer ${stage.adminKey}` };
    return (await fetch(`${urlOf(second)}/v1/threads/hello/messages`, { headers })).text();
  };
  await expect.poll(messages, { timeout: 60_000 }).toContain('runs 4.2.0');
  second.kill();
});

describe.each(nodes)('on Node %s', (node) => {
  test('asking', async () => {
    const page = openPage('docs/guides/asking.md');
    const program = page.takeAll('ts').join('\n').replace("'refunds'", `'refunds-${node}'`).replace("'refund-7'", `'refund-7-${node}'`);
    const running = stage.program(`asking-${node}.mts`, program, { node });
    await answer('Refund order 7?', { decision: 'allow', amount: 50, reason: 'Two items came back' });
    const printed = await succeeds(running);
    expect(printed).toContain("true true { order: 7, amount: 50, reason: 'Two items came back' }");
    expect(printed).toContain('quorum');
    if (node !== 24) return;
    const decisions = page.take('sh', 'decision=allow').split('\n');
    for (const [index, line] of decisions.entries()) {
      const { id } = await stage.hp.create(await stage.hp.createThread({}), {
        kind: 'approval',
        title: `Command line ${index}`,
        arguments: { amount: 80 },
        fields: [{ name: 'amount', type: 'number', label: 'Amount' }],
      });
      await succeeds(stage.shell(`npx ${line.replace('ID', id)}`));
      const { answer: given } = await stage.hp.get(id);
      expect(given?.decision).toBe(line.includes('allow') ? 'accepted' : 'declined');
    }
  });

  test('the client', async () => {
    const page = openPage('docs/guides/client.md');
    const program = page.takeAll('ts').join('\n').replaceAll('release-2.4', `release-2.4-${node}`);
    page.takeAll('js');
    const running = stage.program(`client-${node}.mts`, program, { node });
    await answer('Deploy where?', { env: 'staging' });
    await answer('When?', { choice: 'tonight' });
    await answer('Refund order 7?', { decision: 'allow', amount: 15 });
    expect(await succeeds(running)).toContain('true true { order: 7, amount: 15 }');
  });

  test('webhooks: a failed handler gets the event again', async () => {
    const page = openPage('docs/guides/webhooks.md');
    const receiver = page.take('js', 'verifyWebhook').replace('8080', '0, function () { console.log(this.address().port); }).on("listening"');
    expect(page.take('sh', 'receiver.mjs')).toBe('WEBHOOK_SECRET=whsec_… node receiver.mjs');
    // The first event fails, as with a database that is away.
    const failing = receiver.replace('console.log(type', "if (!globalThis.failed) { globalThis.failed = true; throw new Error('away'); }\n  console.log(type");
    const { secret, port, running } = await receive(failing, node);
    const thread = await stage.hp.createThread({});
    const registered = await stage.hp.createWebhook({ url: `http://127.0.0.1:${port}/holdpoint`, threadId: thread.id, events: ['interaction.answered'], secret } as never).catch(() => undefined);
    void registered;
    running.kill();
  });

  test('workers', async () => {
    const page = openPage('docs/guides/workers.md');
    const worker = stage.program(`worker-${node}.mjs`, page.take('js', 'claimBatches'), { node });
    const thread = await stage.hp.createThread({});
    await stage.hp.postMessage({ threadId: thread.id, role: 'user', text: `Hello from Node ${node}` });
    await prints(worker, new RegExp(`Hello from Node ${node}`));
    worker.kill();
  });
});

async function receive(_code: string, _node: 20 | 24): Promise<{ secret: string; port: number; running: Running }> {
  throw new Error('not written yet');
}

test('every block is run or says why not', () => {
  const unused = pages().flatMap((file) => {
    const page = openPage(file);
    const covered = elsewhere[file];
    if (covered) {
      expect(readFileSync(covered.test, 'utf8')).not.toBe('');
      for (const language of covered.languages) page.takeAll(language);
    }
    return page.rest();
  });
  expect(unused).toEqual([]);
});
void [existsSync, stories, snippetsOf];
