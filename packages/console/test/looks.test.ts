/** Every page in light, dark and forced colors, and at the width of a phone. */
import { beforeAll, expect, test } from 'vitest';
import { stageOfThisFile, type VisitOptions } from '../../widget/test/stage.ts';
import { enter, expectWhole } from './enter.ts';

const stage = stageOfThisFile({ flags: ['--no-demo', '--allow-private-webhooks'] });
/** Addresses, each with the role and name that shows that the page is there. */
const groups: [string, 'heading' | 'tabpanel', string][][] = [
  [
    ['', 'heading', 'Overview'],
    ['deliveries', 'heading', 'Deliveries'],
    ['settings', 'tabpanel', 'API keys'],
  ],
  [
    ['settings?tab=public', 'tabpanel', 'Public keys'],
    ['settings?tab=webhooks', 'tabpanel', 'Webhooks'],
  ],
  [
    ['settings?tab=grants', 'tabpanel', 'Grants'],
    ['settings?tab=you', 'tabpanel', 'You'],
  ],
  [
    ['people', 'tabpanel', 'People'],
    ['people?tab=groups', 'tabpanel', 'Groups'],
    ['people?tab=log', 'tabpanel', 'Admin log'],
  ],
];

const looks: [string, VisitOptions][] = [
  ['in the light', { colorScheme: 'light' }],
  ['in the dark', { colorScheme: 'dark' }],
  ['with forced colours', { forcedColors: 'active' }],
  ['at 320 pixels', { viewport: { width: 320, height: 640 }, hasTouch: true }],
];

const long = 'a-name-that-has-no-place-to-break-'.repeat(5);

beforeAll(async () => {
  await stage.call('/v1/keys', { name: long, role: 'agent' });
  await stage.call('/v1/keys', { name: long, role: 'public', public: { agent: long, allowedOrigins: ['*'] } });
  await stage.call('/v1/webhooks', { url: `http://127.0.0.1:9/${long}`, description: long });
  await stage.ask(await stage.newThread(), { title: long, kind: 'approval' });
  await stage.call('/v1/groups', { id: 'long', name: long });
  await stage.call('/v1/people', { name: long, email: `${long}@example.com`, groups: ['long'] });
});

const cases = looks.flatMap(([look, options]) =>
  groups.map((pages) => ({ look, options, pages, names: pages.map(([, , name]) => name).join(', ') })),
);

test.each(cases)('[CO31] nothing is cut off and axe finds no violation, $look: $names', async ({ options, pages }) => {
  const page = await enter(stage, '', options);
  for (const [hash, role, name] of pages) {
    await page.goto(`${stage.url}/#/${hash}`);
    await page.getByRole(role, { name, exact: true }).waitFor();
    await expect.poll(() => page.locator('.loading').count()).toBe(0);
    await expectWhole(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), hash).toBe(true);
  }
});
