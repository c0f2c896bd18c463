/** A double click or a double Enter answers one request only, for any time between the two presses. */
import type { CreateInteraction } from '@holdpoint/protocol';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { blur, focused } from './keyboard.ts';
import { approval, button, dueIn, scenesOn } from './scenes.ts';
import { stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();
const scenes = scenesOn(stage);
/** The times between two presses. */
const delaysMs = [50, 90, 200, 400, 700, 1_000];

const field = (type: string, more: object = {}) => ({
  title: `A ${type}`,
  kind: 'form',
  fields: [{ type, name: 'it', label: 'It', ...more }],
});
/** Each kind of question, with the control that answers it. */
const kinds: Record<string, [question: object, button: string]> = {
  approval: [approval('Deploy?'), 'Allow'],
  choice: [{ title: 'Which?', options: ['left', 'right'] }, 'left'],
  input: [{ title: 'Who?', fields: [{ type: 'text', name: 'name', label: 'Name' }] }, 'Send'],
  form: [field('checkbox'), 'Send'],
  rating: [field('rating', { maxStars: 5 }), 'Send'],
  upload: [field('file_upload'), 'Send'],
  signature: [field('signature', { canvasWidth: 300, canvasHeight: 100 }), 'Send'],
  decline: [field('text'), 'Decline'],
};

/** Counts the answers that a page sends. */
function answersOf(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    const id = /interactions\/([^/]+)\/(?:answers|decline)$/.exec(request.url())?.[1];
    if (id) sent.push(id);
  });
  return sent;
}

async function middleOf(target: Locator): Promise<[number, number]> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error('there is nothing to press');
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** The effect of a press has begun after two frames. */
const settled = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** `next` is the control that a second press could reach. */
const presses: Record<string, (page: Page, target: Locator, delayMs: number, next: Locator) => Promise<void>> = {
  async 'double click'(page, target, delayMs) {
    const place = await middleOf(target);
    await page.mouse.click(...place);
    await page.waitForTimeout(delayMs);
    await page.mouse.click(...place);
  },
  async 'double Enter'(page, target, delayMs, next) {
    // A key, because a person reaches the button by a key.
    await page.keyboard.press('Tab');
    await target.focus();
    const pressed = await target.elementHandle();
    await page.keyboard.press('Enter');
    await pressed?.waitForElementState('hidden');
    // Moves the focus to the next control, independent of the widget.
    await next.focus();
    await page.waitForTimeout(delayMs);
    await page.keyboard.press('Enter');
  },
};

describe.each(Object.keys(presses))('%s', (name) => {
  const press = presses[name] as (typeof presses)[string];

  test.each(Object.keys(kinds))('[WI61] in a stack: %s', async (kind) => {
    const [question, action] = kinds[kind] as [object, string];
    const { ask, open } = await scenes.thread('holdpoint-requests');
    for (let count = 0; count < delaysMs.length + 2; count++) await ask(question);
    const page = await open();
    const sent = answersOf(page);
    const first = (name: string) => page.getByRole('form').first().getByRole('button', { name, exact: true });
    const isDecline = action === 'Decline';
    const next = first(isDecline ? 'Decline request' : action);
    for (const [index, delayMs] of delaysMs.entries()) {
      await press(page, first(action), delayMs, next);
      await settled(page);
      // The first press asks for the reason. The second, unintended one must not decline.
      expect(sent.length, `after ${delayMs} ms`).toBe(isDecline ? 0 : index + 1);
      expect(new Set(sent).size).toBe(sent.length);
      if (isDecline) await page.keyboard.press('Escape');
    }
  });
});

test('[WI61] a double click in an inbox answers the open request alone, and opens or selects no other', async () => {
  const questions = delaysMs.flatMap((ms) => [approval(`First ${ms}?`), approval(`Next ${ms}?`)]);
  const { page } = await scenes.inbox(questions, { viewport: { width: 800, height: 1_600 } });
  const sent = answersOf(page);
  for (const ms of delaysMs) {
    await page.getByRole('button', { name: `First ${ms}?` }).click();
    const [x, y] = await middleOf(button(page, 'Allow'));
    await page.mouse.click(x, y);
    await page.waitForTimeout(ms);
    await page.mouse.click(x, y);
    await settled(page);
    expect(sent.length, `after ${ms} ms`).toBe(delaysMs.indexOf(ms) + 1);
    expect(await page.getByRole('form').count()).toBe(0);
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
  }
});

test('[WI61] a double click does not confirm the request of its first click', async () => {
  const { page } = await scenes.inbox([approval('One?'), approval('Two?')], { viewport: { width: 375, height: 700 } });
  const sent = answersOf(page);
  await page.getByRole('checkbox', { name: 'Select all approvals (2)' }).check();
  const ask = page.getByRole('button', { name: 'Approve selected (2)…' });
  for (const delayMs of delaysMs) {
    const [x, y] = await middleOf(ask);
    await page.mouse.click(x, y);
    // Puts the confirmation under the pointer, independent of its place.
    const confirm = button(page, 'Yes, approve');
    const [toX, toY] = await middleOf(confirm);
    await confirm.evaluate(
      (it, [dx, dy]) => (it as HTMLElement).style.setProperty('translate', `${dx}px ${dy}px`),
      [x - toX, y - toY],
    );
    await page.waitForTimeout(delayMs);
    await page.mouse.click(x, y);
    await settled(page);
    expect(sent, `after ${delayMs} ms`).toEqual([]);
    await page.mouse.move(x, y + 300);
    await button(page, 'Back').click();
  }
});

test('[WI61] a press is accepted after the pointer moved to the control, or after a pause', async () => {
  const { ask, open } = await scenes.thread('holdpoint-requests');
  for (const title of ['One?', 'Two?', 'Three?']) await ask(approval(title));
  const page = await open({ viewport: { width: 800, height: 1_600 } });
  const sent = answersOf(page);
  await button(page, 'Allow').click();
  // At once, after a move of the pointer.
  await page.getByRole('form', { name: 'Two?' }).getByRole('button', { name: 'Allow' }).click();
  await expect.poll(() => sent.length).toBe(2);
  // Without a move, after a pause: the last request is put under the resting pointer.
  const last = page.getByRole('form', { name: 'Three?' }).getByRole('button', { name: 'Allow' });
  const [fromX, fromY] = await middleOf(last);
  await page.mouse.move(5, 5);
  await page.mouse.move(fromX, fromY + 200);
  await last.evaluate((it) => (it as HTMLElement).style.setProperty('translate', '0 200px'));
  await page.mouse.click(fromX, fromY + 200);
  await settled(page);
  expect(sent.length).toBe(2);
  await expect
    .poll(
      async () => {
        await page.mouse.click(fromX, fromY + 200);
        return sent.length;
      },
      { interval: 400 },
    )
    .toBe(3);
});

test('[WI61] [WI11] a more urgent request moves nothing under the pointer, and is on top after the pointer left', async () => {
  const { ask, open } = await scenes.thread('holdpoint-requests');
  const { id } = await ask(approval('Old?'));
  await ask(approval('Other?'));
  const page = await open();
  const sent = answersOf(page);
  const allow = page.getByRole('form', { name: 'Old?' }).getByRole('button', { name: 'Allow' });
  const [x, y] = await middleOf(allow);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await ask({ ...approval('Urgent?'), deadline: dueIn(60_000) });
  await page.getByText('Pending requests (3)').waitFor();
  expect(await middleOf(allow)).toEqual([x, y]);
  const titles = () => page.locator('.stack-title .stack-name').allInnerTexts();
  expect(await titles()).toEqual(['Old?', 'Other?', 'Urgent?']);
  await page.mouse.up();
  await expect.poll(() => sent).toEqual([id]);
  await page.mouse.move(0, 0);
  await blur(page);
  await expect.poll(titles).toEqual(['Urgent?', 'Other?']);
});

test('[WI61] a tap by finger is also one answer', async () => {
  const { ask, open } = await scenes.thread('holdpoint-requests');
  for (let count = 0; count < delaysMs.length + 2; count++) await ask(approval('Deploy?'));
  const page = await open({ hasTouch: true, isMobile: true, viewport: { width: 375, height: 700 } });
  const sent = answersOf(page);
  for (const [index, delayMs] of delaysMs.entries()) {
    const [x, y] = await middleOf(page.getByRole('form').first().getByRole('button', { name: 'Allow' }));
    await page.touchscreen.tap(x, y);
    await page.waitForTimeout(delayMs);
    await page.touchscreen.tap(x, y);
    await settled(page);
    expect(sent.length, `after ${delayMs} ms`).toBe(index + 1);
  }
});

test('[WI22] after Enter the focus is on the outcome of the request', async () => {
  const { ask, open } = await scenes.thread('holdpoint-requests');
  for (const title of ['One?', 'Two?', 'Three?']) await ask(approval(title) as CreateInteraction);
  const page = await open();
  const sent = answersOf(page);
  await button(page, 'Allow').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toContain('You');
  expect(sent.length).toBe(1);
});

test('[WI61] a key that is held down is one press', async () => {
  const { ask, open } = await scenes.thread('holdpoint-requests');
  await ask(approval('One?'));
  const page = await open();
  const title = page.getByRole('button', { name: 'One?' });
  await title.focus();
  // Five more presses would unfold it again.
  for (let times = 0; times < 6; times++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  expect(await title.getAttribute('aria-expanded')).toBe('false');
});

test('[WI61] a double Enter does not press the control to which the focus returns', async () => {
  const { ask, open } = await scenes.thread('holdpoint-requests');
  await ask(approval('One?'));
  const page = await open();
  for (const delayMs of delaysMs) {
    for (const name of ['Skip (not mine to decide)', 'Back']) {
      // A key, because a person reaches the button by a key.
      await page.keyboard.press('Tab');
      await button(page, name).focus();
      await page.keyboard.press('Enter');
    }
    await expect.poll(() => focused(page)).toBe('Skip (not mine to decide)');
    await page.waitForTimeout(delayMs);
    await page.keyboard.press('Enter');
    await settled(page);
    expect(await button(page, 'Back').count(), `after ${delayMs} ms`).toBe(0);
  }
});

test('[WI61] the second click of a double click may be a few pixels from the first', async () => {
  for (const key of [undefined, 'Control']) {
    const { ask, open } = await scenes.thread('holdpoint-requests');
    for (const title of ['One?', 'Two?']) await ask(approval(title));
    const page = await open({ viewport: { width: 800, height: 1_600 } });
    const sent = answersOf(page);
    const allow = (title: string) => page.getByRole('form', { name: title }).getByRole('button', { name: 'Allow' });
    const [x, y] = await middleOf(allow('One?'));
    const next = await allow('Two?').boundingBox();
    if (!next) throw new Error('there is nothing to press');
    if (key) await page.keyboard.down(key);
    await page.mouse.click(x, y);
    await page.getByText('This request was answered.').waitFor();
    // The next button covers the place of the second click, but not of the first.
    await allow('Two?').evaluate(
      (it, [dx, dy]) => (it as HTMLElement).style.setProperty('translate', `${dx}px ${dy}px`),
      [x + 3 - next.x, y - next.y - next.height / 2],
    );
    await settled(page);
    // The browser repeats the event of a held key.
    if (key) await page.keyboard.down(key);
    await page.mouse.move(x + 5, y);
    await page.mouse.down();
    await page.mouse.up();
    await settled(page);
    expect(sent.length).toBe(1);
  }
});

test.each([true, false])(
  '[WI61] a request that is closed elsewhere opens no request above the pointer: open %s',
  async (isOpen) => {
    const { ask, open } = await scenes.thread('holdpoint-requests');
    const { id } = await ask(approval('One?'));
    for (const title of ['Two?', 'Three?', 'Four?']) await ask(approval(title));
    const page = await open({ viewport: { width: 800, height: 1_600 } });
    const third = page.getByRole('button', { name: 'Three?' });
    await page.getByRole('button', { name: 'Four?' }).waitFor();
    await page.getByRole('form', { name: 'One?' }).getByRole('button', { name: 'Allow' }).waitFor();
    await settled(page);
    if (isOpen) await third.click();
    const allow = page.getByRole('form', { name: 'Three?' }).getByRole('button', { name: 'Allow' });
    const target = isOpen ? allow : third;
    const [x, y] = await middleOf(target);
    await page.mouse.move(x, y);
    await stage.call(`/v1/interactions/${id}/cancel`, {});
    await page.getByText('This request was cancelled.').waitFor();
    expect((await middleOf(target))[1]).toBeCloseTo(y, 0);
    await page.mouse.move(0, 0);
    await blur(page);
    await page.getByRole('form', { name: 'Two?' }).waitFor();
  },
);

test('[WI20] [WI61] the keys of an inbox skip a closed request', async () => {
  const { page, asked } = await scenes.inbox(['One?', 'Two?', 'Three?'].map(approval));
  await page.getByRole('button', { name: 'One?' }).focus();
  await stage.call(`/v1/interactions/${asked[1]?.id}/cancel`, {});
  await page.getByText('Closed: Two?').waitFor();
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toContain('Three?');
});
