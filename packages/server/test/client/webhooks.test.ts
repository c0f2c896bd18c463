/** verifyWebhook, held against what the server sends and what the package standardwebhooks signs. */
import { Holdpoint } from '@holdpoint/client';
import { verifyWebhook } from '@holdpoint/client/verify';
import { Webhook as Signer } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startReceiver } from '../http/webhooks/webhook-receiver.ts';
import { adminKey, startTestServer } from '../test-server.ts';

const secretOf = (letter: string): string => `whsec_${Buffer.from(letter.repeat(24)).toString('base64')}`;
const body = JSON.stringify({ type: 'webhook.test', timestamp: '2026-11-16T10:00:00.000Z', data: { word: 'Grüße' } });

function signedWith(secret: string, at = new Date()) {
  const signature = new Signer(secret).sign('msg_1', at, body);
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
}

test('[CL9] what the server sends is believed, also while its secret is rotated, and gives the event', async () => {
  await using server = await startTestServer();
  const receiver = await startReceiver();
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const hp = new Holdpoint({ url: server.url, key: adminKey });
  const { id: threadId } = await hp.createThread({});
  const { id: webhookId, secret: old = '' } = await hp.createWebhook({ url: receiver.url, threadId });
  const { secret = '' } = await hp.rotateWebhookSecret({ webhookId, keepOldForSeconds: 60 });
  const { id } = await hp.create(threadId, { title: 'Deploy?' });
  await expect.poll(() => receiver.received.length).toBe(1);
  const [received] = receiver.received;
  if (!received) return expect.fail();
  for (const known of [old, secret, [secretOf('x'), secret]]) {
    const event = await verifyWebhook({ body: received.body, headers: received.headers, secret: known });
    if (event.type === 'webhook.test') return expect.fail();
    expect(event).toMatchObject({
      type: 'interaction.created',
      data: { threadId, interaction: { id, title: 'Deploy?' } },
    });
  }
  await expect(
    verifyWebhook({ body: received.body, headers: received.headers, secret: secretOf('x') }),
  ).rejects.toThrow('Its signature is not valid.');
});

describe('[CL9] what the package standardwebhooks signs', () => {
  const secret = secretOf('a');

  test('is believed, however the headers and the body are given', async () => {
    const headers = signedWith(secret);
    const shouted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    for (const each of [headers, shouted, { ...headers, cookie: ['a', 'b'], ':path': '/' }, new Headers(headers)])
      for (const sent of [body, new TextEncoder().encode(body), new TextEncoder().encode(body).buffer])
        expect(await verifyWebhook({ body: sent, headers: each, secret })).toEqual(JSON.parse(body));
  });

  test('is believed by any of its signatures and any of our secrets', async () => {
    const headers = signedWith(secret);
    const other = signedWith(secretOf('b'))['webhook-signature'];
    const several = { ...headers, 'webhook-signature': `v1a,xyz v1,!!! ${other} ${headers['webhook-signature']}` };
    expect(await verifyWebhook({ body, headers: several, secret: [secretOf('c'), secret] })).toEqual(JSON.parse(body));
  });

  test('is refused where anything of it was changed, is missing or is too old or too new', async () => {
    const headers = signedWith(secret);
    const refused = (more: Record<string, string | undefined>, sent = body) =>
      expect(verifyWebhook({ body: sent, headers: { ...headers, ...more }, secret })).rejects.toMatchObject({
        name: 'WebhookNotVerified',
      });
    await refused({}, body.replace('Grüße', 'Gruesse'));
    await refused({ 'webhook-id': 'msg_2' });
    await refused({ 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) });
    for (const name of Object.keys(headers)) {
      await refused({ [name]: undefined });
      await refused({ [name]: '' });
    }
    await refused({ 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') });
    await refused({ 'webhook-signature': `v1,${'_'.repeat(43)}=` });
    for (const seconds of [-310, 310]) await refused(signedWith(secret, new Date(Date.now() + seconds * 1_000)));
    const old = signedWith(secret, new Date(Date.now() - 310_000));
    expect(await verifyWebhook({ body, headers: old, secret, toleranceSeconds: 400 })).toEqual(JSON.parse(body));
  });
});
