/** The elements in every place of a page: in plain HTML, made by script, in a shadow root, moved. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hasFocus } from './keyboard.ts';
import { approval, button, scenesOn } from './scenes.ts';
import { expectAccessible, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();
const scenes = scenesOn(stage);
const who = {
  title: 'Who?',
  fields: [
    { type: 'text', name: 'name', label: 'Name', required: true },
    { type: 'password', name: 'pin', label: 'Pin' },
  ],
};
const name = (page: Page) => page.getByRole('textbox', { name: 'Name' });

/** Creates a person with their own questions, and the tags of all elements for them. */
async function somebody(responderId: string) {
  const thread = await stage.newThread();
  const responder = { type: 'human' as const, assignees: [responderId] };
  const { id } = await stage.ask(thread, { ...who, responder } as never);
  const token = await stage.tokenFor({ threadId: thread }, responderId);
  const forOne = await stage.tokenFor({ interactionId: id }, responderId);
  const inbox = await stage.call<{ token: string }>('/v1/responder-tokens', { responderId, inbox: true });
  return {
    ...{ thread, id, responder },
    tags: {
      chat: `<holdpoint-chat thread="${thread}" token="${token}"></holdpoint-chat>`,
      requests: `<holdpoint-requests thread="${thread}" token="${token}"></holdpoint-requests>`,
      request: `<holdpoint-request interaction="${id}" token="${forOne}"></holdpoint-request>`,
      inbox: `<holdpoint-inbox token="${inbox.token}"></holdpoint-inbox>`,
    },
  };
}

test('[WI24] all four elements work in one page of plain HTML, and a request that one answers disappears from the others', async () => {
  const { tags, id } = await somebody('of one page');
  const page = await stage.open(Object.values(tags).join('\n'));
  await page.locator('holdpoint-inbox').getByRole('button', { name: 'Who?' }).waitFor();
  for (const element of ['chat', 'requests', 'request'])
    await page.locator(`holdpoint-${element}`).getByRole('textbox', { name: 'Name' }).waitFor();
  await page.locator('holdpoint-requests').getByRole('textbox', { name: 'Name' }).fill('Ann');
  await page.locator('holdpoint-requests').getByRole('button', { name: 'Send' }).click();
  await page.locator('holdpoint-request').getByText('This request was answered.').waitFor();
  await page.locator('holdpoint-inbox').getByText('No pending requests. New ones appear here.').waitFor();
  await page.locator('holdpoint-chat').getByRole('form', { name: 'Who?' }).waitFor({ state: 'detached' });
  expect((await scenes.stored(id)).answer?.values).toEqual({ name: 'Ann' });
});

test('[WI24] the elements work in the shadow root of another element, and their events reach the page', async () => {
  for (const mode of ['open', 'closed'] as const) {
    const { tags, id } = await somebody(`in a ${mode} root`);
    const page = await stage.open('<div id="host"></div>');
    await page.evaluate(
      ({ mode, attributes }) => {
        document.addEventListener('holdpoint-closed', ({ target, detail }: CustomEventInit & Event) => {
          document.title = `${(target as Element).id} ${detail.status}`;
        });
        const root = document.querySelector('#host')?.attachShadow({ mode });
        const element = document.createElement('holdpoint-request');
        for (const [key, value] of attributes) element.setAttribute(key ?? '', value ?? '');
        root?.append(element);
      },
      { mode, attributes: [...tags.request.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]) },
    );
    if (mode === 'open') {
      await expectAccessible(page);
      await button(page, 'Send').click();
      await expect.poll(() => hasFocus(page.getByRole('alert'))).toBe(true);
      await page.getByRole('link', { name: 'Name' }).click();
      await expect.poll(() => hasFocus(name(page))).toBe(true);
      await page.keyboard.type('Ann');
    } else {
      // The closed root hides its content, but keys reach it.
      await page.keyboard.press('Tab');
      await expect
        .poll(async () => {
          await page.keyboard.press('Tab');
          await page.keyboard.type('Ann');
          await page.keyboard.press('Enter');
          return (await scenes.stored(id)).status;
        })
        .toBe('answered');
    }
    if (mode === 'open') await page.keyboard.press('Enter');
    await expect.poll(() => page.title()).toBe('host answered');
  }
});

test('[WI24] an element that is moved keeps its input', async () => {
  const { tags, id } = await somebody('who moves');
  for (const element of ['request', 'requests', 'chat'] as const) {
    const page = await stage.open(`<div id="here">${tags[element]}</div><div id="there"></div>`);
    await name(page).fill('Ann');
    await page.getByLabel('Pin').fill('1234');
    await page.evaluate((tag) => {
      const it = document.querySelector(tag);
      if (it) document.querySelector('#there')?.append(it);
    }, `holdpoint-${element}`);
    await page.locator('#there').getByRole('textbox', { name: 'Name' }).waitFor();
    expect(await name(page).inputValue()).toBe('Ann');
    expect(await page.getByLabel('Pin').inputValue()).toBe('1234');
    await stage.call(`/v1/interactions/${id}`, { title: `Moved ${element}` }, 'PATCH');
    await page.getByRole('form', { name: `Moved ${element}` }).waitFor();
    await page.close();
  }
});

test('[WI24] [WI22] an element that is moved by moveBefore also keeps the focus', async () => {
  const { tags } = await somebody('who moves on');
  const page = await stage.open(`<div id="here">${tags.request}</div><div id="there"></div>`);
  await name(page).fill('Ann');
  await page.evaluate(() => {
    const there = document.querySelector('#there') as Element & { moveBefore?(node: Node, child: Node | null): void };
    const it = document.querySelector('holdpoint-request');
    if (it) there.moveBefore?.(it, null);
  });
  await page.keyboard.type(' Lee');
  expect(await page.locator('#there').getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Ann Lee');
});

test('[WI24] a removed element follows nothing; added again, it shows the current state and the input', async () => {
  const { tags, thread, responder } = await somebody('who comes back');
  const page = await stage.open(`<div id="here">${tags.chat}</div>`);
  await name(page).fill('Ann');
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/v1/events'));
  const element = await page.evaluateHandle(() => {
    const it = document.querySelector('holdpoint-chat') as Element;
    it.remove();
    return it;
  });
  await ended;
  await stage.ask(thread, { ...approval('Asked meanwhile'), responder } as never);
  await element.evaluate((it) => document.querySelector('#here')?.append(it));
  await button(page, 'Asked meanwhile').waitFor();
  await expect.poll(() => name(page).inputValue()).toBe('Ann');
  await expectAccessible(page);
});

test('[WI24] another thread, question or token gives another view', async () => {
  const [one, two] = [await somebody('the first'), await somebody('the second')];
  await stage.call(`/v1/interactions/${two.id}`, { title: 'Who else?' }, 'PATCH');
  const page = await stage.open(one.tags.request);
  await name(page).fill('Ann');
  await page.evaluate(
    ({ id, token }) => {
      const it = document.querySelector('holdpoint-request');
      it?.setAttribute('interaction', id);
      it?.setAttribute('token', token);
    },
    { id: two.id, token: /token="([^"]*)"/.exec(two.tags.request)?.[1] ?? '' },
  );
  await page.getByRole('heading', { name: 'Who else?' }).waitFor();
  await expect.poll(() => name(page).inputValue()).toBe('');
});

test('[WI24] an element that is created before its script has loaded is shown when it has', async () => {
  const { tags } = await somebody('who is early');
  const page = await stage.open(tags.request, { scripts: '' });
  await page.evaluate(() => {
    const it = document.querySelector('holdpoint-request') as HTMLElement & { getToken?: () => Promise<string> };
    const token = it.getAttribute('token') ?? '';
    it.removeAttribute('token');
    it.getToken = async () => token;
  });
  await page.evaluate('import("/widget/widget.js")');
  await name(page).waitFor();
});
