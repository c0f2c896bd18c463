/** The accessible text of the main states. Change it on purpose only (`vitest run -u`). */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { formOfEverything } from './every-field.ts';
import { button, scenesOn } from './scenes.ts';
import { stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();
const scenes = scenesOn(stage);

/** Without ids and times, which differ in each run. */
async function accessibleText(page: Page, element: string): Promise<string> {
  const snapshot = await page.locator(`holdpoint-${element}`).ariaSnapshot();
  return `${snapshot
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
    .replaceAll(/[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d\s[AP]M/g, '<day>')
    .replaceAll(/\d{1,2}:\d\d\s[AP]M/g, '<clock>')}\n`;
}

const deadline = () => ({ at: new Date(Date.now() + 3 * 86_400_000 - 60_000).toISOString(), outcome: 'expire' });
const deploy = () => ({
  title: 'Deploy payments 4.2?',
  kind: 'approval',
  body: 'Build **4711** passed.',
  arguments: { service: 'payments', replicas: 3, flags: { canary: true } },
  fields: [{ type: 'number', name: 'replicas', label: 'Replicas', min: 1 }],
  recommendations: { replicas: 3 },
  deadline: deadline(),
});

test('[WI25] a conversation with messages and requests', async () => {
  const { ask, say, open } = await scenes.thread();
  await say({ role: 'user', text: 'Is it ready?' });
  await say({
    role: 'agent',
    blocks: [
      {
        type: 'message',
        payload: { text: 'Nearly:\n\n- **812** checks passed\n- [log](https://example.com/log)', format: 'markdown' },
      },
      { type: 'link', payload: { label: 'The plan', url: 'https://example.com/plan' } },
    ],
  });
  await ask(deploy());
  await ask({
    title: 'When?',
    options: [
      { value: 'now', label: 'Now', variant: 'primary', recommended: true },
      { value: 'later', label: 'Later' },
    ],
  });
  const page = await open();
  await button(page, 'Later').waitFor();
  await page.getByText('812').waitFor();
  await page.getByText('4711').waitFor();
  await expect(await accessibleText(page, 'chat')).toMatchFileSnapshot('aria/chat.yml');
  await button(page, 'Pending requests (2)').click();
  await button(page, 'Later').waitFor({ state: 'hidden' });
  await expect(await accessibleText(page, 'chat')).toMatchFileSnapshot('aria/chat-folded.yml');
});

test('[WI25] a form with every type of field, and the same form with errors', async () => {
  const { page } = await scenes.request(formOfEverything);
  await page.getByRole('img', { name: 'Sign here' }).waitFor();
  await page.getByText('one', { exact: true }).waitFor();
  await page.locator('input[type=file]').first().waitFor();
  await expect(await accessibleText(page, 'request')).toMatchFileSnapshot('aria/form.yml');
  await button(page, 'Send').click();
  await page.getByRole('alert').waitFor();
  await expect(await accessibleText(page, 'request')).toMatchFileSnapshot('aria/form-with-errors.yml');
});

test('[WI25] an approval with its arguments, and declining it', async () => {
  const { page } = await scenes.request(deploy());
  await page.getByText('4711').waitFor();
  await expect(await accessibleText(page, 'request')).toMatchFileSnapshot('aria/approval.yml');
  await page.locator('.decline').click();
  await page.getByRole('textbox', { name: 'Reason (optional)' }).waitFor();
  await expect(await accessibleText(page, 'request')).toMatchFileSnapshot('aria/declining.yml');
});

test('[WI25] an inbox, with some selected and one open', async () => {
  const { page } = await scenes.inbox([
    deploy(),
    { title: 'Rotate the key?', kind: 'approval', arguments: { key: 'k1' } },
  ]);
  await page.getByRole('button', { name: 'Rotate the key?' }).click();
  await page.getByRole('form', { name: 'Rotate the key?' }).waitFor();
  await page.getByRole('checkbox', { name: 'Select Deploy payments 4.2?' }).check();
  await page.getByRole('button', { name: 'Approve selected (1)' }).waitFor();
  await expect(await accessibleText(page, 'inbox')).toMatchFileSnapshot('aria/inbox.yml');
});
