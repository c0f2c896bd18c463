/** The console shows every character of a request, including hidden ones. */
import { expect, test } from 'vitest';
import { expectAccessible, stageOfThisFile } from '../../widget/test/stage.ts';
import { openConsole } from './open-console.ts';

const stage = stageOfThisFile();
const turned = 'Pay invoice \u202egnp.exe?';
const seen = 'Pay invoice U+202Egnp.exe?';

test('[X33] shows hidden characters in the inbox and in the list of bulk approvals', async () => {
  const thread = await stage.newThread();
  const question = { kind: 'approval', title: turned, arguments: { host: 'pay\u200bpal.com' } } as const;
  for (const title of [turned, 'Second?']) await stage.ask(thread, { ...question, title });
  const page = await openConsole(stage, `#/inbox?thread=${thread}`);
  const line = page.locator('.inbox-row', { hasText: seen });
  await line.waitFor();
  await line.getByRole('checkbox').check();
  await page.getByRole('button', { name: /^Approve 1…/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(seen).waitFor();
  await dialog.getByText('host: payU+200Bpal.com').waitFor();
  await expectAccessible(page);
  const shown = await page.evaluate(() => document.body.innerText);
  expect(shown).not.toMatch(/[\u202e\u200b]/);
});
