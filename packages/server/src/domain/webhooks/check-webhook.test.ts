import { expect, test } from 'vitest';
import { checkHeaders, checkSecret } from './check-webhook.ts';

test.each([
  'Host',
  'content-LENGTH',
  'Transfer-Encoding',
  'connection',
  'Webhook-Id',
  'webhook-anything',
  'user-agent',
])('[WH10] the header %s is reserved', (name) => {
  expect(checkHeaders({ [name]: 'x' })).toMatchObject([{ pointer: `/headers/${name}`, code: 'reserved' }]);
});

test('[WH10] other headers are allowed, once each', () => {
  expect(checkHeaders({ Authorization: 'Bearer x', 'X-Tenant': 'a' })).toEqual([]);
  expect(checkHeaders({ 'X-A': '1', 'x-a': '2' })).toMatchObject([{ pointer: '/headers/x-a', code: 'duplicate' }]);
});

const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

test('[WH2] a secret is whsec_ and 24 to 64 bytes in base64; Opengram takes any other text', () => {
  for (const bytes of [24, 25, 32, 64]) expect(checkSecret(`whsec_${base64(bytes)}`, 'standard')).toEqual([]);
  for (const secret of [`whsec_${base64(23)}`, `whsec_${base64(65)}`, `whsec_${base64(24)}=`, 'a text of sixteen'])
    expect(checkSecret(secret, 'standard'), secret).toMatchObject([{ pointer: '/secret' }]);
  expect(checkSecret('a text of sixteen', 'opengram')).toEqual([]);
  expect(checkSecret('whsec_not-base64-at-all', 'opengram')).toHaveLength(1);
});
