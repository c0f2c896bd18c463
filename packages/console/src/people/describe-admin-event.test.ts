import { type AdminEvent, adminEventTypes } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { adminEventTitles, describeAdminEvent } from './describe-admin-event.ts';

const names = { subjectName: undefined, nameOfGroup: (id: string) => (id === 'finance' ? 'Finance' : id) };
const ada = { type: 'human', id: 'ada', via: 'link', name: 'Ada Rossi' } as const;
const ben = { type: 'person', id: 'ben', name: 'Ben Okoro' };
const words = (event: Partial<AdminEvent>) =>
  describeAdminEvent({ id: 'e', at: '2030-01-31T12:00:00.000Z', actor: ada, ...event } as AdminEvent, names);

test('[CO68] every type of the admin log has a title and words', () => {
  expect(adminEventTitles.map(([type]) => type).sort()).toEqual([...adminEventTypes].sort());
  for (const type of adminEventTypes) expect(words({ type, subject: ben })).toMatch(/^[a-z]/);
});

test('[CO68] sentences name the person, the group and the change', () => {
  expect(words({ type: 'person.invited', subject: ben })).toBe('invited Ben Okoro');
  const changed = { roles: ['admin', 'auditor'], groups: ['finance'], email: null };
  expect(words({ type: 'person.updated', subject: ben, data: { changed } })).toBe(
    'changed Ben Okoro: roles to Admin, Auditor; groups to Finance; removed the email',
  );
  const group = { type: 'group', id: 'finance', name: 'Finance' };
  expect(
    words({ type: 'group.member-added', subject: group, data: { personId: 'ben', personName: 'Ben Okoro' } }),
  ).toBe('added Ben Okoro to the group Finance');
  const own = { type: 'person', id: 'ada', name: 'Ada Rossi' };
  expect(words({ type: 'session.started', subject: own, data: { via: 'link', device: 'Chrome on Linux' } })).toBe(
    'signed in with a link in Chrome on Linux',
  );
  expect(words({ type: 'session.ended', subject: own, data: {} })).toBe('ended a session');
  expect(words({ type: 'session.ended', subject: ben, data: {} })).toBe('ended a session of Ben Okoro');
});
