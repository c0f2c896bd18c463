/** People and groups: invite, answer, deactivate, and the pages of each role. */
import type { Interaction, InvitedPerson, Page as PageOf, Person } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { stageOfThisFile } from '../../widget/test/stage.ts';
import { enter, expectWhole, heading, notice } from './enter.ts';
import { expectNarrow } from './open-console.ts';

const stage = stageOfThisFile({ flags: ['--no-demo', '--allow-private-webhooks'] });
const invite = (name: string, more: object = {}) => stage.call<InvitedPerson>('/v1/people', { name, ...more });
const ask = async (title: string, more: object = {}) =>
  stage.ask(await stage.newThread(), { kind: 'approval', title, ...more });
const stored = (id: string) => stage.call<Interaction>(`/v1/interactions/${id}`);
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });

/** Fails the test if the server rejects a call of the page for its role. */
function expectNoRefusal(page: Page): () => void {
  const refused: string[] = [];
  page.on('response', (reply) => {
    if (reply.status() === 403) refused.push(reply.url());
  });
  return () => expect(refused).toEqual([]);
}

test('[CO67] an admin invites a colleague, who answers from another browser', async () => {
  await stage.call('/v1/groups', { id: 'finance', name: 'Finance' });
  const page = await enter(stage, 'people', { permissions: ['clipboard-read', 'clipboard-write'] });
  await row(page, 'Console').getByText('Active').waitFor();
  await expectWhole(page);
  await button(page, 'Invite a person').click();
  const form = dialog(page, 'Invite a person');
  await page.keyboard.press('Enter');
  await expect.poll(() => form.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
  await form.getByLabel('Name').fill('Ben Okoro');
  await form.getByLabel('Email').fill('not an email');
  await button(page, 'Create invitation').click();
  await expect.poll(() => form.getByLabel('Email').getAttribute('aria-invalid')).toBe('true');
  await expectWhole(page);
  await form.getByLabel('Email').fill('ben@acme.com');
  await form.getByLabel('Finance').check();
  await button(page, 'Create invitation').click();
  const shown = dialog(page, 'Sign-in link for Ben Okoro');
  const link = await shown.locator('.secret code').innerText();
  await expectWhole(page);
  await button(page, 'Copy link').click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await button(page, 'Done').click();
  await row(page, 'Ben Okoro').getByText('Invited').waitFor();
  await row(page, 'Ben Okoro').getByText('Finance').waitFor();
  expect(await page.getByText(link).count()).toBe(0);

  const { id } = await ask('Pay the invoice?', { responder: { type: 'human', assignees: ['group:finance'] } });
  const other = await enter(stage, new URL(link).hash.slice('#/'.length), { signedIn: false });
  await button(other, 'Sign in as Ben Okoro').click();
  await other.getByRole('link', { name: /Pay the invoice\?/ }).click();
  await other.getByText('You answer as Ben Okoro').waitFor();
  await button(other, 'Allow').click();
  await expect.poll(async () => (await stored(id)).answer?.by).toMatchObject({ name: 'Ben Okoro', via: 'link' });

  await page.goto(`${stage.url}/#/inbox/${id}`);
  const result = page.getByRole('region', { name: 'Result' });
  await expect.poll(() => result.innerText()).toMatch(/Approved\s+by Ben Okoro \(signed in with a link\)/);
  await page.goto(`${stage.url}/#/people?tab=log`);
  await page.getByText('Console invited Ben Okoro').waitFor();
  await page.getByText('Ben Okoro signed in with a link in Chrome on Linux').waitFor();
});

test('[CO67] an admin edits a person, creates a link, ends a session, and reactivates', async () => {
  const cara = await invite('Cara Diaz', { email: 'cara@acme.com' });
  const own = await enter(stage, '', { as: cara.id });
  await heading(own, 'Inbox').waitFor();
  const page = await enter(stage, `people/${cara.id}`);
  await heading(page, 'Cara Diaz').waitFor();
  await page.getByText('Chrome on Linux').waitFor();
  await expectWhole(page);
  await button(page, 'Edit').click();
  await page.getByLabel('Name').fill('Cara Diaz-Lund');
  await page.getByRole('checkbox', { name: /^Auditor/ }).check();
  await expectWhole(page);
  await button(page, 'Save').click();
  await heading(page, 'Cara Diaz-Lund').waitFor();
  await page.getByText('Member, Auditor').waitFor();
  await button(page, 'New sign-in link').click();
  const link = await dialog(page, 'Sign-in link for Cara Diaz-Lund').locator('.secret code').innerText();
  expect(link).toContain('/#/sign-in/');
  await button(page, 'Done').click();
  await page.getByRole('button', { name: 'End session: Chrome on Linux' }).click();
  await dialog(page, 'End this session?').getByRole('button', { name: 'End session' }).click();
  await page.getByText('is not signed in anywhere').waitFor();
  await heading(own, 'Sign in to Holdpoint').waitFor();

  await button(page, 'Deactivate…').click();
  const confirm = dialog(page, 'Deactivate Cara Diaz-Lund?');
  await confirm.getByText('is signed out at once').waitFor();
  await expectWhole(page);
  await confirm.getByRole('button', { name: 'Deactivate' }).click();
  await notice(page, 'Deactivated Cara Diaz-Lund.');
  await page.getByText('Deactivated', { exact: true }).waitFor();
  await own.goto(link);
  await heading(own, 'This account is deactivated').waitFor();
  await button(page, 'Reactivate…').click();
  await dialog(page, 'Reactivate Cara Diaz-Lund?').getByRole('button', { name: 'Reactivate' }).click();
  await notice(page, 'Reactivated Cara Diaz-Lund.');
});

test('[CO67] deactivating a person closes their open form', async () => {
  const dan = await invite('Dan Fox');
  const { id } = await ask('Still there?');
  const page = await enter(stage, `inbox/${id}`, { as: dan.id });
  await button(page, 'Allow').waitFor();
  await stage.call(`/v1/people/${dan.id}`, { status: 'deactivated' }, 'PATCH');
  await heading(page, 'Sign in to Holdpoint').waitFor();
  expect((await stored(id)).status).toBe('pending');
});

test('[CO67] finds people by name, status and group, in the address', async () => {
  await stage.call('/v1/groups', { id: 'ops', name: 'Operations' });
  await invite('Zoë Quill', { groups: ['ops'] });
  const page = await enter(stage, 'people');
  const names = () => page.locator('.people-table a').allInnerTexts();
  await page.getByRole('searchbox', { name: 'Search people' }).fill('QUILL');
  await expect.poll(names).toEqual(['Zoë Quill']);
  await expect.poll(() => page.url()).toContain('search=QUILL');
  await page.getByRole('searchbox', { name: 'Search people' }).fill('');
  await page.getByRole('combobox', { name: 'Group' }).selectOption('Operations');
  await expect.poll(names).toEqual(['Zoë Quill']);
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Active');
  await page.getByText('No matching people').waitFor();
  const again = await enter(stage, 'people?group=ops');
  await expect.poll(() => again.locator('.people-table a').allInnerTexts()).toEqual(['Zoë Quill']);
});

test('[CO69] an admin creates a group, changes its members with the keyboard, renames and deletes it', async () => {
  const lia = await invite('Lia Marsh');
  const page = await enter(stage, 'people?tab=groups');
  await button(page, 'Create group').click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Legal & Risk');
  await page.keyboard.press('Enter');
  await notice(page, 'Created Legal & Risk.');
  await page.getByText('group:legal-risk').waitFor();
  await expectWhole(page);
  await button(page, 'Members: Legal & Risk').click();
  const members = dialog(page, 'Members of Legal & Risk');
  await members.getByText('Nobody is in this group yet.').waitFor();
  await members.getByRole('combobox', { name: 'Add a person' }).pressSequentially('marsh');
  await members.getByRole('option', { name: 'Lia Marsh' }).waitFor();
  await expectWhole(page);
  await page.keyboard.press('Enter');
  await members.getByRole('link', { name: 'Lia Marsh' }).waitFor();
  const groupsOf = async () => (await stage.call<Person>(`/v1/people/${lia.id}`)).groups;
  expect(await groupsOf()).toEqual(['legal-risk']);
  await button(page, 'Remove Lia Marsh').click();
  await members.getByText('Nobody is in this group yet.').waitFor();
  expect(await groupsOf()).toEqual([]);
  await button(page, 'Done').click();
  await button(page, 'Rename: Legal & Risk').click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Legal');
  await button(page, 'Save').click();
  await button(page, 'Delete: Legal').click();
  await dialog(page, 'Delete Legal?').getByRole('button', { name: 'Delete group' }).click();
  await notice(page, 'Deleted Legal.');
  await expect.poll(() => page.getByText('group:legal-risk').count()).toBe(0);
});

test('[CO68] the admin log filters by event, person and day, and saves it as JSON Lines', async () => {
  const max = await invite('Max Vale');
  await enter(stage, '', { as: max.id });
  const page = await enter(stage, 'people?tab=log');
  const lines = page.getByRole('list', { name: 'Events, newest first' }).getByRole('listitem');
  await page.getByRole('combobox', { name: 'Event' }).selectOption('Person invited');
  await expect.poll(() => lines.first().innerText()).toContain('API key admin invited Max Vale');
  await expectWhole(page);
  await page.getByRole('combobox', { name: 'Event' }).selectOption('Any event');
  const person = page.getByRole('combobox', { name: 'Person' });
  await person.fill('max');
  await page.getByRole('option', { name: 'Max Vale' }).click();
  await expect.poll(() => page.url()).toContain(`actor=${max.id}`);
  await expect.poll(() => lines.allInnerTexts()).toEqual([expect.stringContaining('Max Vale signed in with a link')]);
  await lines.first().locator('summary').click();
  await page.getByRole('region', { name: 'Text of the event' }).waitFor();
  await expectWhole(page);
  await page.getByLabel('Until').fill('2020-01-31');
  await page.getByText('No matching events').waitFor();
  await button(page, 'Clear filters').click();
  await expect.poll(() => lines.count()).toBeGreaterThan(1);
  const saving = page.waitForEvent('download');
  await button(page, 'Export as JSON Lines').click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^admin-log-\d{4}-\d\d-\d\d\.jsonl$/);
  const text = await (await saved.createReadStream()).reduce((all: string, part) => all + part, '');
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string });
  expect(events.map(({ type }) => type)).toContain('person.invited');
});

test('[CO70] a member has the inbox and a profile, and no page calls the server in vain', async () => {
  const mo = await invite('Mo Reyes');
  const { id } = await ask('Deploy it?', { responder: { type: 'human', assignees: [`person:${mo.id}`] } });
  const others = await ask('For the admin?', {
    responder: { type: 'human', assignees: [`person:${await stage.admin()}`] },
  });
  const page = await enter(stage, '', { as: mo.id });
  const check = expectNoRefusal(page);
  await heading(page, 'Inbox').waitFor();
  const nav = page.getByRole('navigation', { name: 'Console' });
  expect(await nav.getByRole('link').count()).toBe(2);
  await page.getByRole('link', { name: /Deploy it\?/ }).click();
  await button(page, 'Allow').waitFor();
  expect(await button(page, 'Cancel request…').count()).toBe(0);
  expect(await page.getByText('For the admin?').count()).toBe(0);
  await expectWhole(page);
  await button(page, 'Allow').click();
  await page.getByRole('region', { name: 'Result' }).getByText('by Mo Reyes').waitFor();
  await nav.getByRole('link', { name: 'Profile' }).click();
  await heading(page, 'Profile').waitFor();
  await page.getByText('This browser').first().waitFor();
  await expectWhole(page);
  for (const hidden of ['threads', 'runs', 'deliveries', 'people', 'playground', `people/${mo.id}`]) {
    await page.goto(`${stage.url}/#/${hidden}`);
    await heading(page, 'Page not available').waitFor();
  }
  await expectWhole(page);
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await heading(page, 'Inbox').waitFor();
  await page.goto(`${stage.url}/#/inbox/${others.id}`);
  await page.getByRole('alert').waitFor();
  expect((await stored(id)).answer?.by.name).toBe('Mo Reyes');
  check();
});

test('[CO70] an auditor sees every page, and no control that changes something', async () => {
  const vera = await invite('Vera Lindt', { roles: ['auditor'] });
  const question = await ask('Audit it?', { arguments: { env: 'live' } });
  const webhook = await stage.call<{ id: string }>('/v1/webhooks', { url: 'http://127.0.0.1:9/hook' });
  await stage.call('/v1/keys', { name: 'an-agent', role: 'agent' });
  const page = await enter(stage, '', { as: vera.id });
  const check = expectNoRefusal(page);
  const pages: [hash: string, shown: string][] = [
    ['', 'Overview'],
    ['inbox', 'Inbox'],
    ['threads', 'Threads'],
    ['runs', 'Runs'],
    ['deliveries', 'Deliveries'],
    ['people', 'People'],
    ['people?tab=groups', 'People'],
    ['people?tab=log', 'People'],
    ['settings', 'Settings'],
    ['settings?tab=public', 'Settings'],
    ['settings?tab=webhooks', 'Settings'],
    ['settings?tab=grants', 'Settings'],
    [`deliveries/${webhook.id}`, 'http://127.0.0.1:9/hook'],
    [`people/${vera.id}`, 'Vera Lindt'],
  ];
  const changing =
    /^(Create|Invite|Edit|Delete|Revoke|Deactivate|Cancel request|New sign-in link|Test|Disable|Approve)/;
  for (const [hash, shown] of pages) {
    await page.goto(`${stage.url}/#/${hash}`);
    await heading(page, shown).waitFor();
    await expect.poll(() => page.locator('.loading').count()).toBe(0);
    expect(await page.getByRole('button', { name: changing }).allInnerTexts(), hash).toEqual([]);
  }
  await page.goto(`${stage.url}/#/inbox/${question.id}`);
  await page.getByText('Your role reads requests and does not answer them.').waitFor();
  await page.getByText('live', { exact: true }).waitFor();
  expect(await button(page, 'Allow').count()).toBe(0);
  await expectWhole(page);
  await page.goto(`${stage.url}/#/threads/${question.threadId}`);
  await page.getByText('asked “Audit it?”').waitFor();
  expect(await page.getByLabel('Write a message').count()).toBe(0);
  expect(await button(page, 'Allow').count()).toBe(0);
  await expectWhole(page);
  await page.goto(`${stage.url}/#/settings?tab=you`);
  await page.getByRole('textbox', { name: 'Name' }).waitFor();
  check();
});

test('[CO71] a person names a deputy for a period, and removes it', async () => {
  const [pia, quin] = [await invite('Pia Stone'), await invite('Quin Abel')];
  await enter(stage, '', { as: quin.id });
  const page = await enter(stage, 'settings?tab=you', { as: pia.id, viewport: { width: 320, height: 640 } });
  await page.getByText('You have no deputy.').waitFor();
  await button(page, 'Choose a deputy').click();
  await page.getByRole('combobox', { name: 'Deputy' }).fill('quin');
  await page.getByRole('option', { name: 'Quin Abel' }).click();
  await expectWhole(page);
  await expectNarrow(page);
  await button(page, 'Save deputy').click();
  await page.getByText(/Quin Abel may answer on your behalf from .+ until .+\./).waitFor();
  const deputy = async () => (await stage.call<Person>(`/v1/people/${pia.id}`)).deputy;
  expect(await deputy()).toMatchObject({ personId: quin.id });
  await button(page, 'Remove deputy').click();
  await dialog(page, 'Remove your deputy?').getByRole('button', { name: 'Remove deputy' }).click();
  await page.getByText('You have no deputy.').waitFor();
  expect(await deputy()).toBeUndefined();
});

test('[CO67] with many people, the page loads a part, and more on demand', async () => {
  const worker = async (from: number) => {
    for (let index = from; index < 120; index += 20) await invite(`Person ${String(index).padStart(3, '0')}`);
  };
  await Promise.all(Array.from({ length: 20 }, (_, from) => worker(from)));
  const page = await enter(stage, 'people?search=Person');
  const rows = page.locator('.people-table tbody tr');
  await expect.poll(() => rows.count()).toBe(50);
  await button(page, 'Show more').click();
  await expect.poll(() => rows.count()).toBe(100);
  const { data } = await stage.call<PageOf<Person>>('/v1/people?search=Person%20119');
  expect(data).toHaveLength(1);
});
