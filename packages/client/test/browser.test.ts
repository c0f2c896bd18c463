/** The built client in a real page, over HTTP/1.1, with a person's token with another program that uses the key. */
import { form, imageUpload, select } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { stageOfThisFile } from '../../widget/test/stage.ts';
import { bundle } from './bundle.ts';

const stage = stageOfThisFile();
type Client = typeof import('../src/index.ts');
declare global {
  interface Window {
    holdpoint: Client;
    seen: string[];
  }
}

async function openPage() {
  const script = await bundle('iife');
  return stage.open('', {
    scripts: '<script src="/client-of-a-test.js"></script>',
    prepare: (page) =>
      page.route('**/client-of-a-test.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script })),
  });
}

test('[CL11][CL5][CL7] a page asks, and hears the answer of another side, and every event of it', async () => {
  const page = await openPage();
  const threadId = await stage.newThread();
  const key = 'key-of-the-tests';
  const asking = page.evaluate(
    async ({ key, threadId }) => {
      const { Holdpoint, form, select } = window.holdpoint;
      const hp = new Holdpoint({ url: location.origin, key });
      window.seen = [];
      const follow = async () => {
        for await (const { type } of hp.events({ threadId, after: 'start' })) {
          window.seen.push(type);
          if (type === 'interaction.answered') return;
        }
      };
      const following = follow();
      const outcome = await hp.ask(threadId, form({ env: select(['staging', 'production']) }));
      await following;
      return { outcome, seen: window.seen };
    },
    { key, threadId },
  );
  const questions = async () =>
    (await stage.call<{ data: { id: string }[] }>(`/v1/interactions?threadId=${threadId}`)).data;
  await expect.poll(questions).toHaveLength(1);
  const [question] = await questions();
  await stage.call(`/v1/interactions/${question?.id}/answers`, { values: { env: 'staging' } });
  const { outcome, seen } = await asking;
  expect(outcome).toMatchObject({ status: 'answered', values: { env: 'staging' } });
  expect(seen).toEqual(['thread.created', 'interaction.created', 'interaction.answered']);
});

test('[CL11][CL10] a page answers with a file, by the token of a person', async () => {
  const page = await openPage();
  const threadId = await stage.newThread();
  const asked = await stage.ask(threadId, form({ photo: imageUpload(), env: select(['staging']) }));
  const key = await stage.tokenFor({ interactionId: asked.id });
  const answered = await page.evaluate(
    async ({ key, id }) => {
      const hp = new window.holdpoint.Holdpoint({ url: location.origin, key });
      const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
      const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
      const photo = await hp.upload(id, 'photo', new File([bytes], 'dot.png', { type: 'image/png' }));
      return hp.answer(id, { photo, env: 'staging' });
    },
    { key, id: asked.id },
  );
  expect(answered).toMatchObject({
    status: 'answered',
    answer: { values: { photo: { name: 'dot.png', mime: 'image/png' } }, by: { id: 'ann' } },
  });
});
