/** Mia opens the page in a real browser, fills in the form that the widget drew, and the bakery goes on. */
import { openPage, pageOrigin } from '../open-page.ts';
import { runStory } from '../run-story.ts';
import { print } from '../start-server.ts';

await runStory(
  import.meta.dirname,
  async ({ run, afterwards }) => {
    const backend = run(['node', 'backend.ts'], { name: 'backend', key: 'admin', env: { PORT: '0' } });
    const [, here = ''] = await backend.printed(/^open (\S+)$/m);
    const page = await openPage(here, afterwards);

    await page.getByRole('radio', { name: 'Raspberry' }).check();
    await page.getByLabel('What shall we write on it?').fill('Happy birthday, Ada');
    await page.getByLabel('When do you come on Saturday?').fill('10:30');
    print('person', 'fills in the form');
    await page.getByRole('button', { name: 'Bake it' }).click();
    await page.getByText('Thank you. We are baking!').waitFor();
    await backend.printed(/^baking \{ icing: 'Raspberry', writing: 'Happy birthday, Ada', pickUp: '10:30' \}$/m);
  },
  { serverFlags: ['--cors-origin', pageOrigin] },
);
