/** A question that changes while a person answers it: an answer counts only for the version that they saw. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { approval, button, scenesOn } from './scenes.ts';
import { expectAccessible, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();
const scenes = scenesOn(stage);
const changed = 'This question has changed.';

const change = (id: string, patch: object) => stage.call(`/v1/interactions/${id}`, patch, 'PATCH');

/** Changes the question just before the first answer arrives. */
async function changeBeforeSending(page: Page, id: string, patch: object): Promise<void> {
  await page.route(
    /\/(answers|decline)$/,
    async (route) => {
      await change(id, patch);
      await route.continue();
    },
    { times: 1 },
  );
}

const deploy = {
  title: 'Deploy 4.2?',
  fields: [
    { type: 'text', name: 'note', label: 'Note' },
    { type: 'text', name: 'version', label: 'Version', default: '4.2' },
    { type: 'password', name: 'pin', label: 'Pin' },
  ],
};

test('[BD6] an answer to an older version is rejected: the new version is shown, with the input', async () => {
  const { page, id } = await scenes.request(deploy);
  await page.getByLabel('Note').fill('After lunch');
  await changeBeforeSending(page, id, { title: 'Deploy 4.2 to production?' });
  await button(page, 'Send').click();
  await page.getByRole('alert').getByText(changed).waitFor();
  await page.getByRole('heading', { name: 'Deploy 4.2 to production?' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(1);
  await expectAccessible(page);
  expect((await scenes.stored(id)).status).toBe('pending');
  expect(await page.getByLabel('Note').inputValue()).toBe('After lunch');
  await button(page, 'Send').click();
  await page.getByText('This request was answered.').waitFor();
  const { answer, digest } = await scenes.stored(id);
  expect(answer).toMatchObject({ digest, values: { note: 'After lunch', version: '4.2' } });
});

test('[BD6] in a form that changed, input stays in its field, and proposed values are the new ones', async () => {
  const { page, id } = await scenes.request(deploy);
  await page.getByLabel('Note').fill('After lunch');
  await page.getByLabel('Pin').fill('1234');
  const [note, version, pin] = deploy.fields;
  const fields = [pin, { ...version, default: '4.3' }, note, { type: 'text', name: 'town', label: 'Town' }];
  await changeBeforeSending(page, id, { fields });
  await button(page, 'Send').click();
  await page.getByRole('alert').getByText(changed).waitFor();
  await page.getByLabel('Town').waitFor();
  expect(await page.getByRole('alert').count()).toBe(1);
  await expectAccessible(page);
  expect((await scenes.stored(id)).status).toBe('pending');
  const values = await Promise.all(['Note', 'Version', 'Pin'].map((label) => page.getByLabel(label).inputValue()));
  expect(values).toEqual(['After lunch', '4.3', '1234']);
  await button(page, 'Send').click();
  await page.getByText('This request was answered.').waitFor();
  const { answer, digest } = await scenes.stored(id);
  expect(answer).toMatchObject({ digest, values: { note: 'After lunch', version: '4.3' }, secretFields: ['pin'] });
});

test('[BD6] one tap answers only the version that was shown', async () => {
  const { page, id } = await scenes.request(approval('Restart?'));
  await changeBeforeSending(page, id, { title: 'Delete?' });
  await button(page, 'Allow').click();
  await page.getByRole('heading', { name: 'Delete?' }).waitFor();
  await page.getByRole('alert').getByText(changed).waitFor();
  expect((await scenes.stored(id)).status).toBe('pending');
  await button(page, 'Deny').click();
  await expect.poll(async () => (await scenes.stored(id)).closedReason).toBe('declined');
});

test('[BD6] declining also counts only for the version that was shown, and the reason stays', async () => {
  const { page, id } = await scenes.request(deploy);
  await button(page, 'Decline').click();
  await page.keyboard.type('Not mine.');
  await changeBeforeSending(page, id, { title: 'Deploy 4.3?' });
  await button(page, 'Decline request').click();
  await page.getByRole('alert').getByText(changed).waitFor();
  expect((await scenes.stored(id)).status).toBe('pending');
  await button(page, 'Decline request').click();
  await page.getByText('This request was declined.').waitFor();
  const { answer, digest } = await scenes.stored(id);
  expect(answer).toMatchObject({ digest, reason: 'Not mine.' });
});

test('[BD6] [WI6] a question that changes while a person looks at it says so, in their language', async () => {
  const { page, id } = await scenes.request(deploy, { lang: 'de' });
  await button(page, 'Senden').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await change(id, { metadata: { seen: true } });
  await change(id, { title: 'Deploy 4.3?' });
  await page.getByRole('alert').getByText('Diese Frage wurde geändert.').waitFor();
  await expectAccessible(page);
});

test('[BD6] a bulk approval approves only the versions that it named: a changed request stays', async () => {
  const { page, asked } = await scenes.inbox([approval('One?'), approval('Two?')]);
  const [one, two] = asked.map(({ id }) => id) as [string, string];
  await page.getByRole('checkbox', { name: 'Select all approvals (2)' }).check();
  await page.getByRole('button', { name: 'Approve selected (2)' }).click();
  await page.getByRole('heading', { name: 'Approve these 2 requests?' }).waitFor();
  await change(two, { title: 'Two, and more?' });
  await page.getByRole('button', { name: 'Two, and more?' }).waitFor();
  await button(page, 'Yes, approve').click();
  await page.getByRole('alert').getByText('Two?').waitFor();
  expect((await scenes.stored(one)).answer?.values).toEqual({ decision: 'allow' });
  expect((await scenes.stored(two)).status).toBe('pending');
});

test('[BD6] the page of a link and a conversation also send the digest that they showed', async () => {
  const { ask, open } = await scenes.thread();
  const { id, digest } = await ask({ title: 'Which?', options: ['left', 'right'] });
  const sent = (page: Page) =>
    page.waitForRequest('**/answers').then((request) => (request.postDataJSON() as { digest?: string }).digest);
  const { url } = await stage.call<{ url: string }>('/v1/responder-tokens', { responderId: 'mia', interactionId: id });
  const link = await stage.visit(`/a/${new URL(url).hash}`);
  await link.route('**/answers', (route) => route.abort());
  await Promise.all([sent(link).then((each) => expect(each).toBe(digest)), button(link, 'left').click()]);
  const chat = await open();
  await Promise.all([sent(chat).then((each) => expect(each).toBe(digest)), button(chat, 'right').click()]);
  await expect.poll(async () => (await scenes.stored(id)).answer?.digest).toBe(digest);
});

test('[AN8] an argument that the person empties is removed, and not approved as proposed', async () => {
  const fields = [
    { type: 'text', name: 'note', label: 'Note' },
    { type: 'number', name: 'count', label: 'Count' },
  ];
  const { page, id } = await scenes.request({ ...approval('Go?'), fields, arguments: { note: 'quick', count: 3 } });
  await page.getByLabel('Note').fill('');
  await button(page, 'Allow').click();
  await page.getByText('This request was answered.').waitFor();
  expect((await scenes.stored(id)).answer?.values).toEqual({ decision: 'allow', count: 3 });
});
