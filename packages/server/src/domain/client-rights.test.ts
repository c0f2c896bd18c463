import { type Person, type PersonRole, type VerbName, verbSpecs } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { type Caller, isAdmin, mayCall } from './caller.ts';

const clientOf = (...roles: PersonRole[]): Caller => ({
  ...{ kind: 'person', orgId: 'o', via: 'mcp' },
  person: {
    id: 'ada',
    name: 'Ada',
    status: 'active',
    roles,
    groups: [],
    identities: [],
    passkeys: [],
    createdAt: '',
  } as unknown as Person,
});
const verbs = Object.keys(verbSpecs) as VerbName[];
const allowed = (caller: Caller) => verbs.filter((verb) => mayCall(caller, verb) === undefined);

test('[PE165] the client of an admin has the rights of that of a member, and is no admin', () => {
  expect(allowed(clientOf('admin'))).toEqual(allowed(clientOf('member')));
  expect(isAdmin(clientOf('admin'))).toBe(false);
});

test('[PE165] a client asks and answers, and changes nothing else', () => {
  const used = ['createThread', 'getThread', 'createInteraction', 'getInteraction', 'waitForInteraction'];
  const answers = ['listInteractions', 'cancelInteraction', 'submitAnswer', 'declineInteraction'];
  expect(allowed(clientOf('member'))).toEqual(expect.arrayContaining([...used, ...answers]));
  for (const verb of ['updatePerson', 'createApiKey', 'revokeGrant', 'updateInteraction', 'takeSecrets'] as const)
    expect(mayCall(clientOf('member', 'admin'), verb)?.code).toBe('forbidden');
});

test('[PE165] the client of an auditor reads', () => {
  expect(mayCall(clientOf('auditor'), 'getInteraction')).toBeUndefined();
  for (const verb of ['createThread', 'createInteraction', 'submitAnswer', 'cancelInteraction'] as const)
    expect(mayCall(clientOf('auditor'), verb)?.code).toBe('forbidden');
});
