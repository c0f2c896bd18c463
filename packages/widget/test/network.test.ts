/** A slow, cut or missing network, and a server that stops and starts again. */
import type { Interaction, Page as Listing, Message } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { button, scenesOn } from './scenes.ts';
import { expectAccessible, stageOfThisFile } from './stage.ts';
import { wireTo } from './wire.ts';

const stage = stageOfThisFile();
const scenes = scenesOn(stage);
const who = { title: 'Who?', fields: [{ type: 'text', name: 'name', label: 'Name', required: true }] };
const composer = (page: Page) => page.getByRole('textbox', { name: 'Write a message' });

/** Holds back the calls of the page to this address until they are released, and counts them. */
async function holdBack(page: Page, address: string) {
  const held = { count: 0, letGo: () => {} };
  const gate = new Promise<void>((resolve) => {
    held.letGo = resolve;
  });
  await page.route(address, async (route) => {
    if (route.request().method() === 'POST') {
      held.count++;
      await gate;
    }
    await route.continue();
  });
  return held;
}

test('[WI23] the pressed option says that it is being sent, and nothing is sent twice', async () => {
  const { page, id } = await scenes.request({ title: 'Which?', options: ['left', 'right'] });
  const sent = await holdBack(page, '**/answers');
  await button(page, 'left').click();
  await button(page, 'Sending…').waitFor();
  expect(await button(page, 'right').getAttribute('aria-disabled')).toBe('true');
  await button(page, 'right').click({ force: true });
  await button(page, 'Sending…').click({ force: true });
  await expectAccessible(page);
  sent.letGo();
  await page.getByText('This request was answered.').waitFor();
  expect(sent.count).toBe(1);
  expect((await scenes.stored(id)).answer?.values).toEqual({ choice: 'left' });
});

test('[WI23] a form that is being sent says so, and nothing is sent twice', async () => {
  const { page, id } = await scenes.request(who);
  const sent = await holdBack(page, '**/answers');
  await page.getByLabel('Name').fill('Ann');
  await page.keyboard.press('Enter');
  await button(page, 'Sending…').waitFor();
  await page.keyboard.press('Enter');
  await button(page, 'Sending…').click({ force: true });
  await expectAccessible(page);
  sent.letGo();
  await page.getByText('This request was answered.').waitFor();
  expect(sent.count).toBe(1);
  expect((await scenes.stored(id)).votes).toHaveLength(1);
});

test('[WI23] a request that is being declined says so', async () => {
  const { page } = await scenes.request(who);
  const sent = await holdBack(page, '**/decline');
  await button(page, 'Decline').click();
  await button(page, 'Decline request').click();
  await button(page, 'Sending…').click({ force: true });
  await expectAccessible(page);
  sent.letGo();
  await page.getByText('This request was declined.').waitFor();
  expect(sent.count).toBe(1);
});

test('[WI7] an answer whose response was lost is sent again, and accepted once', async () => {
  const { page, id } = await scenes.request({ ...who, resolution: { mode: 'quorum', count: 2 } });
  await page.getByLabel('Name').fill('Ann');
  // No event says that the answer was accepted.
  await page.route(`**/v1/interactions/${id}`, (route) => route.abort());
  const keys: (string | undefined)[] = [];
  await page.route('**/answers', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    const reply = await route.fetch();
    return keys.length === 1 ? route.abort() : route.fulfill({ response: reply });
  });
  await button(page, 'Send').click();
  await page.getByRole('alert').getByText('No connection').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Ann');
  await button(page, 'Send').click();
  await page.getByText('Your answer is recorded.').waitFor();
  expect(keys[1]).toBe(keys[0]);
  expect(keys[0]).toBeTruthy();
  expect((await scenes.stored(id)).votes).toHaveLength(1);
});

test('[WI7] a decline that could not be sent keeps its reason, and is sent again', async () => {
  const { page, id } = await scenes.request(who);
  await page.route('**/decline', (route) => route.abort());
  await button(page, 'Decline').click();
  await page.getByLabel('Reason (optional)').fill('Not mine.');
  await button(page, 'Decline request').click();
  await page.getByRole('alert').getByText('No connection').waitFor();
  expect(await page.getByLabel('Reason (optional)').inputValue()).toBe('Not mine.');
  await page.unroute('**/decline');
  await button(page, 'Decline request').click();
  await page.getByText('This request was declined.').waitFor();
  expect((await scenes.stored(id)).answer).toMatchObject({ reason: 'Not mine.' });
});

test('[WI15] a cut stream is resumed, without loss and without duplicates', async () => {
  const { ask, say, open } = await scenes.thread();
  const wire = await wireTo(stage.url);
  const page = await open({ through: wire.url });
  const log = page.getByRole('log');
  const going = await ask({ title: 'Going', options: ['a', 'b'] });
  await say({ text: 'one' });
  await log.getByText('one').waitFor();
  await button(page, 'Going').waitFor();
  for (const round of [1, 2]) {
    wire.cut();
    await page.getByText('Reconnecting…').waitFor();
    await say({ text: `while it was away ${round}` });
    await ask({ title: `Asked while it was away ${round}`, options: ['c', 'd'] });
    await expectAccessible(page);
    wire.mend();
    await log.getByText(`while it was away ${round}`).waitFor();
    await button(page, `Asked while it was away ${round}`).waitFor();
  }
  wire.cut();
  await stage.call(`/v1/interactions/${going.id}/cancel`, {});
  wire.mend();
  await button(page, 'Going').waitFor({ state: 'detached' });
  await say({ text: 'last' });
  await log.getByText('last').waitFor();
  const said = await log.getByRole('article').allInnerTexts();
  expect(said.map((text) => /one|last|away \d/.exec(text)?.[0])).toEqual(['one', 'away 1', 'away 2', 'last']);
});

test('[WI15] a streamed message continues after a cut, with nothing missing', async () => {
  const { say, open } = await scenes.thread();
  const wire = await wireTo(stage.url);
  const page = await open({ through: wire.url });
  const { id } = await say({ streaming: true });
  const append = (text: string) => stage.call(`/v1/messages/${id}/append`, { text });
  await append('one ');
  await page.getByRole('log').getByText('one').waitFor();
  wire.cut();
  await append('two ');
  wire.mend();
  await expect
    .poll(async () => {
      await append('x');
      return page.getByRole('log').getByRole('article').innerText();
    })
    .toContain('one two x');
  await expectAccessible(page);
  await stage.call(`/v1/messages/${id}/complete`, { text: 'Done.' });
  await page.getByRole('log').getByText('Done.').waitFor();
});

test('[WI15] without a server at first, all three elements wait for it and say so', async () => {
  const thread = await scenes.thread();
  const asked = await thread.ask(who);
  await thread.say({ text: 'Hello' });
  const offline = (page: Page) => page.route('**/v1/**', (route) => route.abort());
  const chat = await thread.open({ prepare: offline });
  await composer(chat).waitFor();
  await chat.getByText('Reconnecting…').waitFor();
  await expectAccessible(chat);
  const token = await stage.tokenFor({ interactionId: asked.id });
  const one = await stage.open(`<holdpoint-request interaction="${asked.id}" token="${token}"></holdpoint-request>`, {
    prepare: offline,
  });
  await one.getByText('Reconnecting…').waitFor();
  await expectAccessible(one);
  const inbox = await scenes.inbox([who], { prepare: offline });
  await inbox.page.getByText('Loading…').waitFor();
  await expectAccessible(inbox.page);
  for (const page of [chat, one, inbox.page]) {
    await page.unroute('**/v1/**');
    // A browser sends this event when the network is back.
    await page.evaluate(() => dispatchEvent(new Event('online')));
  }
  await chat.getByRole('log').getByText('Hello').waitFor();
  await chat.getByLabel('Name').waitFor();
  await one.getByLabel('Name').waitFor();
  await button(inbox.page, 'Who?')
    .or(inbox.page.getByRole('button', { name: 'Who?' }))
    .first()
    .waitFor();
});

test('[WI15] elements say that they reconnect as soon as the network is gone, and no longer when it is back', async () => {
  const thread = await scenes.thread();
  const asked = await thread.ask(who);
  const token = await stage.tokenFor({ interactionId: asked.id });
  const pages = [
    await thread.open(),
    await stage.open(`<holdpoint-request interaction="${asked.id}" token="${token}"></holdpoint-request>`),
    (await scenes.inbox([who])).page,
  ];
  for (const page of pages) {
    await page.getByText('Who?').first().waitFor();
    const note = page.getByText('Reconnecting…');
    await page.context().setOffline(true);
    await note.waitFor();
    await expectAccessible(page);
    await page.context().setOffline(false);
    await note.waitFor({ state: 'detached' });
  }
});

test('[WI16] a message whose response was lost is posted once', async () => {
  const { thread, open } = await scenes.thread();
  const page = await open();
  let tries = 0;
  let receipts = 0;
  await page.route('**/messages', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const reply = await route.fetch();
    if (++tries === 1) return route.abort();
    await route.fulfill({ response: reply });
    receipts++;
  });
  await composer(page).fill('Hello');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await expectAccessible(page);
  await composer(page).press('Enter');
  await page.getByRole('alert').waitFor({ state: 'detached' });
  // The stream may deliver the message first.
  await expect.poll(() => receipts).toBe(1);
  const { data } = await stage.call<Listing<Message>>(`/v1/threads/${thread}/messages`);
  expect(data).toHaveLength(1);
  expect(await page.getByRole('article').count()).toBe(1);
});

test('[WI15] a server that restarts accepts the answer that was begun before', async () => {
  const { ask, open } = await scenes.thread();
  const { id } = await ask(who);
  const page = await open();
  await page.getByLabel('Name').fill('Ann');
  await stage.restart();
  await button(page, 'Send').first().click();
  await page.getByLabel('Name').waitFor({ state: 'detached' });
  expect(await stage.call<Interaction>(`/v1/interactions/${id}`)).toMatchObject({
    answer: { values: { name: 'Ann' } },
  });
});
