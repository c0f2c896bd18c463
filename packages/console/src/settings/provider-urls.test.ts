/** The addresses of a provider before it is added. */
import { expect, test } from 'vitest';
import { urlsOfNew } from './provider-urls.ts';

const publicUrl = 'https://holdpoint.example.com';

test('[PE183] the addresses of a new provider have its id, and the org if it is another one', () => {
  expect(urlsOfNew({ orgId: 'default', publicUrl }, 'acme')).toEqual({
    callbackUrl: `${publicUrl}/auth/acme/callback`,
    logoutUrl: `${publicUrl}/auth/acme/backchannel-logout`,
  });
  expect(urlsOfNew({ orgId: 'tenant', publicUrl }, 'acme').callbackUrl).toBe(`${publicUrl}/auth/tenant~acme/callback`);
});

test.each(['', 'Acme', 'a~b', '-a', 'a'.repeat(64)])('[PE183] the id %j has no addresses', (id) => {
  expect(urlsOfNew({ orgId: 'default', publicUrl }, id)).toEqual({});
});

test('[PE183] a server that does not know its address has none to show', () => {
  expect(urlsOfNew({ orgId: 'default', publicUrl: undefined }, 'acme')).toEqual({});
});
