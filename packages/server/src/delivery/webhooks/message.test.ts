import { createHmac } from 'node:crypto';
import { Webhook as Verifier } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { validSecrets } from '../../domain/webhooks/webhook.ts';
import { newSecret } from '../../operations/webhooks/webhooks.ts';
import { opengramSignature, standardSignature } from './message.ts';

const now = Date.now();
const timestamp = Math.floor(now / 1_000);
const body = JSON.stringify({ type: 'message.created', text: 'Grüße, 世界 🌍' });

function headers(secrets: readonly string[], signed = { id: 'evt_1', timestamp, body }): Record<string, string> {
  return {
    'webhook-id': signed.id,
    'webhook-timestamp': String(signed.timestamp),
    'webhook-signature': standardSignature(signed, secrets),
  };
}

test('[WH2] the package standardwebhooks verifies it, whatever the length of the key', () => {
  for (const bytes of [24, 25, 26, 32, 64]) {
    const secret = `whsec_${Buffer.alloc(bytes, bytes).toString('base64')}`;
    expect(new Verifier(secret).verify(body, headers([secret]))).toEqual(JSON.parse(body));
  }
});

test('[WH2] during a rotation either secret verifies it, and afterwards only the new one', () => {
  const [first, second] = [newSecret(), newSecret()];
  const stored = { secrets: [{ secret: second }, { secret: first, until: now + 1_000 }] };
  const during = headers(validSecrets(stored, now));
  expect(during['webhook-signature']?.split(' ')).toHaveLength(2);
  for (const secret of [first, second]) new Verifier(secret).verify(body, during);
  const afterwards = headers(validSecrets(stored, now + 1_000));
  new Verifier(second).verify(body, afterwards);
  expect(() => new Verifier(first).verify(body, afterwards)).toThrow('No matching signature');
});

test('[WH2] another body, id or time does not verify', () => {
  const secret = newSecret();
  const right = headers([secret]);
  const verify = (text: string, more: Record<string, string> = {}) =>
    new Verifier(secret).verify(text, { ...right, ...more });
  verify(body);
  expect(() => verify(`${body} `)).toThrow();
  expect(() => verify(body, { 'webhook-id': 'evt_2' })).toThrow();
  expect(() => verify(body, { 'webhook-timestamp': String(timestamp + 1) })).toThrow();
});

test('[WH4] Opengram signs the raw body with the secret as it is written', () => {
  const secret = 'any text of sixteen characters';
  const expected = createHmac('sha256', secret).update(Buffer.from(body)).digest('hex');
  expect(opengramSignature(body, secret)).toBe(`sha256=${expected}`);
  new Verifier(secret, { format: 'raw' }).verify(body, headers([secret]));
});
