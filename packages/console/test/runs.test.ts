/** The runs pages. */
import type { Batch, BegunRun, Interaction, Run, Thread } from '@holdpoint/protocol';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, stageOfThisFile } from '../../widget/test/stage.ts';
import { expectNarrow, openConsole, sidewaysParts } from './open-console.ts';

const stage = stageOfThisFile();
const workerId = 'worker-1';

beforeAll(() => stage.call('/v1/dispatch', { debounceMs: 0, from: 'start' }, 'PATCH'));

/** Starts a run of an agent of its own and brings it to a given state. */
async function runOf(agent: string, advance: (question: Interaction) => object) {
  const thread = await stage.call<Thread>('/v1/threads', { title: `Thread of ${agent}`, agent });
  const token = await stage.tokenFor({ threadId: thread.id });
  await fetch(`${stage.url}/v1/threads/${thread.id}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Please deploy.' }),
  });
  const claim = { workerId, agents: [agent], waitMs: 20_000 };
  const [batch] = (await stage.call<{ data: Batch[] }>('/v1/dispatch/claim', claim)).data;
  const { run } = await stage.call<BegunRun>(`/v1/dispatch/batches/${batch?.id}/run`, { workerId });
  const asked = await stage.ask(thread.id, {
    kind: 'approval',
    title: `Deploy by ${agent}?`,
    run: { id: run?.id ?? '' },
  });
  const more = { expectedVersion: run?.version, ...advance(asked) };
  const advanced = await stage.call<Run>(`/v1/runs/${run?.id}/advance`, more);
  await stage.call(`/v1/dispatch/batches/${batch?.id}/complete`, { workerId });
  return { run: advanced, asked, thread };
}

const failedAttempt = { attempt: 1, error: { name: 'Error', message: 'busy' }, nextAt: '2030-01-01T00:00:00Z' };
const entries = ({ id }: Interaction) => [
  { call: 1, type: 'step', name: 'build', state: 'begun', data: failedAttempt },
  { call: 1, type: 'step', name: 'build', state: 'done', data: { value: { sha: '4f1c2ab' } } },
  { call: 2, type: 'say', name: '', state: 'done', data: { messageId: 'm' } },
  { call: 3, type: 'ask', name: 'deploy', state: 'begun', data: { interactionId: id } },
];
const waiting = (asked: Interaction) => ({
  entries: entries(asked),
  status: 'waiting',
  waitingFor: [{ type: 'interaction', interactionId: asked.id }, { type: 'message' }],
});

test('[CO49] shows an example agent on an empty page', async () => {
  const page = await openConsole(stage, '#/runs');
  await page.getByRole('heading', { name: 'No runs yet' }).waitFor();
  await expectAccessible(page);
});

test('[CO49] lists runs by status and agent with what they wait for, live', async () => {
  const { run } = await runOf('lister', waiting);
  await runOf('failing', () => ({ status: 'failed', error: { code: 'boom', message: 'It broke.' } }));
  const page = await openConsole(stage, '#/runs');
  const lines = page.getByRole('row');
  await lines.filter({ hasText: 'lister' }).getByRole('link', { name: '“Deploy by lister?”' }).waitFor();
  await lines.filter({ hasText: 'lister' }).getByRole('link', { name: 'Thread of lister' }).waitFor();
  await lines.filter({ hasText: 'failing' }).getByText('It broke.').waitFor();
  await expectAccessible(page);
  await page.getByRole('radio', { name: 'Failed' }).check();
  await expect.poll(() => lines.filter({ hasText: 'lister' }).count()).toBe(0);
  expect(page.url()).toContain('status=failed');
  await stage.call(`/v1/runs/${run.id}/cancel`, { reason: 'Enough.' });
  await page.getByRole('radio', { name: 'Cancelled' }).check();
  await lines.filter({ hasText: 'Enough.' }).waitFor();
  await page.getByRole('searchbox', { name: 'Agent' }).fill('nobody');
  await page.keyboard.press('Enter');
  await page.getByText('No matching runs').waitFor();
});

test('[CO31] no list or filter of the runs scrolls sideways from 320 pixels on', async () => {
  const long = 'an-agent-with-a-name-that-has-no-place-to-break'.replaceAll('-', '');
  const { run } = await runOf(long, waiting);
  await runOf('breaking', () => ({ status: 'failed', error: { code: 'boom', message: long.repeat(4) } }));
  const page = await openConsole(stage, '#/runs');
  for (const hash of ['#/runs', `#/runs/${run.id}`]) {
    await page.goto(`${stage.url}/${hash}`);
    await page.getByText(`“Deploy by ${long}?”`).first().waitFor();
    for (const width of [320, 375, 480, 620, 768, 860, 1024, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await sidewaysParts(page), `${hash} at ${width}`).toEqual([]);
    }
  }
});

test('[CO50] shows the journal of a run call by call, with a link to the pending request', async () => {
  const { run, asked } = await runOf('teller', waiting);
  const page = await openConsole(stage, `#/runs/${run.id}`);
  const calls = page.getByRole('list', { name: 'Calls, in order' }).getByRole('listitem');
  await expect
    .poll(() => calls.allInnerTexts())
    .toEqual([
      expect.stringMatching(/Step\s*build[\s\S]*2 attempts[\s\S]*4f1c2ab/),
      expect.stringContaining('Message sent'),
      expect.stringMatching(/Request\s*“Deploy by teller\?”[\s\S]*Running/),
    ]);
  await expectAccessible(page);
  await calls.first().locator('summary').press('Enter');
  const json = page.getByRole('region', { name: 'Text of the entries of call 1' });
  expect(JSON.parse(await json.innerText())).toMatchObject([{ state: 'begun' }, { state: 'done', index: 2 }]);
  await page.getByRole('definition').getByRole('link', { name: '“Deploy by teller?”' }).click();
  await expect.poll(() => page.url()).toContain(`#/inbox/${asked.id}`);
});

test('[CO51] cancels and restarts a run, each after a confirmation', async () => {
  const { run, asked } = await runOf('stopper', waiting);
  const page = await openConsole(stage, `#/runs/${run.id}`, {
    viewport: { width: 320, height: 640 },
    colorScheme: 'dark',
  });
  await page.getByRole('button', { name: 'Cancel run…' }).click();
  const stored = () => stage.call<Run>(`/v1/runs/${run.id}`);
  const dialog = page.getByRole('dialog');
  await expectAccessible(page);
  expect((await stored()).status).toBe('waiting');
  await dialog.getByRole('button', { name: 'Cancel run' }).click();
  await page.getByRole('button', { name: 'Restart run…' }).waitFor();
  expect((await stored()).status).toBe('cancelled');
  await expect
    .poll(async () => (await stage.call<Interaction>(`/v1/interactions/${asked.id}`)).status)
    .toBe('cancelled');
  await expectNarrow(page);
  await page.getByRole('button', { name: 'Restart run…' }).click();
  await dialog.getByRole('button', { name: 'Restart run' }).click();
  await page.getByText('Restart of').waitFor();
  expect(page.url()).not.toContain(run.id);
});
