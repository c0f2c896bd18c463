/** Two people answer one question: the second sees the decision and the responder, and keeps their input. */
import type { CreateInteraction, Interaction } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { blur, focused } from './keyboard.ts';
import { approval, button, dueIn, scenesOn } from './scenes.ts';
import { expectAccessible, type PageOptions, stageOfThisFile } from './stage.ts';
import { wireTo } from './wire.ts';

const stage = stageOfThisFile();
const scenes = scenesOn(stage);
const responder = { type: 'human' as const, assignees: ['ann', 'ben'] };
const plan: CreateInteraction = {
  title: 'Which plan?',
  kind: 'approval',
  fields: [{ type: 'text', name: 'note', label: 'Note' }],
  responder,
};
type Asked = { page: Page; id: string };

/** Every view in which a question is answered, with the question open. */
const surfaces: Record<string, (question: CreateInteraction, options?: PageOptions) => Promise<Asked>> = {
  async stack(question, options) {
    const thread = await stage.newThread();
    const { id } = await stage.ask(thread, question);
    const token = await stage.tokenFor({ threadId: thread });
    return { page: await stage.open(`<holdpoint-requests thread="${thread}" token="${token}">`, options), id };
  },
  async element(question, options) {
    const { id } = await stage.ask(await stage.newThread(), question);
    const token = await stage.tokenFor({ interactionId: id });
    return { page: await stage.open(`<holdpoint-request interaction="${id}" token="${token}">`, options), id };
  },
  async inbox(question, options) {
    const { id } = await stage.ask(await stage.newThread(), question);
    const { token } = await stage.call<{ token: string }>('/v1/responder-tokens', { responderId: 'ann', inbox: true });
    const page = await stage.open(`<holdpoint-inbox token="${token}">`, options);
    await page.getByRole('searchbox').fill(question.title);
    await page.getByRole('button', { name: question.title }).click();
    return { page, id };
  },
  async 'page of a link'(question, options = {}) {
    const { id } = await stage.ask(await stage.newThread(), question);
    return { page: await stage.visit(`/a/#${await stage.tokenFor({ interactionId: id })}`, options), id };
  },
};
let asked = 0;
const open = (where: string, options?: PageOptions, question = plan) =>
  (surfaces[where] as (typeof surfaces)[string])({ ...question, title: `${question.title} ${asked++}` }, options);

const note = (page: Page) => page.getByLabel('Note');
const denyAs = (id: string, by: string) =>
  stage.call(`/v1/interactions/${id}/answers`, {
    values: { decision: 'deny' },
    reason: 'Not today.',
    responder: { type: 'human', id: by },
  });
const outcome = (page: Page) => page.locator('.outcome');
/** Waits until the page has handled the event. */
const isHeard = (page: Page, id: string) =>
  page.waitForResponse((reply) => reply.url().endsWith(`/v1/interactions/${id}`));

async function expectLost(page: Page, { words, by = 'ben', entered = 'mind the gap' }: Record<string, string>) {
  const alert = outcome(page).getByRole('alert');
  await alert.getByText(words as string).waitFor();
  const decided = by === 'You' ? ['This request was answered.', 'Deny', 'You'] : [`${by} chose Deny.`];
  for (const said of decided) await alert.getByText(said, { exact: true }).waitFor();
  expect(await alert.getByRole('time').count()).toBe(1);
  await outcome(page).getByRole('region', { name: 'Your answer' }).getByText(entered).waitFor();
}

async function dismiss(page: Page) {
  await button(page, 'Dismiss').click();
  await outcome(page).waitFor({ state: 'detached' });
}

describe.each(Object.keys(surfaces))('%s', (where) => {
  test('[WI60] decided before the click: the card names the decision and the responder, and keeps the input', async () => {
    const { page, id } = await open(where);
    await note(page).fill('mind the gap');
    await denyAs(id, 'ben');
    await expectLost(page, { words: 'Your answer was not sent.' });
    await outcome(page).getByRole('term').getByText('Reason', { exact: true }).waitFor();
    expect(await focused(page)).toContain('Your answer was not sent.');
    await expectAccessible(page);
    await dismiss(page);
    expect(await page.getByText('mind the gap').count()).toBe(0);
  });

  test('[WI60] decided between the click and its response', async () => {
    const { page, id } = await open(where);
    await note(page).fill('mind the gap');
    let letGo = () => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/answers', async (route) => {
      await gate;
      await route.continue();
    });
    await button(page, 'Allow').click();
    await button(page, 'Sending…').waitFor();
    await denyAs(id, 'ben');
    await expectLost(page, { words: 'Your answer was not accepted.' });
    await outcome(page).getByRole('region', { name: 'Your answer' }).getByText('Allow').waitFor();
    const refused = page.waitForResponse((reply) => reply.url().endsWith('/answers') && reply.status() === 409);
    letGo();
    await refused;
    await expectLost(page, { words: 'Your answer was not accepted.' });
    expect((await scenes.stored(id)).answer?.values).toEqual({ decision: 'deny' });
  });

  test('[WI60] learned from the rejected answer, before any event', async () => {
    const prepare = (page: Page) =>
      page.route('**/v1/events?*', async (route) => {
        // An open stream without events.
        await route.fulfill({ contentType: 'text/event-stream', body: ': open\n\n' });
      });
    const { page, id } = await open(where, { prepare });
    await note(page).fill('mind the gap');
    await page.route('**/answers', async (route) => {
      await denyAs(id, 'ben');
      await route.continue();
    });
    await button(page, 'Allow').click();
    await expectLost(page, { words: 'Your answer was not accepted.' });
    await dismiss(page);
  });

  test('[WI60] an accepted answer whose response was lost counts as the person’s own', async () => {
    const { page, id } = await open(where);
    await note(page).fill('mind the gap');
    let tries = 0;
    await page.route('**/answers', async (route) => {
      tries++;
      if (tries > 1) return route.continue();
      await route.fetch();
      await route.abort();
    });
    const heard = isHeard(page, id);
    await button(page, 'Allow').click();
    await heard;
    const end = where === 'page of a link' ? 'Your answer was received.' : 'This request was answered.';
    await page.getByText(end).waitFor();
    expect(await outcome(page).count()).toBe(0);
    const { answer, votes } = await scenes.stored(id);
    expect([answer?.by.id, votes.length]).toEqual(['ann', 1]);
  });

  test('[WI60] for a person without input the card disappears', async () => {
    const { page, id } = await open(where);
    await note(page).waitFor();
    await page.mouse.move(0, 0);
    await blur(page);
    await denyAs(id, 'ben');
    await note(page).waitFor({ state: 'detached' });
    expect(await outcome(page).count()).toBe(0);
    expect(await page.getByText(/Your answer was not/).count()).toBe(0);
  });
});

describe('other ends', () => {
  const ends: [string, string, (id: string) => Promise<unknown>][] = [
    ['withdrawn', 'This request was cancelled.', (id) => stage.call(`/v1/interactions/${id}/cancel`, {})],
    [
      'declined',
      'This request was declined.',
      (id) => stage.call(`/v1/interactions/${id}/decline`, { responder: { type: 'human', id: 'ben' } }),
    ],
    [
      'expired',
      'This request has expired.',
      (id) => stage.call(`/v1/interactions/${id}`, { deadline: dueIn(1_500) }, 'PATCH'),
    ],
  ];
  test.each(ends)('[WI60] %s while the person typed', async (_end, words, end) => {
    const { page, id } = await open('stack');
    await note(page).fill('mind the gap');
    await end(id);
    await outcome(page).getByRole('alert').getByText(words).waitFor();
    await outcome(page).getByText('mind the gap').waitFor();
    await expectAccessible(page);
    await dismiss(page);
  });

  test('[WI60] the deadline took the suggested answer', async () => {
    const { page } = await open('stack', undefined, {
      ...{ title: 'Colour?', options: ['red', 'blue'], recommendations: { choice: 'red' }, responder },
      ...{ deadline: { at: new Date(Date.now() + 4_000).toISOString(), outcome: 'recommended' } },
    });
    await button(page, 'Decline').click();
    await page.keyboard.type('I never liked colours.');
    const alert = outcome(page).getByRole('alert');
    await alert.getByText('Decided automatically at the deadline').waitFor();
    await alert.getByText('red', { exact: true }).waitFor();
    await outcome(page).getByText('I never liked colours.').waitFor();
  });

  test('[WI60] a question that changed and was then decided keeps the input of its first form', async () => {
    const { page, id } = await open('stack');
    await note(page).fill('mind the gap');
    const fields = [{ type: 'textarea', name: 'note', label: 'Note' }];
    await stage.call(`/v1/interactions/${id}`, { fields }, 'PATCH');
    await page.locator('textarea').waitFor();
    await denyAs(id, 'ben');
    await expectLost(page, { words: 'Your answer was not sent.' });
  });

  test('[WI60] a typed secret appears as dots', async () => {
    const { page, id } = await open('element', undefined, {
      ...{ title: 'Log in', responder },
      fields: [{ type: 'password', name: 'pin', label: 'Pin' }],
    });
    await page.getByLabel('Pin').fill('s3cret');
    await stage.call(`/v1/interactions/${id}/cancel`, {});
    await outcome(page).getByText('••••••').waitFor();
    expect(await page.locator('holdpoint-request').innerHTML()).not.toContain('s3cret');
  });

  test('[WI60] an answer of the same person in another window says so', async () => {
    const { page, id } = await open('stack');
    await note(page).fill('mind the gap');
    await denyAs(id, 'ann');
    await expectLost(page, { words: 'Your answer was not sent.', by: 'You' });
  });
});

test.each(['stack', 'inbox'])('[WI60] [WI15] decided while the network was away: %s', async (where) => {
  const wire = await wireTo(stage.url);
  const { page, id } = await open(where, { through: wire.url });
  await note(page).fill('mind the gap');
  wire.cut();
  await page.getByText('Reconnecting…').waitFor();
  await button(page, 'Allow').click();
  await page.getByRole('alert').getByText('No connection').waitFor();
  await denyAs(id, 'ben');
  wire.mend();
  await expectLost(page, { words: 'Your answer was not accepted.' });
});

test('[WI60] [WI20] a bulk approval shows the decision, the responder and the time of requests that were closed first', async () => {
  const person = 'bulk-person';
  const ask = async (title: string) =>
    stage.ask(await stage.newThread(), {
      ...approval(title),
      responder: { type: 'human', assignees: [person, 'ben'] },
    } as CreateInteraction);
  const [one, two] = [await ask('One?'), await ask('Two?')] as [Interaction, Interaction];
  const { token } = await stage.call<{ token: string }>('/v1/responder-tokens', { responderId: person, inbox: true });
  const page = await stage.open(`<holdpoint-inbox token="${token}">`);
  await page.getByRole('checkbox', { name: 'Select all approvals (2)' }).check();
  await page.getByRole('button', { name: 'Approve selected (2)' }).click();
  await page.route(`**/${two.id}/answers`, async (route) => {
    await denyAs(two.id, 'ben');
    await route.continue();
  });
  await button(page, 'Yes, approve').click();
  const alert = page.getByRole('alert');
  await alert.getByText('Could not approve 1 request:').waitFor();
  for (const words of ['Two?', 'ben chose Deny.']) await alert.getByText(words).waitFor();
  await expectAccessible(page);
  expect((await scenes.stored(one.id)).answer?.values).toEqual({ decision: 'allow' });
  await button(page, 'Dismiss').click();
  await alert.waitFor({ state: 'detached' });
});

test('[WI60] a folded request with input opens again with the decision: stack', async () => {
  const { page, id } = await open('stack');
  await note(page).fill('mind the gap');
  await page.locator('.stack-title').click();
  await note(page).waitFor({ state: 'hidden' });
  await page.mouse.move(0, 0);
  await blur(page);
  await denyAs(id, 'ben');
  await expectLost(page, { words: 'Your answer was not sent.' });
  await dismiss(page);
});

test('[WI60] a folded request with input opens again with the decision: inbox', async () => {
  const { page, id } = await open('inbox');
  await note(page).fill('mind the gap');
  await page.keyboard.press('Escape');
  await note(page).waitFor({ state: 'hidden' });
  await page.mouse.move(0, 0);
  await blur(page);
  await denyAs(id, 'ben');
  await expectLost(page, { words: 'Your answer was not sent.' });
  await dismiss(page);
});

test('[WI60] while the script of the outcome does not load, the input stays in the form', async () => {
  let isAway = true;
  let tries = 0;
  const prepare = (page: Page) =>
    page.route('**/outcome-card*', (route) => {
      tries++;
      return isAway ? route.abort() : route.continue();
    });
  const { page, id } = await open('element', { prepare });
  await note(page).fill('mind the gap');
  await denyAs(id, 'ben');
  await expect.poll(() => tries).toBeGreaterThan(1);
  expect(await note(page).inputValue()).toBe('mind the gap');
  isAway = false;
  await expectLost(page, { words: 'Your answer was not sent.' });
});

test('[WI60] the draft of a dismissed request is forgotten', async () => {
  const { page, id } = await open('element');
  const draft = () => page.evaluate((key) => localStorage.getItem(key), `holdpoint-draft ${id}`);
  await note(page).fill('mind the gap');
  await expect.poll(draft).toContain('mind the gap');
  await denyAs(id, 'ben');
  await expectLost(page, { words: 'Your answer was not sent.' });
  await dismiss(page);
  expect(await draft()).toBeNull();
});

test('[LP3] [WI60] the page of a link calls a denial an answer, as its card does', async () => {
  const { page, id } = await open('page of a link');
  await note(page).fill('mind the gap');
  await denyAs(id, 'ben');
  await expectLost(page, { words: 'Your answer was not sent.' });
  await page.getByRole('heading', { name: 'Already answered' }).waitFor();
});

test('[WI60] a request that keeps its input hides the text for an empty list', async () => {
  const thread = await stage.newThread();
  const { id } = await stage.ask(thread, plan);
  const token = await stage.tokenFor({ threadId: thread });
  const page = await stage.open(
    `<holdpoint-requests thread="${thread}" token="${token}"><p slot="empty">All done.</p></holdpoint-requests>`,
  );
  await note(page).fill('mind the gap');
  await blur(page);
  await denyAs(id, 'ben');
  await expectLost(page, { words: 'Your answer was not sent.' });
  await page.mouse.move(0, 0);
  await blur(page);
  await page.getByText('Pending requests').waitFor({ state: 'detached' });
  expect(await page.getByText('All done.').isVisible()).toBe(false);
  await dismiss(page);
  await page.mouse.move(0, 0);
  await blur(page);
  await page.getByText('All done.').waitFor();
});

test('[WI60] [WI48] the sentence about a closed request adds no mark to its title in Arabic', async () => {
  const { page, id } = await open('stack', { lang: 'ar' });
  await note(page).fill('mind the gap');
  await denyAs(id, 'ben');
  await outcome(page).waitFor();
  await page.locator('.stack-title', { hasText: 'أُغلق' }).waitFor();
  expect(await page.locator('mark').count()).toBe(0);
});
