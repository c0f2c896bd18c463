/** The app asks, Sam allows it by the link in Chromium, and the app goes on. */
import { decideByLink } from '../decide-by-link.ts';
import { runStory } from '../run-story.ts';

await runStory(import.meta.dirname, decideByLink, {
  async app({ run }) {
    const [, url = ''] = await run(['node', 'app.ts']).printed(/^ready at (\S+)$/m);
    return url;
  },
});
