/** The inbox: search, filter, answer in place, and approve several at once. */
import type { ApiKey, Interaction, Person, Thread } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, stageOfThisFile } from '../../widget/test/stage.ts';
import { expectNarrow, focusedLine, later, openConsole } from './open-console.ts';

const stage = stageOfThisFile();
const approval = (title: string, more: object = {}) => ({ kind: 'approval' as const, title, ...more });
const stored = (id: string) => stage.call<Interaction>(`/v1/interactions/${id}`);
const titlesIn = (page: Page) => page.locator('.inbox-title').allInnerTexts();

/** A thread of its own, so that requests of other tests are filtered out. */
async function threadWith(title: string, questions: object[], more: object = {}) {
  const { id } = await stage.call<Thread>('/v1/threads', { title, ...more });
  const asked: Interaction[] = [];
  for (const question of questions) asked.push(await stage.ask(id, question as never));
  return { id, asked, ids: asked.map((each) => each.id) as [string, ...string[]] };
}

test('[CO40] shows pending requests of all threads live, the most urgent first', async () => {
  const { id, ids } = await threadWith('Live', [
    approval('Early?'),
    { title: 'Urgent?', options: ['a', 'b'], deadline: { at: later(1), outcome: 'expire' } },
  ]);
  const page = await openConsole(stage, `#/inbox?thread=${id}`);
  await expect.poll(() => titlesIn(page)).toEqual(['Urgent?', 'Early?']);
  await expectAccessible(page);
  await stage.ask(id, approval('Late?'));
  await expect.poll(() => titlesIn(page)).toEqual(['Urgent?', 'Early?', 'Late?']);
  await page.getByRole('status').getByText('New: Late?').waitFor();
  // The focused row disappears, and the next row gets the focus.
  await page.getByRole('link', { name: /Early\?/ }).focus();
  await stage.call(`/v1/interactions/${ids[1]}/cancel`, {});
  await stage.call(`/v1/interactions/${ids[0]}/cancel`, {});
  await expect.poll(() => titlesIn(page)).toEqual(['Late?']);
  await expect.poll(() => focusedLine(page)).toContain('Late?');
});

test('[CO41] finds a request by any of its words, filters by thread, agent, kind, age and deadline, and keeps the filters in the address', async () => {
  const key = await stage.call<ApiKey & { secret: string }>('/v1/keys', { name: 'billing bot', role: 'agent' });
  const one = await threadWith('Invoices of May', [
    { title: 'Refund it?', body: 'The customer was charged zwieback.', options: ['yes', 'no'] },
    { title: 'Why?', fields: [{ name: 'cause', type: 'text', label: 'Root ursache' }] },
  ]);
  const two = await threadWith('Filters', [], { agent: 'filter-agent' });
  await stage.ask(two.id, approval('Soon?', { deadline: { at: later(0.5), outcome: 'expire' } }));
  await fetch(`${stage.url}/v1/threads/${one.id}/interactions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Asked with a key' }),
  });
  const page = await openConsole(stage, '#/inbox');
  const search = page.getByRole('searchbox', { name: 'Search requests' });
  for (const [words, titles] of [
    ['zwieback', ['Refund it?']],
    ['URSACHE root', ['Why?']],
    ['invoices why', ['Why?']],
    ['billing bot', ['Asked with a key']],
    ['no such words', []],
  ] as const) {
    await search.fill(words);
    await expect.poll(() => titlesIn(page), { message: words }).toEqual(titles);
  }
  await page.getByText('No matching requests').waitFor();
  await threadWith('Zebra crossing', [{ title: 'Cross?' }]);
  await search.fill('zebra');
  await expect.poll(() => titlesIn(page)).toEqual(['Cross?']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('Agent').selectOption('filter-agent');
  await expect.poll(() => titlesIn(page)).toEqual(['Soon?']);
  await page.getByLabel('Deadline').selectOption('Due within an hour');
  await page.getByLabel('Kind').selectOption('Approval');
  await expect.poll(() => titlesIn(page)).toEqual(['Soon?']);
  await expect.poll(() => page.url()).toContain('agent=filter-agent');
  const address = page.url();
  const again = await openConsole(stage, address.slice(address.indexOf('#')));
  await expect.poll(() => titlesIn(again)).toEqual(['Soon?']);
  await again.getByLabel('Age', { exact: true }).selectOption('Pending for over a day');
  await again.getByText('No matching requests').waitFor();
});

test('[CO42] answers a request in place with the keyboard, and opens the next one with one key', async () => {
  const { id, ids } = await threadWith('Keys', [
    { title: 'First?', options: ['a', 'b'] },
    { title: 'Second?', options: ['c', 'd'] },
  ]);
  const page = await openConsole(stage, `#/inbox?thread=${id}`);
  await page.getByRole('link', { name: /First\?/ }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'First?', level: 2 }).first().waitFor();
  await page.getByRole('button', { name: 'b', exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'b', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Result' }).waitFor();
  expect((await stored(ids[0])).answer).toMatchObject({
    values: { choice: 'b' },
    by: { type: 'human', id: await stage.admin(), name: 'Console', via: 'link' },
  });
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('First?');
  // An element that gets the focus by itself accepts no press, so the user moves there.
  await page.keyboard.press('Tab');
  await page.getByRole('link', { name: 'Next request' }).press('Enter');
  await page.getByRole('button', { name: 'd', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.url()).not.toContain(ids[1]);
  await expect.poll(() => focusedLine(page)).toContain('Second?');
});

test('[CO43] people answer only as themselves, and see who may answer a question for others', async () => {
  await stage.call('/v1/groups', { id: 'legal', name: 'Legal' });
  const mia = await stage.call<Person>('/v1/people', { name: 'Mia Berg' });
  const assignees = [`person:${mia.id}`, 'group:legal'];
  const { id, ids } = await threadWith('Named', [
    approval('Sign it?', { arguments: { pages: 4 }, responder: { type: 'human', assignees } }),
    approval('Mine?', { responder: { type: 'human', assignees: [`person:${await stage.admin()}`] } }),
  ]);
  const page = await openConsole(stage, `#/inbox/${ids[0]}?thread=${id}`);
  await page.getByText('Only Mia Berg or the group Legal may answer this request.').waitFor();
  await page.getByText('pages').waitFor();
  expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0);
  await expectAccessible(page);
  await page.getByRole('link', { name: /Mine\?/ }).click();
  await page.getByText('You answer as Console').waitFor();
  await page.getByRole('button', { name: 'Allow' }).click();
  const outcome = page.getByRole('region', { name: 'Result' });
  await expect.poll(() => outcome.innerText()).toMatch(/Approved\s+by Console \(signed in with a link\)/);
  await expectAccessible(page);
});

test('[CO64] shows the requests of the user, or of their groups, and keeps the choice in the address', async () => {
  await stage.call('/v1/groups', { id: 'night-shift', name: 'Night shift' });
  const me = await stage.admin();
  await stage.call(`/v1/groups/night-shift/members`, { personId: me });
  const { id } = await threadWith('Shows', [
    approval('For me?', { responder: { type: 'human', assignees: [`person:${me}`] } }),
    approval('For my shift?', { responder: { type: 'human', assignees: ['group:night-shift'] } }),
    approval('For anyone?'),
  ]);
  const page = await openConsole(stage, `#/inbox?thread=${id}`);
  await expect.poll(() => titlesIn(page)).toEqual(['For me?', 'For my shift?', 'For anyone?']);
  await page.getByRole('radio', { name: /^Mine/ }).check();
  await expect.poll(() => titlesIn(page)).toEqual(['For me?']);
  await page.getByRole('radio', { name: /^My groups/ }).check();
  await expect.poll(() => titlesIn(page)).toEqual(['For my shift?']);
  await expect.poll(() => page.url()).toContain('show=groups');
  await expectAccessible(page);
  const again = await openConsole(stage, `#/inbox?show=groups&thread=${id}`);
  await expect.poll(() => titlesIn(again)).toEqual(['For my shift?']);
});

test('[CO44] approves several requests after a confirmation that lists them, and reports each failure', async () => {
  const { id, ids } = await threadWith('Bulk', [
    approval('One?', { arguments: { service: 'api' } }),
    approval('Two?'),
    { title: 'Not an approval?', options: ['a'] },
    approval('Three?'),
    approval('For others?', { responder: { type: 'human', assignees: ['mia'] } }),
    approval('To be signed?', { assurance: 'passkey' }),
    approval('To be filled in?', { fields: [{ name: 'why', type: 'text', label: 'Why', required: true }] }),
  ]);
  const [one, two, , three] = ids as unknown as [string, string, string, string];
  const page = await openConsole(stage, `#/inbox?thread=${id}`);
  await page.getByRole('link', { name: /One\?/ }).focus();
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  expect(await page.getByRole('checkbox').count()).toBe(3);
  await page.getByRole('button', { name: 'Approve 3…' }).waitFor();
  await page.route(`**/${two}/answers`, (route) => route.abort());
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Approve 3 requests?' });
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringContaining('service: api'),
    expect.stringContaining('Two?'),
    expect.stringContaining('Three?'),
  ]);
  await expectAccessible(page);
  expect((await stored(one)).status).toBe('pending');
  // The user did not read the changed request.
  await stage.call(`/v1/interactions/${three}`, { title: 'Three, and more?' }, 'PATCH');
  await dialog.getByRole('button', { name: 'Approve 3 requests' }).click();
  await dialog.getByText('1 approved, 2 failed.').waitFor();
  expect((await stored(one)).answer?.values).toEqual({ decision: 'allow' });
  expect((await stored(one)).answer?.by).toMatchObject({ type: 'human', id: await stage.admin(), name: 'Console' });
  expect([(await stored(two)).status, (await stored(three)).status]).toEqual(['pending', 'pending']);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  const left = ['Two?', 'Not an approval?', 'Three, and more?', 'For others?', 'To be signed?', 'To be filled in?'];
  await expect.poll(() => titlesIn(page)).toEqual(left);
});

test('[CO45] a link opens a closed request too, with the responder and the answer', async () => {
  const { ids } = await threadWith('Closed', [{ title: 'Wait?', options: ['ship', 'wait'] }, approval('Drop it?')]);
  const responder = { type: 'human', id: 'mia' };
  await stage.call(`/v1/interactions/${ids[0]}/answers`, { values: { choice: 'wait' }, responder });
  await stage.call(`/v1/interactions/${ids[1]}/decline`, { reason: 'Not on a Friday.', responder });
  const page = await openConsole(stage, `#/inbox/${ids[0]}`, { viewport: { width: 320, height: 640 } });
  const outcome = page.getByRole('region', { name: 'Result' });
  await expect.poll(() => outcome.innerText()).toMatch(/Answered\s+by mia[\s\S]*wait/);
  await expectNarrow(page);
  await expectAccessible(page);
  await page.goto(`${stage.url}/#/inbox/${ids[1]}`);
  await expect.poll(() => outcome.innerText()).toMatch(/Declined[\s\S]*Not on a Friday\./);
  await page.goto(`${stage.url}/#/inbox`);
  await page.getByRole('searchbox').waitFor();
  await expectNarrow(page);
  await page.goto(`${stage.url}/#/inbox/none`);
  await page.getByRole('alert').waitFor();
});

test('[CO45] is readable in dark mode', async () => {
  const { ids } = await threadWith('Dark', [approval('Dark?', { arguments: { env: 'production' } })]);
  const page = await openConsole(stage, `#/inbox/${ids[0]}`, { colorScheme: 'dark' });
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  await expectAccessible(page);
});
