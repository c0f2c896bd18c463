/** Links in messages and questions: their targets, and the event for the page. */
import { expect, test } from 'vitest';
import { stageOfThisFile } from './stage.ts';

const stage = stageOfThisFile();

test('[WI14] a link of a question is told to the page, be it Markdown or a block, and only web pages are links', async () => {
  const content = [
    { type: 'link', payload: { url: 'https://example.com/block', label: 'The block' } },
    { type: 'link', payload: { url: 'javascript:alert(1)', label: 'No link' } },
    { type: 'card', payload: { title: 'A card', actions: [{ label: 'Its link', url: 'https://example.com/card' }] } },
    { type: 'hologram', payload: { text: 'unknown' } },
  ];
  const body = 'Read [the page](https://example.com/markdown), not [this](javascript:alert(1)).';
  const thread = await stage.newThread();
  const { id } = await stage.ask(thread, { title: 'Which?', options: ['a', 'b'], body, content } as never);
  const token = await stage.tokenFor({ interactionId: id });
  const page = await stage.open(`<holdpoint-request interaction="${id}" token="${token}"></holdpoint-request>`);
  await page.context().route('https://example.com/**', (route) => route.fulfill({ body: 'there' }));
  await page.evaluate(() => {
    document.addEventListener('holdpoint-link', (event) => {
      document.title += ` ${(event as CustomEvent<{ url: string }>).detail.url}`;
    });
  });
  for (const name of ['the page', 'The block', 'Its link']) await page.getByRole('link', { name }).click();
  await expect
    .poll(() => page.title())
    .toBe('A page https://example.com/markdown https://example.com/block https://example.com/card');
  expect(await page.getByRole('link').count()).toBe(3);
  expect(await page.getByText('No link').count()).toBe(0);
  expect(await page.getByText('unknown').count()).toBe(0);
});
