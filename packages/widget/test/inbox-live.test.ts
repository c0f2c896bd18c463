/** An inbox that follows its stream, and a long inbox. */
import type { Interaction } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { expectAccessible, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();
let people = 0;
const newPerson = () => `person-${people++}`;
const approval = (title: string, ...assignees: string[]) =>
  ({ title, kind: 'approval', responder: { type: 'human', assignees } }) as never;

async function openInbox(person: string, options: Parameters<typeof stage.open>[1] = {}) {
  const { token } = await stage.call<{ token: string }>('/v1/responder-tokens', { responderId: person, inbox: true });
  const page = await stage.open(`<holdpoint-inbox token="${token}"></holdpoint-inbox>`, options);
  await page.getByRole('searchbox').waitFor();
  return page;
}

const ask = async (question: never) => stage.ask(await stage.newThread(), question);
const stored = (id: string) => stage.call<Interaction>(`/v1/interactions/${id}`);

test('[WI44] the stream reports new, changed, closed and escalated requests, without further calls', async () => {
  const [ann, bob] = [newPerson(), newPerson()];
  const early = await ask(approval('Early?', ann));
  const page = await openInbox(ann);
  const line = (name: string) => page.getByRole('button', { name });
  await line('Early?').waitFor();
  const lists: string[] = [];
  page.on('request', (request) => {
    if (/\/v1\/interactions\?/.test(request.url())) lists.push(request.url());
  });
  const late = await ask(approval('Late?', ann));
  await line('Late?').waitFor();
  await ask(approval('Of Bob?', bob));
  await stage.call(`/v1/interactions/${early.id}`, { title: 'Early, anew?' }, 'PATCH');
  await line('Early, anew?').waitFor();
  const escalations = [{ at: new Date(Date.now() + 1_000).toISOString(), assignees: [ann] }];
  await ask({ ...(approval('Escalated?', bob) as object), escalations } as never);
  await line('Escalated?').waitFor();
  const responder = { type: 'human', id: ann };
  await stage.call(`/v1/interactions/${late.id}/answers`, { values: { decision: 'allow' }, responder });
  await line('Late?').waitFor({ state: 'detached' });
  expect(await line('Of Bob?').count()).toBe(0);
  expect(lists).toEqual([]);
});

test('[WI44][WI15] an inbox that was away lists the pending requests when it is back', async () => {
  const ann = newPerson();
  const gone = await ask(approval('Gone?', ann));
  const page = await openInbox(ann);
  await page.getByRole('button', { name: 'Gone?' }).waitFor();
  await page.context().setOffline(true);
  await stage.restart();
  await page.getByText('Reconnecting').waitFor();
  await stage.call(`/v1/interactions/${gone.id}/cancel`, {});
  await ask(approval('New?', ann));
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'New?' }).waitFor();
  await page.getByRole('button', { name: 'Gone?' }).waitFor({ state: 'detached' });
  await page.getByText('Reconnecting').waitFor({ state: 'detached' });
});

test('[WI19] keys: j and k move, Enter opens, x selects, slash filters, Escape closes', async () => {
  const ann = newPerson();
  for (const title of ['One?', 'Two?', 'Three?']) await ask(approval(title, ann));
  const page = await openInbox(ann);
  const line = (name: string) => page.getByRole('button', { name });
  const hasFocus = (name: string) => line(name).evaluate((it) => it.matches(':focus'));
  await line('One?').focus();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  expect(await hasFocus('Three?')).toBe(true);
  await page.keyboard.press('k');
  await page.keyboard.press('x');
  expect(await page.getByRole('checkbox', { name: 'Select Two?' }).isChecked()).toBe(true);
  expect(await hasFocus('Two?')).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Allow' }).waitFor({ state: 'detached' });
  expect(await hasFocus('Two?')).toBe(true);
  await page.keyboard.press('/');
  await page.keyboard.type('jx');
  expect(await page.getByRole('searchbox').inputValue()).toBe('jx');
  await page.getByText('No matching requests.').waitFor();
});

test('[WI19] the focus moves to the next line when the focused line disappears', async () => {
  const ann = newPerson();
  const [, two] = [
    await ask(approval('One?', ann)),
    await ask(approval('Two?', ann)),
    await ask(approval('Three?', ann)),
  ];
  const page = await openInbox(ann);
  await page.getByRole('button', { name: 'Two?' }).focus();
  await stage.call(`/v1/interactions/${two?.id}/cancel`, {});
  await page.getByRole('button', { name: 'Two?' }).waitFor({ state: 'detached' });
  await expect
    .poll(() =>
      page
        .getByRole('listitem')
        .filter({ hasText: 'Three?' })
        .evaluate((it) => it.matches(':focus-within')),
    )
    .toBe(true);
});

test('[WI20] all approvals are selected at once, and only those that fail stay', async () => {
  const ann = newPerson();
  const asked = [];
  for (let count = 0; count < 14; count++) asked.push(await ask(approval(`Request ${count}?`, ann)));
  await ask({ title: 'Which?', options: ['a', 'b'], responder: { type: 'human', assignees: [ann] } } as never);
  const page = await openInbox(ann);
  await page.getByRole('checkbox', { name: 'Select all approvals (14)' }).check();
  await page.route(`**/${asked[3]?.id}/answers`, (route) => route.abort());
  await page.getByRole('button', { name: 'Approve selected (14)' }).click();
  await page.getByRole('heading', { name: 'Approve these 14 requests?' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Yes, approve' }).click();
  await page.getByRole('alert').getByText('Request 3?').waitFor();
  expect(
    await page
      .locator('.stack-item')
      .filter({ hasText: /Request|Which/ })
      .count(),
  ).toBe(2);
  expect((await stored(asked[13]?.id ?? '')).answer?.values).toEqual({ decision: 'allow' });
  expect((await stored(asked[3]?.id ?? '')).status).toBe('pending');
});

test('[WI44] a thousand requests are drawn only near the visible area, and the last one with End', async () => {
  const ann = newPerson();
  const thread = await stage.newThread();
  for (let at = 0; at < 1_000; at += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => stage.ask(thread, approval(`Request ${at + index}?`, ann))),
    );
  const page = await openInbox(ann, { viewport: { width: 700, height: 800 } });
  const lines = page.getByRole('listitem');
  await lines.first().waitFor();
  expect(await lines.count()).toBeLessThan(200);
  expect(await lines.first().getAttribute('aria-setsize')).toBe('1000');
  const before = await lines.count();
  await lines
    .nth(before - 1)
    .getByRole('button')
    .focus();
  await expect.poll(() => lines.count()).toBeGreaterThan(before);
  await page.keyboard.press('End');
  await expect.poll(() => lines.count()).toBe(1_000);
  await expect
    .poll(() =>
      lines
        .nth(999)
        .getByRole('button')
        .evaluate((it) => it.matches(':focus')),
    )
    .toBe(true);
  await page.getByRole('searchbox').fill('Request 777?');
  await expect.poll(() => lines.count()).toBe(1);
});
