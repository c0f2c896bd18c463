/** A lost connection to the server, and a connection that comes back. */
import { expect, test } from 'vitest';
import { expectAccessible, stageOfThisFile } from '../../widget/test/stage.ts';
import { wireTo } from '../../widget/test/wire.ts';
import { enter } from './enter.ts';

const stage = stageOfThisFile({ flags: ['--no-demo'] });

test('[CO80] every page says that it is offline, and stops saying it when the server can be reached again', async () => {
  const wire = await wireTo(stage.url);
  const page = await enter(stage, 'settings', { through: wire.url, viewport: { width: 320, height: 640 } });
  const offline = page.getByRole('status').getByText('Offline.');
  for (const hash of ['settings', 'inbox']) {
    await page.goto(`${wire.url}/#/${hash}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await offline.count()).toBe(0);
    wire.cut();
    await offline.waitFor();
    await expectAccessible(page);
    wire.mend();
    await offline.waitFor({ state: 'detached' });
  }
});

test('[CO80] the loss of the network is said at once', async () => {
  const page = await enter(stage, 'settings');
  await page.context().setOffline(true);
  const offline = page.getByRole('status').getByText('Offline.');
  await offline.waitFor();
  await page.context().setOffline(false);
  await offline.waitFor({ state: 'detached' });
});
