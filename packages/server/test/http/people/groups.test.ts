/** Groups of people, over HTTP. */
import type { Group, Page, Person } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { type SpecClient, startSpecServer } from '../openapi/spec-server.ts';
import { hostileTexts } from './hostile-names.ts';
import { invite, signedIn } from './person-client.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

let count = 0;
const newGroup = (client: SpecClient = admin, given: object = {}): Promise<Group> => {
  count++;
  return client.made('/v1/groups', { id: `group-${count}`, ...given });
};
const members = async (client: SpecClient, group: string) =>
  (await client.get<Page<Person>>(`/v1/people?group=${group}&limit=200`)).body.data.map(({ id }) => id);
const add = (client: SpecClient, group: string, personId: string) =>
  client.post<Person>(`/v1/groups/${group}/members`, { personId });
const remove = (client: SpecClient, group: string, personId?: string) =>
  client.call<Person>(`/v1/groups/${group}${personId ? `/members/${personId}` : ''}`, { method: 'DELETE' });

describe('groups', () => {
  test('[PE30] a group has the id as its name until it gets one, and its id never changes', async () => {
    const { id, name } = await newGroup();
    expect(name).toBe(id);
    const changed = await admin.patch<Group>(`/v1/groups/${id}`, { name: ' On call ' });
    expect(changed).toMatchObject({ status: 200, body: { id, name: 'On call' } });
    expect(await admin.post('/v1/groups', { id })).toMatchObject({
      status: 409,
      body: { code: 'group-exists', current: { id } },
    });
    const again = { id: 'repeated', name: 'Once' };
    const replies = [1, 2].map(() => admin.post('/v1/groups', again, { 'idempotency-key': 'g' }));
    for (const { status } of await Promise.all(replies)) expect(status).toBe(201);
  });

  test('[PE30] groups are listed by id, page by page', async () => {
    const own = await admin.withOrg('groups-listed');
    for (const id of ['ops', 'finance', 'legal']) await newGroup(own, { id });
    const first = await own.get<Page<Group>>('/v1/groups?limit=2');
    expect(first.body.data.map(({ id }) => id)).toEqual(['finance', 'legal']);
    const second = await own.get<Page<Group>>(`/v1/groups?limit=2&cursor=${first.body.next}`);
    expect(second.body).toEqual({ data: [expect.objectContaining({ id: 'ops' })] });
  });

  test.each(['', 'a b', 'a/b', '-a', 'é', 'a'.repeat(101)])('[PE30] %j is no id of a group', async (id) => {
    expect(await admin.post('/v1/groups', { id })).toMatchObject({
      status: 400,
      body: { code: 'invalid-input' },
    });
  });

  test.each(hostileTexts)('[PE30] a group may be called %j', async (name) => {
    expect((await newGroup(admin, { name })).name).toBe(name.trim());
  });

  test('[PE30] a name that nobody can see is refused', async () => {
    const { id } = await newGroup();
    expect(await admin.patch(`/v1/groups/${id}`, { name: '\u2060 ' })).toMatchObject({ status: 400 });
    expect(await admin.post('/v1/groups', { id: 'unseen', name: ' ' })).toMatchObject({ status: 400 });
  });

  test('[PE31] adding and removing a member twice changes nothing', async () => {
    const { id } = await newGroup();
    const person = await invite(admin);
    const added = await add(admin, id, person.id);
    expect(added).toMatchObject({ status: 200, body: { id: person.id, groups: [id] } });
    expect((await add(admin, id, person.id)).body).toEqual(added.body);
    expect(await members(admin, id)).toEqual([person.id]);
    const removed = await remove(admin, id, person.id);
    expect(removed).toMatchObject({ status: 200, body: { groups: [] } });
    expect((await remove(admin, id, person.id)).body).toEqual(removed.body);
    for (const [group, who, code] of [
      ['nowhere', person.id, 'group-not-found'],
      [id, 'nobody', 'person-not-found'],
    ] as const) {
      expect(await add(admin, group, who)).toMatchObject({ status: 404, body: { code } });
      expect(await remove(admin, group, who)).toMatchObject({ status: 404, body: { code } });
    }
  });

  test('[PE31] a person is in at most 100 groups', async () => {
    const own = await admin.withOrg('groups-many');
    const ids = Array.from({ length: 101 }, (_, n) => `g${n}`);
    for (const id of ids) await newGroup(own, { id });
    const person = await invite(own, { groups: ids.slice(0, 100) });
    expect(await add(own, 'g100', person.id)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/personId', code: 'max' }] },
    });
    expect((await add(own, 'g5', person.id)).status).toBe(200);
  });

  test('[PE32] a deleted group has no members, and a new one of its id begins without any', async () => {
    const { id } = await newGroup();
    const people = await Promise.all(Array.from({ length: 20 }, () => invite(admin, { groups: [id] })));
    expect(await remove(admin, id)).toMatchObject({ status: 200, body: {} });
    expect(await remove(admin, id)).toMatchObject({ status: 404, body: { code: 'group-not-found' } });
    await newGroup(admin, { id });
    expect(await members(admin, id)).toEqual([]);
    for (const person of people) expect((await admin.get<Person>(`/v1/people/${person.id}`)).body.groups).toEqual([]);
  });

  test('[PE32] nobody stays in a group that is deleted while members are added', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => invite(admin)));
    for (let round = 0; round < 5; round++) {
      const { id } = await newGroup();
      const calls = people.map((person, n) =>
        n % 2 ? add(admin, id, person.id) : admin.patch(`/v1/people/${person.id}`, { groups: [id] }),
      );
      const [deleted] = await Promise.all([remove(admin, id), ...calls]);
      expect(deleted?.status).toBe(200);
      expect(await members(admin, id)).toEqual([]);
    }
  });

  test('[PE33] only admins change groups, and another org has other groups', async () => {
    const { id } = await newGroup();
    const person = await invite(admin, { groups: [id] });
    for (const roles of [['member'], ['auditor']]) {
      const client = await signedIn(admin, { roles });
      expect((await client.get<Page<Group>>('/v1/groups?limit=200')).body.data.map((group) => group.id)).toContain(id);
      const replies = [
        await client.post('/v1/groups', { id: 'mine' }),
        await client.patch(`/v1/groups/${id}`, { name: 'mine' }),
        await add(client, id, client.person.id),
        await remove(client, id, person.id),
        await remove(client, id),
      ];
      for (const reply of replies) expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    const other = await admin.withOrg('groups-elsewhere');
    expect((await other.get<Page<Group>>('/v1/groups')).body.data).toEqual([]);
    const own = await invite(other);
    expect(await add(other, id, own.id)).toMatchObject({ status: 404 });
    expect(await remove(other, id)).toMatchObject({ status: 404 });
    expect(await members(admin, id)).toEqual([person.id]);
  });
});
