/** The story of an app that has Holdpoint in it: it asks, a person decides by a link of the app, and callers who leave are noticed. */
import { equal, match } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPage, pageOrigin } from './open-page.ts';
import type { Stage } from './run-story.ts';
import { print } from './start-server.ts';

export async function decideByLink({ url, adminKey, hp, asked, afterwards }: Stage): Promise<void> {
  const headers = { authorization: `Bearer ${adminKey}` };
  const untilThereAre = async (count: number, what: 'streams' | 'waiters') => {
    const isSo = new RegExp(`^holdpoint_${what} ${count}$`, 'm');
    while (!isSo.test(await (await fetch(`${url}/metrics`, { headers })).text())) await sleep(50);
  };
  match(await (await fetch(url)).text(), /An app of its own/);

  const { link } = (await (await fetch(`${url}/deploy/4.2`, { method: 'POST' })).json()) as { link: string };
  const { id, threadId } = await asked('Deploy 4.2?');
  const gone = new AbortController();
  const waiting = hp.wait(id, { signal: gone.signal }).catch(() => {});
  await untilThereAre(2, 'waiters');
  gone.abort();
  await waiting;
  await untilThereAre(1, 'waiters');
  print('story', 'a caller left, and the app noticed');

  const answered = (async () => {
    for await (const { type } of hp.events({ threadId })) return type;
    return undefined;
  })();
  await untilThereAre(1, 'streams');
  const page = await openPage(url, afterwards);
  await page.goto(pageOrigin + link);
  await page.getByRole('button', { name: 'Allow' }).click();
  print('person', 'allows it by the link');
  equal(await answered, 'interaction.answered');
  equal((await hp.get(id)).answer?.decision, 'accepted');
  await untilThereAre(0, 'streams');

  const session = { method: 'POST', headers: { 'x-holdpoint-console': '1' } };
  equal((await fetch(`${url}/console/session`, session)).status, 400);
  equal((await fetch(`${url}/console`)).status, 200);
}
