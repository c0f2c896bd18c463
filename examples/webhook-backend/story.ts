/** The backend asks and does not wait; the person lowers the amount; the webhook tells it. A forged one is not believed. */
import { equal } from 'node:assert/strict';
import { runStory } from '../run-story.ts';

await runStory(
  import.meta.dirname,
  async ({ run, asked, answer, hp, afterwards }) => {
    const backend = run(['node', 'backend.ts'], { name: 'backend', key: 'admin', env: { PORT: '0' } });
    const [, here = ''] = await backend.printed(/^ready at (\S+)$/m);
    afterwards(async () => {
      const { data } = await hp.listWebhooks({});
      for (const { id, url } of data) if (url.startsWith(here)) await hp.deleteWebhook({ webhookId: id });
    });
    const post = (path: string, body: object) =>
      fetch(here + path, { method: 'POST', body: JSON.stringify(body) }).then(({ status }) => status);

    equal(await post('/refunds', { order: 'A-17', amount: 40 }), 202);
    const { id: interactionId } = await asked('Refund order A-17?');
    equal(await post('/holdpoint', { type: 'interaction.answered', data: { interactionId } }), 400);
    await answer('Refund order A-17?', { decision: 'allow', amount: 25 });
    await backend.printed(/^refunded 25 € for order A-17$/m);
  },
  { serverFlags: ['--allow-private-webhooks'] },
);
