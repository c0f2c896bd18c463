/** The texts of the form of an identity provider, and the words for a check. */
import type { IdentityProvider } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { wordsForCheck } from './check-words.ts';
import { providerChoices, providerTexts, settingsOf } from './provider-texts.ts';

const given: IdentityProvider = {
  ...{ id: 'acme', name: 'Acme', issuer: 'https://id.example', clientId: 'holdpoint', hasSecret: true },
  ...{ signUp: true, allowedDomains: ['acme.example', '*'], scopes: ['profile', 'groups'] },
  ...{ roleClaim: 'roles', groupClaim: 'groups', groups: { 'All staff': 'staff' }, createGroups: true },
  ...{ source: 'api', clientAuth: 'post', contact: 'it@acme.example' },
  ...{ mcpTokens: 'jwt', mcpScopes: ['openid', 'ask'] },
  roles: { 'cn=boss, o=Acme': 'admin', audit: 'auditor' },
};

test('[PE186] a form that nobody changed keeps every setting, and the secret', () => {
  const { id: _, hasSecret: __, source: ___, ...settings } = given;
  expect(settingsOf(providerTexts(given), providerChoices(given))).toEqual({ ...settings, trustEmail: null });
});

test('[PE186] an empty form removes every setting, and keeps the secret', () => {
  const { name: _, issuer: __, clientId: ___, ...rest } = settingsOf(providerTexts(), providerChoices());
  expect(new Set(Object.values(rest))).toEqual(new Set([null]));
  expect(rest).not.toHaveProperty('clientSecret');
});

test('[PE186] a line without a role is sent as it is, so that the server names it', () => {
  const texts = { ...providerTexts(), roles: ' boss \n\n__proto__ = admin' };
  const { roles } = settingsOf(texts, providerChoices());
  expect(Object.entries(roles ?? {})).toEqual([
    ['boss', ''],
    ['__proto__', 'admin'],
  ]);
});

test.each([
  ['ENOTFOUND', 'was not found'],
  ['ERR_PRIVATE_ADDRESS', 'has a private address'],
  ['OAUTH_TIMEOUT', 'did not respond within ten seconds'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'does not trust the certificate of id.example (SELF_SIGNED_CERT_IN_CHAIN)'],
  ['issuer', 'names another issuer'],
  ['OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED', 'names another issuer'],
  ['OAUTH_RESPONSE_IS_NOT_CONFORM', 'no discovery document at https://id.example/a/.well-known/openid-configuration'],
  ['ERR_JOSE_GENERIC', 'could not read its keys'],
  ['id_token_signing_alg_values_supported', 'no algorithm that the server accepts'],
  ['token_endpoint', 'has no token_endpoint'],
])('[PE180] says what %s means', (detail, words) => {
  const reason = /^[a-z_]+$/.test(detail) ? 'invalid-response' : 'provider-unavailable';
  expect(wordsForCheck({ issuer: 'https://id.example/a/', isReady: false, reason, detail })).toContain(words);
});

test('[PE180] an issuer that is ready says whether it can end sessions', () => {
  const ready = { issuer: 'https://id.example', isReady: true };
  expect(wordsForCheck({ ...ready, hasBackchannelLogout: true })).toBe('The server found the provider and its keys.');
  expect(wordsForCheck({ ...ready, hasBackchannelLogout: false })).toContain('no back-channel logout');
});
