/** Sessions of people in several browsers: invitations, other origins, and sessions that end elsewhere. */
import type { InvitedPerson, Page as PageOf, PersonSession } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { stageOfThisFile } from '../../widget/test/stage.ts';
import { enter, expectWhole, heading } from './enter.ts';

const stage = stageOfThisFile({ flags: ['--no-demo'] });
const invite = (name: string, more: object = {}) => stage.call<InvitedPerson>('/v1/people', { name, ...more });
const hashOf = ({ invitation }: InvitedPerson) => new URL(invitation?.url ?? '').hash.slice('#/'.length);
const sessionsOf = async (personId: string) =>
  (await stage.call<PageOf<PersonSession>>(`/v1/people/${personId}/sessions`)).data;
const endSessions = async (personId: string) => {
  for (const { id } of await sessionsOf(personId)) {
    const reply = await fetch(`${stage.url}/v1/people/${personId}/sessions/${id}`, {
      method: 'DELETE',
      headers: { authorization: 'Bearer key-of-the-tests' },
    });
    expect(reply.ok).toBe(true);
  }
};
const signInAs = (page: Page, name: string) => page.getByRole('button', { name: `Sign in as ${name}` });

test('[CO20] an invited person signs in with one press', async () => {
  const ada = await invite('Ada Rossi', { roles: ['admin'] });
  const page = await enter(stage, hashOf(ada), { signedIn: false });
  await heading(page, 'Sign in as Ada Rossi').waitFor();
  await expectWhole(page);
  await expect.poll(() => signInAs(page, 'Ada Rossi').evaluate((it) => it === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await heading(page, 'Overview').waitFor();
  expect(page.url()).toBe(`${stage.url}/#/`);
  await page.goBack();
  await expect.poll(() => page.url()).not.toContain('sign-in');
});

test('[CO6] rejects a sign-in from another origin or without the header, and the link still works', async () => {
  const dai = await invite('Dai Nakamura');
  const link = hashOf(dai).slice('sign-in/'.length);
  const send = (headers: Record<string, string>) =>
    fetch(`${stage.url}/console/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ link }),
    });
  expect((await send({})).status).toBe(403);
  expect((await send({ 'x-holdpoint-console': '1', origin: 'http://evil.example' })).status).toBe(403);
  const page = await enter(stage, hashOf(dai), { signedIn: false });
  await signInAs(page, 'Dai Nakamura').click();
  await heading(page, 'Inbox').waitFor();
});

test('[CO20] two browsers that use one link at once: one signs in, the other learns that the link was used', async () => {
  const eve = await invite('Eve Lund');
  const pages = await Promise.all([1, 2].map(() => enter(stage, hashOf(eve), { signedIn: false })));
  await Promise.all(pages.map((page) => signInAs(page, 'Eve Lund').waitFor()));
  await Promise.all(pages.map((page) => signInAs(page, 'Eve Lund').click()));
  const shown = async () =>
    (await Promise.all(pages.map((page) => page.getByRole('heading', { level: 1 }).innerText()))).sort();
  await expect.poll(shown).toEqual(['Inbox', 'This link no longer works']);
  expect(await sessionsOf(eve.id)).toHaveLength(1);
});

test('[CO65] signing in as another person ends the session of this browser, and removes what was typed in it', async () => {
  const [gus, ida] = [await invite('Gus Vik'), await invite('Ida Holm')];
  const { id } = await stage.ask(await stage.newThread(), {
    title: 'Why?',
    fields: [{ type: 'text', name: 'why', label: 'Why' }],
  });
  const page = await enter(stage, hashOf(gus), { signedIn: false });
  await signInAs(page, 'Gus Vik').click();
  await page.getByRole('link', { name: 'Gus Vik Member' }).waitFor();
  await page.goto(`${stage.url}/#/inbox/${id}`);
  await page.getByRole('textbox', { name: /^Why/ }).fill('a secret of Gus');
  const drafts = () =>
    page.evaluate(() => Object.values(localStorage).filter((text) => text.includes('of Gus')).length);
  await expect.poll(drafts).toBe(1);
  const other = await enter(stage, hashOf(ida), { sameBrowserAs: page });
  await other.getByText('You are signed in as Gus Vik in this browser.').waitFor();
  await expectWhole(other);
  await signInAs(other, 'Ida Holm').click();
  await other.getByRole('link', { name: 'Ida Holm Member' }).waitFor();
  // The tab of Gus follows.
  await page.getByRole('link', { name: 'Ida Holm Member' }).waitFor();
  await page.getByText('You answer as Ida Holm').waitFor();
  expect(await page.getByRole('textbox', { name: /^Why/ }).inputValue()).toBe('');
  expect(await drafts()).toBe(0);
  expect(await sessionsOf(gus.id)).toEqual([]);
});

test('[CO21] signing out in one tab signs out the others', async () => {
  const page = await enter(stage, 'settings?tab=you');
  const other = await enter(stage, 'threads', { sameBrowserAs: page });
  await heading(other, 'Threads').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await heading(page, 'Sign in to Holdpoint').waitFor();
  await heading(other, 'Sign in to Holdpoint').waitFor();
});

test('[CO21] when the session ends elsewhere, the user signs in again and finds the typed answer', async () => {
  const ben = await invite('Ben Okoro');
  const { id } = await stage.ask(await stage.newThread(), {
    title: 'Which plan?',
    fields: [{ type: 'text', name: 'plan', label: 'Plan' }],
  });
  const page = await enter(stage, `inbox/${id}`, { as: ben.id });
  await page.getByText('You answer as Ben Okoro').waitFor();
  await page.getByRole('textbox', { name: /^Plan/ }).fill('mind the gap');
  await endSessions(ben.id);
  await heading(page, 'Sign in to Holdpoint').waitFor();
  await page.getByRole('status').getByText('Your session has ended.').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Sign in to Holdpoint');
  await expectWhole(page);
  // In another tab, as from a chat or an email.
  const other = await enter(stage, (await stage.linkFor(ben.id)).slice('#/'.length), { sameBrowserAs: page });
  await signInAs(other, 'Ben Okoro').click();
  await heading(other, 'Inbox').waitFor();
  await expect.poll(() => page.getByRole('textbox', { name: /^Plan/ }).inputValue()).toBe('mind the gap');
  expect(page.url()).toBe(`${stage.url}/#/inbox/${id}`);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('region', { name: 'Result' }).getByText('by Ben Okoro').waitFor();
});
