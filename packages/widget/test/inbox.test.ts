/** All pending requests of a person, in a page. */
import type { Interaction } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { expectAccessible, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();
let people = 0;

/** Each test has its own person, so that it sees only its own questions. */
async function openInbox(questions: object[]) {
  const person = `person-${people++}`;
  const responder = { type: 'human' as const, assignees: [person] };
  const ask = async (question: object) => stage.ask(await stage.newThread(), { responder, ...question } as never);
  const asked: Interaction[] = [];
  for (const question of questions) asked.push(await ask(question));
  const { token } = await stage.call<{ token: string }>('/v1/responder-tokens', { responderId: person, inbox: true });
  const page = await stage.open(`<holdpoint-inbox token="${token}"></holdpoint-inbox>`);
  await page.getByRole('searchbox').waitFor();
  return { page, asked, ask };
}

const stored = (id: string) => stage.call<Interaction>(`/v1/interactions/${id}`);
const approval = (title: string) => ({ title, kind: 'approval', arguments: { service: 'api' } });

test('[WI19] shows the pending requests of all threads, the most urgent first, with a filter', async () => {
  const deadline = { at: new Date(Date.now() + 3_600_000).toISOString(), outcome: 'expire' };
  const { page } = await openInbox([approval('Restart billing?'), { title: 'Which?', options: ['a', 'b'], deadline }]);
  const titles = () => page.getByRole('listitem').getByRole('button').allInnerTexts();
  await expect.poll(titles).toEqual([expect.stringContaining('Which?'), expect.stringContaining('Restart billing?')]);
  await expectAccessible(page);
  await page.getByRole('searchbox').fill('billing');
  await expect.poll(titles).toEqual([expect.stringContaining('Restart billing?')]);
  await page.getByRole('searchbox').fill('');
  await page.getByLabel('Kind').selectOption('choice');
  await expect.poll(titles).toEqual([expect.stringContaining('Which?')]);
});

test('[WI19] works with the keyboard alone', async () => {
  const { page, asked } = await openInbox([approval('One?'), { title: 'Two?', options: ['a', 'b'] }]);
  await page.getByRole('button', { name: 'One?' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'b', exact: true }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Two?' }).waitFor({ state: 'detached' });
  expect((await stored(asked[1]?.id ?? '')).answer?.values).toEqual({ choice: 'b' });
});

test('[WI20] a bulk approval names the requests and asks for confirmation; those that fail stay', async () => {
  const { page, asked } = await openInbox([approval('One?'), approval('Two?'), approval('Three?')]);
  const [one, two, three] = asked.map(({ id }) => id) as [string, string, string];
  await page.getByRole('checkbox', { name: 'Select One?' }).check();
  await page.getByRole('checkbox', { name: 'Select Two?' }).check();
  await page.route(`**/${two}/answers`, (route) => route.abort());
  await page.getByRole('button', { name: 'Approve selected (2)' }).click();
  await page.getByRole('heading', { name: 'Approve these 2 requests?' }).waitFor();
  await expectAccessible(page);
  expect((await stored(one)).status).toBe('pending');
  await page.getByRole('button', { name: 'Yes, approve' }).click();
  await page.getByRole('alert').getByText('Two?').waitFor();
  expect((await stored(one)).answer?.values).toEqual({ decision: 'allow' });
  expect([(await stored(two)).status, (await stored(three)).status]).toEqual(['pending', 'pending']);
});

test('[WI19] new requests appear, and requests that are answered elsewhere disappear', async () => {
  const { page, asked, ask } = await openInbox([approval('Early?')]);
  await page.getByRole('button', { name: 'Early?' }).waitFor();
  await ask(approval('Late?'));
  await page.getByRole('button', { name: 'Late?' }).waitFor();
  await page.getByRole('status').getByText('New request: Late?').waitFor();
  await stage.call(`/v1/interactions/${asked[0]?.id}/cancel`, {});
  await page.getByRole('button', { name: 'Early?' }).waitFor({ state: 'detached' });
});

test('[WI19] says that nothing is pending, or that the token is invalid', async () => {
  const { page } = await openInbox([]);
  await page.getByText('No pending requests. New ones appear here.').waitFor();
  const other = await stage.open('<holdpoint-inbox token="none"></holdpoint-inbox>');
  await other.getByText('the link has expired').waitFor();
});
