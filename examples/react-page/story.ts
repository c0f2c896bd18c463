/** The page is bundled, opened in a real browser, and Sam allows the rollout by a click; page and agent both know. */
import { join } from 'node:path';
import { build } from 'vite';
import { openPage, pageOrigin } from '../open-page.ts';
import { runStory } from '../run-story.ts';
import { print } from '../start-server.ts';

await runStory(
  import.meta.dirname,
  async ({ run, folder, afterwards }) => {
    const outDir = join(folder, 'dist');
    await build({ root: import.meta.dirname, logLevel: 'warn', build: { outDir, emptyOutDir: true, assetsDir: '' } });
    const env = { PORT: '0', DIST: outDir };
    const backend = run(['node', 'backend.ts'], { name: 'backend', key: 'admin', env });
    const [, here = ''] = await backend.printed(/^open (\S+)$/m);
    const page = await openPage(here, afterwards);

    await page.getByText('1 waiting').waitFor();
    print('person', 'allows it by a click');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('All decided').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Roll out 4.2?' }).first().waitFor();
    await backend.printed(/^Rolling out 4\.2\.0 to 10 %\.$/m);
    await page.getByText('Rolling out 4.2.0 to 10 %.').waitFor();
  },
  { serverFlags: ['--cors-origin', pageOrigin] },
);
