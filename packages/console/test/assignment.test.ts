/** Two people in two browsers: claims, handovers, and who is viewing a request. */
import type { Interaction, InvitedPerson } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, stageOfThisFile } from '../../widget/test/stage.ts';
import { enter, notice } from './enter.ts';
import { expectNarrow, openConsole } from './open-console.ts';

const stage = stageOfThisFile({ flags: ['--no-demo'] });
const invite = (name: string, more: object = {}) => stage.call<InvitedPerson>('/v1/people', { name, ...more });
const named = ({ id }: { id: string }) => `person:${id}`;
const ask = async (title: string, assignees?: string[], more: object = {}) =>
  stage.ask(await stage.newThread(), {
    ...{ kind: 'approval', title, ...more },
    ...(assignees ? { responder: { type: 'human', assignees } } : {}),
  });
const stored = (id: string) => stage.call<Interaction>(`/v1/interactions/${id}`);
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const open = (id: string, as?: { id: string }, more: object = {}) =>
  openConsole(stage, `#/inbox/${id}`, { ...more, ...(as ? { as: as.id } : {}) });
const link = (page: Page) =>
  page.getByRole('dialog', { name: 'Link to this request' }).locator('.secret code').innerText();

async function choose(page: Page, field: string, text: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).fill(text);
  await page.getByRole('option', { name: option }).click();
}

test('[PE170] a claim appears in the browser of another person, who answers after its release', async () => {
  const [ana, ben] = [await invite('Ana Ruiz'), await invite('Ben Okoro')];
  const { id } = await ask('Pay it?', [named(ana), named(ben)]);
  const [first, second] = [await open(id, ana), await open(id, ben)];
  await first.getByText('For Ana Ruiz or Ben Okoro').waitFor();
  await Promise.all([button(first, 'Allow').waitFor(), button(second, 'Allow').waitFor()]);
  await button(first, 'Claim').focus();
  await first.keyboard.press('Enter');
  await expect.poll(() => first.evaluate(() => document.activeElement?.textContent)).toBe('Release');
  await first.getByText(/You have claimed this request until \d/).waitFor();
  await first.getByRole('link', { name: /Pay it\?.*Claimed by you/ }).waitFor();
  await second.getByText(/Claimed by Ana Ruiz until .+\. Nobody else may answer until then\./).waitFor();
  await second.getByRole('link', { name: /Pay it\?.*Claimed by Ana Ruiz/ }).waitFor();
  expect((await stored(id)).claim?.by.id).toBe(ana.id);
  for (const name of ['Allow', 'Claim', 'Release claim', 'Send to a colleague…'])
    expect(await button(second, name).count(), name).toBe(0);
  expect(await second.getByRole('checkbox', { name: 'Select Pay it?' }).count()).toBe(0);
  for (const page of [first, second]) await expectAccessible(page);
  await button(first, 'Release').click();
  await button(second, 'Allow').click();
  await first.getByRole('region', { name: 'Result' }).getByText('by Ben Okoro').waitFor();
});

test('[PE170] an input stays when another person claims the request, and the server says why it is rejected', async () => {
  const [ana, ben] = [await invite('Ana Stone'), await invite('Ben Wolf')];
  const fields = [{ type: 'text', name: 'note', label: 'Note' }];
  const { id } = await ask('Which plan?', [named(ana), named(ben)], { fields });
  const page = await open(id, ben);
  await page.getByLabel('Note').fill('mind the gap');
  await stage.call(`/v1/interactions/${id}/claim`, { responder: { type: 'human', id: ana.id } });
  await page
    .getByText(/Claimed by Ana Stone until/)
    .first()
    .waitFor();
  expect(await page.getByLabel('Note').inputValue()).toBe('mind the gap');
  await button(page, 'Allow').click();
  await page
    .getByText(/Ana Stone has claimed the question until/)
    .first()
    .waitFor();
});

test('[PE170] a claim ends by itself', async () => {
  const [ana, ben] = [await invite('Ana West'), await invite('Ben West')];
  const { id } = await ask('Soon free?', [named(ana), named(ben)]);
  const claiming = { responder: { type: 'human', id: ana.id }, claimForMs: 60_000 };
  const { claim } = await stage.call<Interaction>(`/v1/interactions/${id}/claim`, claiming);
  const page = await open(id, ben, { prepare: (page: Page) => page.clock.install() });
  const notice = page.getByText(/Claimed by Ana West until .+ Nobody else may answer/);
  await notice.waitFor();
  // Only the timer of the claim is due by then: the page counts its minutes from a later start.
  const leftMs = await page.evaluate((until) => Date.parse(until) - Date.now(), claim?.until ?? '');
  await page.clock.runFor(leftMs + 50);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 20));
  await button(page, 'Claim').waitFor();
  expect(await notice.count()).toBe(0);
});

test('[PE171] an admin reassigns a request to a person and a group, and those who lose it see it go', async () => {
  await stage.call('/v1/groups', { id: 'treasury', name: 'Treasury' });
  const [ana, ben] = [await invite('Ana Cruz'), await invite('Ben Cruz')];
  const { id } = await ask('Book it?', [named(ana)]);
  const other = await open(id, ana);
  await button(other, 'Allow').waitFor();
  expect(await button(other, 'Reassign…').count()).toBe(0);
  expect(await button(other, 'Claim').count()).toBe(0);
  const page = await open(id);
  await page.getByText('Only Ana Cruz may answer this request.').waitFor();
  expect(await button(page, 'Claim').count()).toBe(0);
  expect(await button(page, 'Send to a colleague…').count()).toBe(0);
  await button(page, 'Reassign…').click();
  const dialog = page.getByRole('dialog', { name: 'Reassign this request' });
  await dialog.getByRole('button', { name: 'Remove Ana Cruz' }).click();
  await button(page, 'Reassign').click();
  await expect.poll(() => dialog.getByRole('combobox').getAttribute('aria-invalid')).toBe('true');
  await choose(page, 'Add a person or group', 'Ben Cr', 'Ben Cruz');
  await choose(page, 'Add a person or group', 'treas', 'Treasury');
  await choose(page, 'Add a person or group', 'customer-7', 'customer-7');
  await expectAccessible(page);
  await dialog.getByLabel('Reason (optional)').fill('On holiday');
  await button(page, 'Reassign').click();
  await notice(page, 'Reassigned the request.');
  await page.getByText('Only Ben Cruz, the group Treasury or customer-7 may answer this request.').waitFor();
  expect((await stored(id)).responder.assignees).toEqual([named(ben), 'group:treasury', 'customer-7']);
  await other.getByText('This request does not exist, or it is now for somebody else.').waitFor();
  await expect.poll(() => other.getByRole('link', { name: /Book it\?/ }).count()).toBe(0);
  await button(await open(id, ben), 'Allow').waitFor();
});

test('[PE171] an input stays when the request is given to others', async () => {
  const [ana, ben] = [await invite('Ana Holm'), await invite('Ben Holm')];
  const fields = [{ type: 'text', name: 'note', label: 'Note' }];
  const { id } = await ask('Which van?', [named(ana)], { fields });
  const page = await open(id, ana);
  await page.getByLabel('Note').fill('the blue one');
  await stage.call(`/v1/interactions/${id}/reassign`, { assignees: [named(ben)] });
  await page.getByText('This request does not exist, or it is now for somebody else.').waitFor();
  expect(await page.getByLabel('Note').inputValue()).toBe('the blue one');
  await expectAccessible(page);
});

test('[PE170] [PE171] an auditor reads who has a request, and changes nothing', async () => {
  const [ana, vera] = [await invite('Ana Lux'), await invite('Vera Lux', { roles: ['auditor'] })];
  const { id } = await ask('Look?', [named(ana)]);
  await stage.call(`/v1/interactions/${id}/claim`, { responder: { type: 'human', id: ana.id } });
  const page = await open(id, vera);
  await page
    .getByText(/Claimed by Ana Lux until/)
    .last()
    .waitFor();
  for (const name of ['Claim', 'Release claim', 'Send to a colleague…', 'Reassign…'])
    expect(await button(page, name).count(), name).toBe(0);
  const admin = await open(id);
  await button(admin, 'Release claim').click();
  await page.getByText(/Only Ana Lux may answer this request/).waitFor();
});

test('[PE172] a colleague answers by the link that was sent, after signing in', async () => {
  const [ana, ben, cy] = [
    await invite('Ana Blum', { email: 'ana@blum.example' }),
    await invite('Ben Blum', { email: 'ben@blum.example' }),
    await invite('Cy Blum'),
  ];
  const { id } = await ask('Sign it?', [named(ana)]);
  const page = await open(id, ana, { permissions: ['clipboard-read', 'clipboard-write'] });
  await button(page, 'Send to a colleague…').click();
  await button(page, 'Send').click();
  await page.getByText('Choose a colleague.').waitFor();
  const field = page.getByRole('combobox', { name: 'Colleague' });
  await expect.poll(() => field.evaluate((it) => it.matches(':focus'))).toBe(true);
  await choose(page, 'Colleague', 'ben@blum.example', 'Ben Blum');
  expect(await page.getByText('They answer in your place.').count()).toBe(1);
  await expectAccessible(page);
  await button(page, 'Send').click();
  await page.getByText('Send this link to Ben Blum.').waitFor();
  await expectAccessible(page);
  const sent = await link(page);
  expect(sent).toBe(`${stage.url}/#/inbox/${id}`);
  const dialog = page.getByRole('dialog', { name: 'Link to this request' });
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(sent);
  await button(page, 'Done').click();
  await page.getByText('This request does not exist, or it is now for somebody else.').waitFor();

  const stranger = await openConsole(stage, new URL(sent).hash, { as: cy.id });
  await stranger.getByText('This request does not exist, or it is now for somebody else.').waitFor();
  const signedOut = await enter(stage, new URL(sent).hash.slice(2), { signedIn: false });
  await signedOut.getByRole('heading', { name: 'Sign in to Holdpoint' }).waitFor();
  const colleague = await openConsole(stage, new URL(sent).hash, { as: ben.id });
  await button(colleague, 'Allow').click();
  await expect.poll(async () => (await stored(id)).answer).toMatchObject({ by: { id: ben.id }, assignee: named(ben) });
});

test('[PE172] an admin gives a person without an account a link with a token, which reaches no server', async () => {
  const { id } = await ask('Accept the offer?', [named({ id: await stage.admin() })]);
  const page = await open(id);
  await button(page, 'Send to a colleague…').click();
  await choose(page, 'Colleague', 'customer-9', 'customer-9');
  await button(page, 'Send').click();
  await page.getByText('Whoever opens this link answers as customer-9, without signing in.').waitFor();
  await expectAccessible(page);
  const sent = new URL(await link(page));
  expect([sent.pathname, sent.search]).toEqual(['/a/', '']);
  const other = await stage.open('');
  const asked: string[] = [];
  other.on('request', (request) => asked.push(request.url()));
  await other.goto(sent.href);
  await button(other, 'Allow').click();
  await expect.poll(async () => (await stored(id)).answer?.by).toMatchObject({ id: 'customer-9', via: 'token' });
  expect(asked.filter((url) => url.split('#')[0]?.includes(sent.hash.slice(1)))).toEqual([]);
});

test('[PE172] a request that needs a passkey, or that anybody may answer, is sent to people who sign in', async () => {
  const admin = named({ id: await stage.admin() });
  const { id } = await ask('Pay by passkey?', [admin], { assurance: 'passkey' });
  const page = await open(id);
  await button(page, 'Send to a colleague…').click();
  await page.getByText('This request needs a passkey, so your colleague signs in and confirms with theirs.').waitFor();
  await page.getByRole('combobox', { name: 'Colleague' }).fill('customer-9');
  await page.getByText('No matching people').waitFor();
  await page.keyboard.press('Escape');
  await button(page, 'Cancel').click();

  const free = await ask('Anybody?');
  await page.goto(`${stage.url}/#/inbox/${free.id}`);
  await page.getByText('For anyone').waitFor();
  await button(page, 'Send to a colleague…').click();
  await page.getByText('Any admin or member may answer this request.').waitFor();
  expect(await link(page)).toBe(`${stage.url}/#/inbox/${free.id}`);
});

test('[PE173] a person who views a request appears to others, and disappears when they leave', async () => {
  const [ana, ben] = [await invite('Ana Sol'), await invite('Ben Sol')];
  const { id } = await ask('Seen?', [named(ana), named(ben)]);
  const admin = await open(id);
  await admin.getByText('Only Ana Sol or Ben Sol may answer this request.').waitFor();
  const page = await open(id, ana);
  await admin.getByText('Ana Sol is viewing this').waitFor();
  await page.getByText('Console is viewing this').waitFor();
  const third = await open(id, ben);
  await admin.getByText('Ana Sol and Ben Sol are viewing this').waitFor();
  for (const each of [admin, page]) await expectAccessible(each);
  await third.close();
  await admin.getByText('Ana Sol is viewing this').waitFor();

  const hide = (isHidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
  await hide(true);
  await expect.poll(() => admin.getByText('viewing this').count()).toBe(0);
  await hide(false);
  await admin.getByText('Ana Sol is viewing this').waitFor();
  await page.goto(`${stage.url}/#/settings?tab=you`);
  await expect.poll(() => admin.getByText('viewing this').count()).toBe(0);
});

test('[PE173] a page reports again when somebody else appears, and not only every 30 seconds', async () => {
  const ana = await invite('Ana Neu');
  const { id } = await ask('Who is there?', [named(ana)]);
  const admin = await open(id, undefined, { prepare: (page: Page) => page.clock.install() });
  await admin.getByText('Only Ana Neu may answer this request.').waitFor();
  await admin.clock.pauseAt(await admin.evaluate(() => Date.now() + 100));
  await open(id, ana);
  await admin.getByText('Ana Neu is viewing this').waitFor();
  const report = admin.waitForRequest(`**/${id}/viewing`);
  await admin.clock.runFor(6_000);
  expect((await report).postDataJSON()).toEqual({ isViewing: true });
});

test('[PE173] a viewer whose connection is lost disappears after a while', async () => {
  const ana = await invite('Ana Weg');
  const { id } = await ask('Lost?', [named(ana)]);
  const admin = await open(id, undefined, { prepare: (page: Page) => page.clock.install() });
  await admin.getByText('Only Ana Weg may answer this request.').waitFor();
  const page = await open(id, ana);
  await admin.getByText('Ana Weg is viewing this').waitFor();
  await page.context().setOffline(true);
  await admin.clock.runFor(30_000);
  expect(await admin.getByText('Ana Weg is viewing this').count()).toBe(1);
  await admin.clock.runFor(66_000);
  await expect.poll(() => admin.getByText('viewing this').count()).toBe(0);
});

test('[PE174] a deputy answers in the name of both', async () => {
  const [ana, ben] = [await invite('Ana Fern'), await invite('Ben Fern')];
  await enter(stage, '', { as: ben.id });
  const hour = 3_600_000;
  const [from, until] = [-hour, hour].map((ms) => new Date(Date.now() + ms).toISOString());
  await stage.call(`/v1/people/${ana.id}`, { deputy: { personId: ben.id, from, until } }, 'PATCH');
  const { id } = await ask('While away?', [named(ana)]);
  const page = await open(id, ben);
  await page.getByText('You answer as Ben Fern on behalf of Ana Fern').waitFor();
  const admin = await open(id);
  await admin.getByText('Only Ana Fern (away, deputy: Ben Fern) may answer this request.').waitFor();
  await button(page, 'Allow').click();
  await expect.poll(async () => (await stored(id)).answer?.by.onBehalfOf).toBe(ana.id);

  await stage.call('/v1/groups', { id: 'wardens', name: 'Wardens' });
  await stage.call('/v1/groups/wardens/members', { personId: ana.id });
  const ofGroup = await ask('Of her group?', ['group:wardens']);
  await page.goto(`${stage.url}/#/inbox/${ofGroup.id}`);
  await button(page, 'Allow').click();
  await expect.poll(async () => (await stored(ofGroup.id)).answer?.by.onBehalfOf).toBe(ana.id);
});

const widths = [1_440, 768, 375, 320];

test.each(['light', 'dark'] as const)(
  '[PE175] the assignment and its dialogs fit every width, with %s colours',
  async (colorScheme) => {
    const long = 'a-name-that-has-no-place-to-break-'.repeat(3);
    const [ana, ben] = [await invite(long), await invite('Ben Breit')];
    const { id } = await ask(`Wide? ${colorScheme}`, [named({ id: await stage.admin() }), named(ana), named(ben)]);
    const page = await open(id, undefined, { colorScheme });
    const other = await open(id, ana);
    await page.getByText(`${long} is viewing this`).waitFor();
    const check = async () => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: width > 700 ? 900 : 700 });
        await expectNarrow(page);
        await expectAccessible(page);
      }
    };
    await check();
    await button(page, 'Send to a colleague…').click();
    await check();
    await page.keyboard.press('Escape');
    await button(page, 'Reassign…').click();
    await check();
    await page.keyboard.press('Escape');
    await button(other, 'Claim').click();
    await page.getByText(`Claimed by ${long} until`).last().waitFor();
    await check();
  },
);
