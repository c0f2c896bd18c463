/** The page that a link opens: one question, or the state that replaces it. */
import type { CreateInteraction, Interaction } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, type PageOptions, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();
const question: CreateInteraction = { title: 'Which colour?', options: ['red', 'blue'] };

async function ask(more: Partial<CreateInteraction> = {}): Promise<Interaction> {
  return stage.ask(await stage.newThread(), { ...question, ...more });
}

const linkTo = async (interactionId: string, more: { responderId?: string; ttlSeconds?: number } = {}) =>
  (await stage.call<{ url: string }>('/v1/responder-tokens', { responderId: 'mia', interactionId, ...more })).url;

async function visit(link: string, options: PageOptions = {}): Promise<Page> {
  const page = await stage.open('', options);
  await page.goto(link);
  return page;
}

const answer = (id: string, responderId: string, values: object = { choice: 'red' }) =>
  stage.call(`/v1/interactions/${id}/answers`, { values, responder: { type: 'human', id: responderId } });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const text = (page: Page) => page.locator('main').innerText();

describe('a pending question', () => {
  test('[LP3] accepts the answer of the person with the link and thanks them, also when they return', async () => {
    const { id } = await ask();
    const link = await linkTo(id);
    const page = await visit(link);
    await heading(page, 'A question is waiting for your answer');
    await page.getByRole('button', { name: 'blue' }).click();
    await heading(page, 'Thank you');
    expect(await text(page)).toContain('Your answer was received.');
    await expect
      .poll(() => stage.call<Interaction>(`/v1/interactions/${id}`))
      .toMatchObject({ status: 'answered', answer: { values: { choice: 'blue' }, by: { type: 'human', id: 'mia' } } });
    await page.reload();
    await heading(page, 'Thank you');
  });

  test('[LP5] names the requester, the tool and the person who answers, and shows their answer afterwards', async () => {
    const thread = await stage.newThread();
    const { secret } = await stage.call<{ secret: string }>('/v1/keys', { name: 'release-bot', role: 'agent' });
    const reply = await fetch(`${stage.url}/v1/threads/${thread}/interactions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ kind: 'approval', title: 'Deploy?', origin: { type: 'tool', reference: 'deploy' } },
        ...{ arguments: { percent: 10 }, fields: [{ name: 'percent', type: 'number', label: 'Share of traffic' }] },
      }),
    });
    const { id } = (await reply.json()) as Interaction;
    const page = await visit(await linkTo(id), { viewport: { width: 320, height: 640 } });
    await page.getByText(/^release-bot asks · deploy · \w{3} \d+, \d{4}/).waitFor();
    await page.getByText('You answer as mia').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Share of traffic').fill('25');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { level: 2, name: 'Your answer as mia' }).waitFor();
    expect(await page.getByRole('definition').allInnerTexts()).toEqual(['Allow', '25']);
    await expectAccessible(page);
    await page.reload();
    await page.getByText('Share of traffic').waitFor();
    const other = await visit(await linkTo(id, { responderId: 'omar' }));
    await heading(other, 'Already answered');
    expect(await text(other)).not.toContain('25');
  });

  test('[X33] shows the names of hidden characters, also after it is closed', async () => {
    const { id } = await ask({ title: 'Pay \u202egnp.exe?' });
    const page = await visit(await linkTo(id));
    await page.getByRole('heading', { level: 2, name: 'Pay U+202Egnp.exe?' }).waitFor();
    await stage.call(`/v1/interactions/${id}/cancel`, {});
    await page.getByText('Pay [U+202E]gnp.exe?').waitFor();
    expect(await text(page)).not.toContain('\u202e');
  });

  test('[LP3] says that others still have to answer, and later that it is closed', async () => {
    const { id } = await ask({ resolution: { mode: 'quorum', count: 2 } });
    const page = await visit(await linkTo(id));
    await page.getByRole('button', { name: 'red' }).click();
    await heading(page, 'Thank you');
    await page.getByText('Waiting for others to answer').waitFor();
    await page.getByRole('heading', { level: 2, name: 'Which colour?' }).waitFor();
    await expectAccessible(page);
    await page.reload();
    await heading(page, 'Thank you');
    await page.getByText('Waiting for others to answer').waitFor();
    await answer(id, 'ben');
    await page.getByText('Your answer was received.').waitFor();
  });

  test('[LP3] disappears when it is closed elsewhere, and the outcome is announced', async () => {
    const { id } = await ask();
    const page = await visit(await linkTo(id));
    await page.getByRole('button', { name: 'red' }).focus();
    await stage.call(`/v1/interactions/${id}/cancel`, {});
    await heading(page, 'Cancelled');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancelled');
    expect(await page.locator('holdpoint-request').count()).toBe(0);
  });

  test('[LP3] stays without a connection, with a notice', async () => {
    const { id } = await ask({ options: undefined as never, fields: [{ name: 'why', type: 'text', label: 'Why' }] });
    const page = await visit(await linkTo(id));
    await page.getByLabel('Why').fill('Because');
    await page.context().setOffline(true);
    await page.getByText('No connection. Your answer is saved here.').waitFor();
    expect(await page.getByLabel('Why').inputValue()).toBe('Because');
    await page.context().setOffline(false);
    await page.getByText('No connection.').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Send' }).click();
    await heading(page, 'Thank you');
  });
});

describe('a closed question', () => {
  test.each<[string, (id: string) => Promise<unknown>, string]>([
    ['Already answered', (id) => answer(id, 'somebody-else'), 'This question was answered.'],
    [
      'Declined',
      (id) => stage.call(`/v1/interactions/${id}/decline`, { responder: { type: 'human', id: 'somebody-else' } }),
      'This question was declined.',
    ],
    ['Cancelled', (id) => stage.call(`/v1/interactions/${id}/cancel`, {}), 'no longer needed'],
  ])('[LP3] shows its state: %s', async (title, close, words) => {
    const { id } = await ask();
    const link = await linkTo(id);
    await close(id);
    const page = await visit(link);
    await heading(page, title);
    const shown = await text(page);
    expect(shown).toContain(words);
    expect(shown).toContain('Which colour?');
    expect(shown).not.toMatch(/somebody-else|\b(red|blue)\b/);
    await expectAccessible(page);
  });

  test('[LP3] shows its state: expired', async () => {
    const { id } = await ask({ deadline: { at: new Date(Date.now() + 1_000).toISOString(), outcome: 'expire' } });
    const page = await visit(await linkTo(id));
    // The page gets the event when the time comes, without a reload.
    await heading(page, 'Expired');
  });
});

describe('a link', () => {
  test('[LP3] that has expired asks the person to get a new one', async () => {
    const { id } = await ask();
    const link = await linkTo(id, { ttlSeconds: 1 });
    const page = await stage.open('');
    await expect
      .poll(
        async () => {
          await page.goto(link);
          await page.locator('h1:visible').waitFor();
          return page.locator('h1:visible').innerText();
        },
        { timeout: 20_000 },
      )
      .toBe('This link has expired');
    await expectAccessible(page);
  });

  test.each(['', 'hpr_', 'nonsense', 'hpr_a.b.c', 'hpr_e30.e30.x'])(
    '[LP3] that is incomplete says so: %s',
    async (token) => {
      const page = await visit(`${stage.url}/a/#${token}`);
      await heading(page, 'This link is incomplete');
    },
  );

  test('[LP3] to a missing question says so', async () => {
    const page = await visit(await linkTo((await ask()).id), {
      prepare: (page) =>
        page.route('**/v1/**', (route) => route.fulfill({ status: 404, json: { code: 'interaction-not-found' } })),
    });
    await heading(page, 'Question not found');
  });

  test('[LP3] that is opened without a connection says so, and continues by itself', async () => {
    const { id } = await ask();
    let isAway = true;
    const page = await visit(await linkTo(id), {
      prepare: (page) => page.route('**/v1/**', (route) => (isAway ? route.abort() : route.continue())),
    });
    await heading(page, 'No connection');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    isAway = false;
    await page.getByRole('button', { name: 'red' }).waitFor();
  });
});

describe('the page', () => {
  test.each(['light', 'dark'] as const)(
    '[LP4] works at 320 pixels, with the keyboard alone, with %s colours',
    async (colorScheme) => {
      const { id } = await ask({
        body: 'The **walls** of the hall.',
        deadline: { at: '2035-01-01T00:00:00Z', outcome: 'expire' },
      });
      const page = await visit(await linkTo(id), { colorScheme, viewport: { width: 320, height: 640 } });
      await page.getByRole('button', { name: 'red' }).waitFor();
      await page.getByText('walls').waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
      await expectAccessible(page);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await heading(page, 'Thank you');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
      await expectAccessible(page);
    },
  );

  test.each([
    ['de-AT', 'de', 'ltr', 'Eine Frage wartet auf Ihre Antwort'],
    ['ar', 'ar', 'rtl', 'سؤال ينتظر إجابتك'],
    ['ja-JP', 'ja', 'ltr', 'あなたの回答を待っている質問があります'],
    ['nl', 'en', 'ltr', 'A question is waiting for your answer'],
  ])('[LP4] has the language of the browser: %s', async (locale, lang, dir, words) => {
    const page = await visit(await linkTo((await ask()).id), { locale });
    await heading(page, words);
    expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
      lang,
      dir,
    ]);
    expect(await page.title()).toBe(words);
  });
});
