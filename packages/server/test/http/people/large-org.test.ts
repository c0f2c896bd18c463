/** An org with 10,000 people and 500 groups, who were saved before the server started. */
import { defined, type Group, type Interaction, type Page, type Person } from '@holdpoint/protocol';
import { afterAll, expect, test } from 'vitest';
import { newPerson } from '../../../src/domain/people/person.ts';
import { newId } from '../../../src/new-id.ts';
import { openData } from '../../../src/open-data.ts';
import type { Change } from '../../../src/stores/store.ts';
import { newPlace } from '../../new-place.ts';
import { startSpecServer } from '../openapi/spec-server.ts';
import { signedIn } from './person-client.ts';

const peopleCount = 10_000;
const groupCount = 500;
const at = '2030-01-01T00:00:00.000Z';

const place = await newPlace();
const ids = await fill();
const server = await startSpecServer({ place });
const { admin } = server;
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

/** Person n is in the group n modulo 500. */
async function fill(): Promise<string[]> {
  const { store, close } = await openData(place.config);
  const all = Array.from({ length: peopleCount }, newId);
  const save = async (documents: NonNullable<Change['documents']>) =>
    expect(await store.commit({ orgId: 'default', documents })).toMatchObject({ ok: true });
  const groups = Array.from({ length: groupCount }, (_, n) => ({ id: `g${n}`, name: `Group ${n}`, createdAt: at }));
  await save(groups.map((record) => ({ type: 'group', id: record.id, record, expected: null })));
  for (let from = 0; from < all.length; from += 1_000)
    await save(
      all.slice(from, from + 1_000).map((id, index) => {
        const n = from + index;
        const given = { id, name: `Person ${n}`, email: `p${n}@example.com`, groups: [`g${n % groupCount}`] };
        return { type: 'person', id, record: newPerson(given, at), expected: null, alias: given.email };
      }),
    );
  await close();
  return all;
}

async function pagesOf<T>(path: string): Promise<T[][]> {
  const pages: T[][] = [];
  for (let cursor: string | undefined; ; ) {
    const query = new URLSearchParams(defined({ cursor }));
    const { status, body } = await admin.get<Page<T>>(`${path}${path.includes('?') ? '&' : '?'}${query}`);
    expect(status).toBe(200);
    pages.push(body.data);
    if (body.next === undefined) return pages;
    cursor = body.next;
  }
}

test('[PE25] every person is listed once, and a search examines 2,000 people in each page', async () => {
  const all = (await pagesOf<Person>('/v1/people?limit=200')).flat();
  expect(all.map(({ id }) => id)).toEqual(ids);
  const found = await pagesOf<Person>('/v1/people?search=P9999@');
  expect(found.flat().map(({ id }) => id)).toEqual([ids[9_999]]);
  expect(found.length).toBeLessThanOrEqual(peopleCount / 2_000 + 1);
  const members = (await pagesOf<Person>('/v1/people?group=g7&limit=200')).flat();
  expect(members.map(({ id }) => id)).toEqual(ids.filter((_, n) => n % groupCount === 7));
  expect((await pagesOf<Group>('/v1/groups?limit=200')).flat()).toHaveLength(groupCount);
});

test('[PE34] a question for one of them, and a deactivation, read no list', async () => {
  const responder = { type: 'human', assignees: ['person:P5000@example.com', 'group:g499'] };
  const asked = await admin.ask({ responder });
  expect(asked.responder.assignees).toEqual([`person:${ids[5_000]}`, 'group:g499']);
  await admin.patch(`/v1/people/${ids[5_000]}`, { status: 'deactivated' });
  const { body } = await admin.get<Interaction>(`/v1/interactions/${asked.id}`);
  expect(body.responder.assignees).toEqual(['group:g499']);
});

test('[PE28] the last admin is found among all of them', async () => {
  const boss = await signedIn(admin, { roles: ['admin'] });
  const path = `/v1/people/${boss.person.id}`;
  expect(await admin.patch(path, { roles: ['member'] })).toMatchObject({ status: 409, body: { code: 'last-admin' } });
});

test('[PE32] a group of a thousand people is deleted', async () => {
  await admin.made('/v1/groups', { id: 'large' });
  for (let from = 0; from < 1_000; from += 50)
    await Promise.all(
      ids.slice(from, from + 50).map((personId) => admin.made('/v1/groups/large/members', { personId })),
    );
  expect((await admin.call('/v1/groups/large', { method: 'DELETE' })).status).toBe(200);
  expect((await pagesOf<Person>('/v1/people?group=large')).flat()).toEqual([]);
});
