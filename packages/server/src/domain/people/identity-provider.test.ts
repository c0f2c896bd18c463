import type { CreateIdentityProvider } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import {
  changedSettings,
  checkProvider,
  providerPath,
  readProviderPath,
  type StoredProvider,
  shownProvider,
  updatedProvider,
} from './identity-provider.ts';

const provider: CreateIdentityProvider = {
  ...{ id: 'acme', name: 'Acme', issuer: 'https://id.acme.example', clientId: 'holdpoint', clientSecret: 'hush' },
};
const problemsOf = (settings: Partial<CreateIdentityProvider>) =>
  checkProvider({ ...provider, ...settings }).map(({ pointer }) => pointer);

test('[PE96] an issuer has https, or is on the machine of the server', () => {
  for (const issuer of [
    'https://a.example',
    'https://a.example/realms/x',
    'http://localhost:81',
    'http://127.3.0.1',
    'http://[::1]:5',
  ])
    expect(problemsOf({ issuer })).toEqual([]);
  const wrong = [
    'http://a.example',
    'http://localhost.evil.example',
    'ftp://a.example',
    'a.example',
    'https://a:b@c.example',
  ];
  for (const issuer of [
    ...wrong,
    'https://a.example?x',
    'https://a.example/#x',
    'javascript:alert(1)',
    'http://127.evil.example',
  ])
    expect(problemsOf({ issuer })).toEqual(['/issuer']);
});

test('[PE96] settings that need others are rejected without them', () => {
  expect(problemsOf({ signUp: true })).toEqual(['/allowedDomains']);
  expect(problemsOf({ roleClaim: 'roles' })).toEqual(['/roles']);
  expect(problemsOf({ roles: { boss: 'admin' } })).toEqual(['/roleClaim']);
  expect(problemsOf({ groups: { a: 'b' } })).toEqual(['/groupClaim']);
  expect(problemsOf({ createGroups: true })).toEqual(['/groupClaim']);
  expect(problemsOf({ createGroups: true, groupClaim: 'groups', signUp: true, allowedDomains: ['*'] })).toEqual([]);
});

test('[PE97] the secret is never shown, and goes to no other issuer', () => {
  const stored: StoredProvider = { ...provider, createdAt: 'a', updatedAt: 'b' };
  const shown = shownProvider(stored, 'api', undefined);
  expect(JSON.stringify(shown)).not.toContain('hush');
  expect(shown).toMatchObject({ hasSecret: true, source: 'api', createdAt: 'a' });
  const moved = { issuer: 'https://other.example' };
  expect(updatedProvider(stored, moved, 0).problems).toMatchObject([{ pointer: '/clientSecret' }]);
  expect(updatedProvider(stored, { ...moved, clientSecret: 'new' }, 0).problems).toEqual([]);
  const without = updatedProvider(stored, { ...moved, clientSecret: null }, 0);
  expect(without.problems).toEqual([]);
  expect(without.provider).not.toHaveProperty('clientSecret');
});

test('[PE97] an update changes what is given, and the log has only names', () => {
  const before: StoredProvider = { ...provider, signUp: true, allowedDomains: ['a.example'] };
  const { provider: after } = updatedProvider(before, { name: 'New', signUp: null, clientSecret: 'other' }, 0);
  expect(after).toMatchObject({ name: 'New', allowedDomains: ['a.example'], clientSecret: 'other' });
  expect(after).not.toHaveProperty('signUp');
  expect(changedSettings(before, after)).toEqual(['clientSecret', 'name', 'signUp']);
  expect(changedSettings(before, { ...before, updatedAt: 'later' })).toEqual([]);
});

test('[PE98] the address of a provider names its org, unless it is the org of the operator', () => {
  for (const orgId of ['default', 'acme', 'a~b', 'a.b@c:d']) {
    const path = providerPath(orgId, 'id-1', 'default');
    expect(path).toBe(orgId === 'default' ? 'id-1' : `${orgId}~id-1`);
    expect(readProviderPath(path, 'default')).toEqual({ orgId, providerId: 'id-1' });
  }
});
