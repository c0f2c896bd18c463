/** The thread list, and one thread with its conversation and log. */
import type { Interaction, Person, Thread } from '@holdpoint/protocol';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, stageOfThisFile } from '../../widget/test/stage.ts';
import { expectNarrow, openConsole } from './open-console.ts';

const stage = stageOfThisFile();
/** Inside the window and inside the scrolling part of the page. */
const isInSight = (line: Locator): Promise<boolean> =>
  line.evaluate((it) => {
    const { top, bottom } = it.getBoundingClientRect();
    const frame = it.closest('.thread-side')?.getBoundingClientRect();
    return frame !== undefined && top >= Math.max(0, frame.top) && bottom <= Math.min(innerHeight, frame.bottom);
  });

const newThread = (more: object) => stage.call<Thread>('/v1/threads', more);

test('[CO47] explains threads on an empty page, and creates one', async () => {
  const page = await openConsole(stage, '#/threads');
  await page.getByRole('heading', { name: 'No threads yet' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create thread' }).click();
  await page.getByLabel('Title').fill('Made by hand');
  await page.getByLabel('Agent').fill('helper');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Create thread' }).click();
  await page.getByRole('heading', { name: 'Made by hand', level: 1 }).waitFor();
  await page.getByText('Agent: helper').waitFor();
});

test('[CO47] lists threads with their last message and number of pending requests, live', async () => {
  const { id } = await newThread({ title: 'Release 4.2', agent: 'release-manager' });
  await newThread({ title: 'Something else' });
  const page = await openConsole(stage, '#/threads');
  const line = page.getByRole('listitem').filter({ hasText: 'Release 4.2' });
  await line.getByText('No messages yet').waitFor();
  await stage.call(`/v1/threads/${id}/messages`, { text: 'The build is green.' });
  await line.getByText('The build is green.').waitFor();
  await stage.ask(id, { title: 'Deploy?', options: ['yes', 'no'] });
  await line.getByText('1 pending').waitFor();
  await newThread({ title: 'Opened meanwhile' });
  await page.getByRole('link', { name: /Opened meanwhile/ }).waitFor();
  await expectAccessible(page);
  await page.getByRole('searchbox', { name: 'Search threads' }).fill('release-manager');
  await expect.poll(() => page.locator('.thread-title').allInnerTexts()).toEqual(['Release 4.2']);
  await page.getByRole('link', { name: /Release 4\.2/ }).press('Enter');
  await page.getByRole('heading', { name: 'Release 4.2', level: 1 }).waitFor();
});

test('[CO48] the user writes and answers in a thread, and its log shows who did what, live', async () => {
  const { id } = await newThread({ title: 'Talk' });
  await stage.call(`/v1/threads/${id}/messages`, { text: 'May I?' });
  await stage.ask(id, { kind: 'approval', title: 'Restart it?' });
  const page = await openConsole(stage, `#/threads/${id}`);
  const log = page.getByRole('list', { name: 'Events, newest first' });
  await log.getByText('asked “Restart it?”').waitFor();
  await page.getByRole('log').getByText('May I?').waitFor();
  await page.getByRole('button', { name: 'Allow' }).click();
  await log.getByText('Console answered “Restart it?”: allow').waitFor();
  await page.getByLabel('Write a message').fill('Go ahead.');
  await page.keyboard.press('Enter');
  await log.getByText('Console wrote: Go ahead.').waitFor();
  await log.getByText('Console answered').click();
  const json = page.getByRole('region', { name: 'Text of event 4' });
  expect(JSON.parse(await json.innerText())).toMatchObject({
    type: 'interaction.answered',
    actor: { type: 'human', id: await stage.admin(), name: 'Console', via: 'link' },
    data: { answer: { values: { decision: 'allow' } } },
  });
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Details' }).click();
  await page.getByText(id, { exact: true }).waitFor();
  await expectAccessible(page);
});

test('[PE178] a thread says whose a request for others is, and has no form for it until it is for the user', async () => {
  const { id } = await newThread({ title: 'Of several' });
  const mia = await stage.call<Person>('/v1/people', { name: 'Mia Lang' });
  const responder = { type: 'human' as const, assignees: [`person:${mia.id}`] };
  const { id: asked } = await stage.ask(id, {
    kind: 'approval',
    title: 'For Mia?',
    arguments: { pages: 4 },
    responder,
  });
  const page = await openConsole(stage, `#/threads/${id}`);
  const others = page.getByRole('region', { name: 'Pending requests for others' });
  await others.getByText('Only Mia Lang may answer this request.').waitFor();
  await page.getByLabel('Write a message').waitFor();
  expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0);
  await others.getByText('For Mia?').click();
  await others.getByText('pages').waitFor();
  for (const width of [1_440, 768, 375, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNarrow(page);
    await expectAccessible(page);
  }
  const assignees = [`person:${await stage.admin()}`, `person:${mia.id}`];
  await stage.call(`/v1/interactions/${asked}/reassign`, { assignees });
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  await expect.poll(() => others.count()).toBe(0);

  await stage
    .ask(id, { kind: 'approval', title: 'Claimed?', responder: { type: 'human', assignees } })
    .then((claimed) =>
      stage.call(`/v1/interactions/${claimed.id}/claim`, { responder: { type: 'human', id: mia.id } }),
    );
  await page.reload();
  await others.getByText(/Claimed by Mia Lang until/).waitFor();
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(1);
});

test('[CO48] loads earlier parts of a long log on demand', async () => {
  const { id } = await newThread({ title: 'Long' });
  for (let index = 0; index < 130; index++) await stage.call(`/v1/threads/${id}/messages`, { text: `No. ${index}` });
  const page = await openConsole(stage, `#/threads/${id}`);
  const events = page.getByRole('list', { name: 'Events, newest first' }).getByRole('listitem');
  await expect.poll(() => events.count()).toBe(100);
  expect(await events.first().innerText()).toContain('No. 129');
  await page.getByRole('button', { name: 'Show earlier events' }).click();
  await expect.poll(() => events.count()).toBe(131);
  expect(await events.last().innerText()).toContain('opened the thread');
  expect(await page.getByRole('button', { name: 'Show earlier events' }).count()).toBe(0);
});

test('[CO59] an address with an event opens and shows it, also if it is not listed', async () => {
  const { id } = await newThread({ title: 'Long' });
  for (let index = 0; index < 130; index++) await stage.call(`/v1/threads/${id}/messages`, { text: `No. ${index}` });
  const page = await openConsole(stage, `#/threads/${id}?event=60`);
  const json = (seq: number) => page.getByRole('region', { name: `Text of event ${seq}` });
  const current = page.locator('.event[aria-current] summary');
  await json(60).waitFor();
  await expect.poll(() => isInSight(current)).toBe(true);
  expect(await current.innerText()).toContain('No. 58');
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Details' }).click();
  await page.goto(`${stage.url}/#/threads/${id}?event=3`);
  const earlier = page.getByRole('region', { name: 'Linked event' });
  await earlier.getByText('No. 1', { exact: false }).first().waitFor();
  await json(3).waitFor();
  await expect.poll(() => isInSight(current)).toBe(true);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show earlier events' }).click();
  await expect.poll(() => earlier.count()).toBe(0);
  await json(3).waitFor();
  await page.goto(`${stage.url}/#/threads/${id}?event=x`);
  await expect.poll(() => current.count()).toBe(0);
});

test('[CO48] fits a phone in dark mode, and links from a request to its thread', async () => {
  const { id } = await newThread({ title: 'Small and dark, with a title that is much longer than a phone is wide' });
  const { id: question } = (await stage.ask(id, { title: 'Where?', options: ['here', 'there'] })) as Interaction;
  const page = await openConsole(stage, `#/inbox/${question}`, {
    viewport: { width: 320, height: 640 },
    colorScheme: 'dark',
  });
  await page.getByRole('link', { name: /Small and dark/ }).click();
  await page.getByRole('button', { name: 'there' }).waitFor();
  await page.getByText('asked “Where?”').waitFor();
  await expectNarrow(page);
  await expectAccessible(page);
  await page.goto(`${stage.url}/#/threads`);
  await page.getByRole('link', { name: /Small and dark/ }).waitFor();
  await expectNarrow(page);
  await page.goto(`${stage.url}/#/threads/none`);
  await page.getByRole('alert').waitFor();
});
