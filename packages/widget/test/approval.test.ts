/** Approvals in a page: their texts, the details of the action, and skipping. */
import type { Interaction } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();

async function show(question: object, options: Parameters<typeof stage.open>[1] = {}) {
  const thread = await stage.newThread();
  const { id } = await stage.ask(thread, { title: 'Restart?', kind: 'approval', ...question } as never);
  const token = await stage.tokenFor({ interactionId: id });
  const element = `<holdpoint-request interaction="${id}" token="${token}"></holdpoint-request>`;
  const page = await stage.open(element, { locale: 'en-US', ...options });
  await page.getByRole('form').waitFor();
  return { page, id };
}

const stored = (id: string) => stage.call<Interaction>(`/v1/interactions/${id}`);

test('[WI42] default options have the language of the page, and named options the language of the requester', async () => {
  const { page, id } = await show({}, { lang: 'de' });
  await page.getByRole('button', { name: 'Erlauben' }).waitFor();
  await page.getByRole('button', { name: 'Verbieten' }).click();
  await page.getByText('Verbieten').waitFor();
  expect((await stored(id)).answer?.values).toEqual({ decision: 'deny' });
  const options = [
    { value: 'allow', label: 'Go', kind: 'allow_once' },
    { value: 'deny', label: 'Stop', kind: 'reject_once' },
  ];
  const named = await show({ options }, { lang: 'de' });
  expect(await named.page.getByRole('group').getByRole('button').allInnerTexts()).toEqual(['Go', 'Stop']);
});

test('[WI42] an argument is shown also if its field is hidden', async () => {
  const visibleIf = { all_of: [{ field: 'decision', op: 'equals', value: 'deny' }] };
  const { page } = await show({
    arguments: { command: 'rm -rf /' },
    fields: [{ name: 'command', type: 'text', label: 'Command', visibleIf }],
  });
  await page.getByText('rm -rf /').waitFor({ timeout: 10_000 });
});

test('[WI42] skipping is separate from denying, says what it does, and takes a reason', async () => {
  const { page, id } = await show({});
  const undecided = page.getByRole('button', { name: 'Skip (not mine to decide)' });
  expect(await page.getByRole('button', { name: 'Decline' }).count()).toBe(0);
  await undecided.click();
  await page.getByText('neither allows nor denies').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect.poll(() => undecided.evaluate((it) => it.matches(':focus'))).toBe(true);
  await page.keyboard.press('Enter');
  await page.keyboard.type('Ask Bo.');
  await page.getByRole('button', { name: 'Skip request' }).click();
  await page.getByText('This request was declined.').waitFor();
  const { answer } = await stored(id);
  expect(answer).toMatchObject({ decision: 'declined', values: {}, reason: 'Ask Bo.' });
});

test('[WI42] a person who denies need not fill in or correct anything', async () => {
  const { page, id } = await show({
    arguments: { replicas: 3 },
    fields: [
      { type: 'number', name: 'replicas', label: 'Replicas', max: 5, required: true },
      { type: 'text', name: 'ticket', label: 'Ticket', required: true },
      { type: 'text', name: 'why', label: 'Why' },
    ],
  });
  await page.getByLabel('Replicas').fill('900');
  await page.getByLabel('Why').fill('Not today');
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect.poll(() => page.getByRole('alert').getByRole('link').count()).toBe(2);
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('This request was answered.').waitFor();
  expect((await stored(id)).answer?.values).toMatchObject({ decision: 'deny', why: 'Not today' });
});

test('[WI42] an approval with a payload needs it to allow, and not to deny', async () => {
  const payloadSchema = { required: ['count'], properties: { count: { type: 'integer', title: 'Count' } } };
  const denied = await show({ payloadSchema });
  await denied.page.getByRole('button', { name: 'Deny' }).click();
  await denied.page.getByText('This request was answered.').waitFor();
  expect((await stored(denied.id)).answer).not.toHaveProperty('payload');
  const allowed = await show({ payloadSchema });
  await allowed.page.getByLabel('Count').waitFor();
  await allowed.page.getByRole('button', { name: 'Allow' }).click();
  await allowed.page.getByRole('link', { name: 'Count: fill this in.' }).click();
  await allowed.page.keyboard.type('3');
  await allowed.page.getByRole('button', { name: 'Allow' }).click();
  await allowed.page.getByText('This request was answered.').waitFor();
  expect((await stored(allowed.id)).answer).toMatchObject({ values: { decision: 'allow' }, payload: { count: 3 } });
});

test('[WI42] an approval that is pressed before its payload form has arrived is not sent', async () => {
  const payloadSchema = { required: ['count'], properties: { count: { type: 'integer', title: 'Count' } } };
  const { promise: pressed, resolve: letFormArrive } = Promise.withResolvers<void>();
  const prepare = (page: Page) =>
    page.route(/payload/, async (route) => {
      await pressed;
      await route.continue();
    });
  const { page } = await show({ payloadSchema }, { prepare });
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('alert').getByText('Could not send.').waitFor();
  letFormArrive();
  await page.getByLabel('Count').waitFor();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('link', { name: 'Count: fill this in.' }).waitFor();
});

test('[WI43] arguments appear as nested lists, and long ones are shown whole on demand', async () => {
  const script = Array.from({ length: 40 }, (_, index) => `step ${index}`).join('\n');
  const { page } = await show({
    arguments: { force: true, env: { region: 'eu-1', flags: { drain: true } }, hosts: [{ name: 'a' }], script },
  });
  const done = page.getByRole('region', { name: 'Action details' });
  expect(await done.getByRole('term').allInnerTexts()).toEqual([
    ...['force', 'env', 'region', 'flags', 'drain', 'hosts', 'script'],
  ]);
  await done.getByText('eu-1').waitFor();
  await expectAccessible(page);
  expect(await done.getByText('step 39').count()).toBe(0);
  await done.getByRole('button', { name: 'Show all' }).click();
  await done.getByText('step 39').waitFor();
  await done.getByRole('button', { name: 'Show less' }).click();
  expect(await done.getByText('step 39').count()).toBe(0);
});

test('[WI4] shows the time left and what happens then, and marks the recommendation', async () => {
  const deadline = { at: new Date(Date.now() + 300_000).toISOString(), outcome: 'decline' };
  const { page } = await show({ deadline, recommendations: { decision: 'allow' } });
  await page.getByText('After that, the request is declined.').waitFor();
  await page.getByRole('button', { name: 'Allow Suggested' }).waitFor();
  await expectAccessible(page);
});

describe('an "always" answer', () => {
  const options = [
    { value: 'once', label: 'Allow once', kind: 'allow_once' },
    { value: 'always', label: 'Always allow', kind: 'allow_always' },
    { value: 'no', label: 'Deny', kind: 'reject_once' },
  ];
  const question = {
    title: 'Run this command?',
    options,
    origin: { type: 'tool', reference: 'shell' },
    arguments: { command: 'ls', path: '/tmp' },
    grant: { key: 'shell:run', scope: 'org', variable: ['path'], forMs: 86_400_000 },
  };
  const linesOf = (page: Page, title: string) =>
    page.getByRole('region', { name: title }).getByRole('listitem').allInnerTexts();

  test('[G24] shows its coverage before it is given', async () => {
    const { page, id } = await show(question);
    const [tool, fixed, variable, scope, until] = await linesOf(page, 'Covered by “always”');
    expect([tool, fixed, variable, scope]).toEqual([
      'Only identical requests from this agent to use shell.',
      'command must be as shown here.',
      'path may have any value.',
      'In every conversation.',
    ]);
    const statement = page.getByRole('region', { name: 'Covered by “always”' });
    expect(await statement.locator('code').allInnerTexts()).toEqual(['shell', 'command', 'path']);
    expect(await statement.locator('strong').allInnerTexts()).toEqual(['path may have any value.']);
    expect(until).toMatch(/^Until \w+ \d+, 20\d\d/);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Always allow' }).click();
    await page.getByText('Always allow').waitFor();
    expect((await stored(id)).answer?.values).toEqual({ decision: 'always' });
  });

  test('[G24] names the arguments that the person fills in, and ends when it is revoked', async () => {
    const { page } = await show({
      ...question,
      arguments: {},
      fields: [{ type: 'text', name: 'env', label: 'Environment' }],
      grant: { key: 'restart', scope: 'thread' },
      origin: { type: 'agent' },
    });
    const always = ['Only identical requests from this agent to use restart.'];
    const ends = ['Only in this conversation.', 'Until someone revokes it.'];
    expect(await linesOf(page, 'Covered by “always”')).toEqual([...always, ...ends]);
    await page.getByLabel('Environment').fill('live');
    await expect
      .poll(() => linesOf(page, 'Covered by “always”'))
      .toEqual([...always, 'env must be as shown here.', ...ends]);
  });

  test('[G24] shows its coverage in the language of the page, and only if it is offered', async () => {
    const other = { ...question, title: 'And this one?' };
    const { page } = await show(other, { lang: 'de' });
    const lines = await linesOf(page, 'Das umfasst „immer“');
    expect(lines.slice(1, 4)).toEqual([
      'Wie hier angezeigt: command.',
      'Beliebiger Wert: path.',
      'In allen Unterhaltungen.',
    ]);
    const { page: once } = await show({ ...other, options: [options[0], options[2]] });
    expect(await once.getByRole('region', { name: 'Covered by “always”' }).count()).toBe(0);
  });
});
