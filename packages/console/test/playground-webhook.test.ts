/** Compares the webhook message in the playground with one that the server sent. */
import type { Webhook } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { stageOfThisFile } from '../../widget/test/stage.ts';
import { openConsole } from './open-console.ts';
import { receiver } from './receiver.ts';

const stage = stageOfThisFile({ flags: ['--no-demo', '--allow-private-webhooks'] });

/** The headers and the body of a displayed message. */
function parsed(shown: string): { headers: Record<string, string>; body: unknown } {
  const [head = '', body = ''] = shown.split(/\n\n(.*)/s);
  const [, ...lines] = head.split('\n');
  return { headers: Object.fromEntries(lines.map((line) => line.split(/: (.*)/s))), body: JSON.parse(body) };
}

test('[CO56] shows the webhook message as it is sent, except for the signature and the time', async () => {
  const { url, messages } = await receiver(200);
  const events = ['interaction.created', 'interaction.answered'];
  await stage.call<Webhook>('/v1/webhooks', { url, events });
  const page = await openConsole(stage, '#/playground');
  const question = {
    title: 'Ship it?',
    options: ['ship', 'wait'],
    metadata: { order: 7 },
    trace: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
  };
  await page.getByRole('textbox', { name: 'Request as JSON' }).fill(JSON.stringify(question, null, 2));
  await page.getByText('Valid request').waitFor();
  await page.getByRole('button', { name: 'Create request', exact: true }).click();
  await page.locator('holdpoint-request').getByRole('button', { name: 'ship' }).click();
  await page.getByText('answered “Ship it?”: ship').waitFor();
  await expect.poll(() => messages.length).toBe(2);
  await page.getByRole('tab', { name: 'Webhook' }).click();
  for (const { headers, body } of messages) {
    const sent = JSON.parse(body) as { type: string };
    await page.getByRole('tabpanel', { name: 'Webhook' }).getByRole('combobox').selectOption({ label: sent.type });
    const shown = parsed(await page.getByRole('region', { name: 'Text of the message' }).innerText());
    expect(shown.body).toEqual(sent);
    expect(shown.headers['webhook-id']).toBe(headers['webhook-id']);
    expect(shown.headers['content-type']).toBe(headers['content-type']);
    const own = (name: string) => name.startsWith('webhook-') || name === 'content-type' || name.startsWith('x-');
    expect(Object.keys(shown.headers).sort()).toEqual(Object.keys(headers).filter(own).sort());
  }
});
