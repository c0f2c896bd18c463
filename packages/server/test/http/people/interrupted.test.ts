/** A deactivation that is interrupted: the status is saved, and a timer finishes the rest. */
import type { Person } from '@holdpoint/protocol';
import { afterAll, expect, test } from 'vitest';
import { ask } from '../../../src/domain/asking.fixture.ts';
import type { Caller } from '../../../src/domain/caller.ts';
import { newPerson } from '../../../src/domain/people/person.ts';
import { systemActor } from '../../../src/domain/state.ts';
import { newThread } from '../../../src/domain/thread.ts';
import { newId } from '../../../src/new-id.ts';
import { openData } from '../../../src/open-data.ts';
import type { Context } from '../../../src/operations/context.ts';
import { finishDeactivation } from '../../../src/operations/people/deactivate.ts';
import { updatePerson } from '../../../src/operations/people/people.ts';
import { newSession } from '../../../src/operations/people/sessions.ts';
import type { Store } from '../../../src/stores/store.ts';
import { newPlace } from '../../new-place.ts';

const place = await newPlace();
const data = await openData(place.config);
afterAll(async () => {
  await data.close();
  await place[Symbol.asyncDispose]();
});
const { store } = data;
const orgId = 'default';
const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };
const contextOf = (used: Store) => ({ store: used, clock, newId, publicUrl: () => undefined }) as unknown as Context;
const admin: Caller = { kind: 'key', orgId, keyId: 'admin', role: 'admin' };

/** The store of a server that stops after this number of commits. */
function stoppingAfter(commits: number): Store {
  let left = commits;
  return {
    ...store,
    getDocument: store.getDocument.bind(store),
    listDocuments: store.listDocuments.bind(store),
    listInteractions: store.listInteractions.bind(store),
    getInteraction: store.getInteraction.bind(store),
    async commit(change) {
      if (left-- <= 0) throw new Error('the server stopped');
      return store.commit(change);
    },
  };
}

async function prepare(): Promise<Person> {
  const now = clock.now();
  const person: Person = { ...newPerson({ id: newId(), name: 'Ann' }, new Date(now).toISOString()), status: 'active' };
  await store.commit({ orgId, documents: [{ type: 'person', id: person.id, record: person, expected: null }] });
  await addAccess(person);
  return person;
}

/** Adds two sessions, and five questions that name the person. */
async function addAccess(person: Person): Promise<void> {
  const now = clock.now();
  const tools = { clock, newId };
  const sessions = [1, 2].map(() => newSession(tools, { orgId, person, via: 'link', device: 'A browser' }).change);
  const threadId = newId();
  const thread = newThread({ id: threadId }, { by: systemActor('test'), now });
  await store.commit({ orgId, ...thread });
  await store.commit({
    ...{ orgId, timers: sessions.flatMap(({ timers }) => timers) },
    documents: sessions.flatMap(({ documents }) => documents),
  });
  for (let n = 0; n < 5; n++) {
    const responder = { type: 'human' as const, assignees: [`person:${person.id}`, 'crew-7'] };
    const record = { ...ask({ responder }), id: newId(), threadId };
    await store.commit({ orgId, interaction: { record, expectedVersion: 0 } });
  }
}

const leftFor = async (personId: string) => ({
  questions: (await store.listInteractions({ orgId, assignee: `person:${personId}`, limit: 100 })).items.length,
  sessions: (await store.listDocuments({ orgId, type: 'session', cursor: `${personId} `, limit: 100 })).items.filter(
    ({ id }) => id.startsWith(personId),
  ).length,
});

test.each([1, 2, 3, 4, 7])('[PE39] interrupted after %d commits, the timer finishes it', async (commits) => {
  const person = await prepare();
  expect(await leftFor(person.id)).toEqual({ questions: 5, sessions: 2 });
  const change = { personId: person.id, status: 'deactivated' } as const;
  await expect(updatePerson(contextOf(stoppingAfter(commits)), admin, change)).rejects.toThrow('the server stopped');
  expect((await store.getDocument({ orgId, type: 'person', id: person.id }))?.record.status).toBe('deactivated');
  const { questions, sessions } = await leftFor(person.id);
  expect(questions + sessions).toBe(8 - commits);
  clock.offsetMs += 60_000;
  const due = await store.claimDue({ kind: 'person', now: clock.now(), limit: 10, forMs: 1_000 });
  expect(due.map(({ id }) => id)).toEqual([person.id]);
  for (const timer of due) await finishDeactivation(contextOf(store), timer);
  expect(await leftFor(person.id)).toEqual({ questions: 0, sessions: 0 });
  expect(await store.nextDueAt({ kind: 'person' })).toBeUndefined();
});

test('[PE39] a call that is repeated finishes it too', async () => {
  const person = await prepare();
  const change = { personId: person.id, status: 'deactivated' } as const;
  await expect(updatePerson(contextOf(stoppingAfter(1)), admin, change)).rejects.toThrow('the server stopped');
  expect((await updatePerson(contextOf(store), admin, change)).status).toBe('deactivated');
  expect(await leftFor(person.id)).toEqual({ questions: 0, sessions: 0 });
});

test('[PE39] a person who is reactivated meanwhile has lost them too, and keeps later ones', async () => {
  const person = await prepare();
  const { id: personId } = person;
  const interrupted = updatePerson(contextOf(stoppingAfter(1)), admin, { personId, status: 'deactivated' });
  await expect(interrupted).rejects.toThrow('the server stopped');
  await updatePerson(contextOf(store), admin, { personId, status: 'active' });
  expect(await leftFor(personId)).toEqual({ questions: 0, sessions: 0 });
  await addAccess(person);
  await finishDeactivation(contextOf(store), { orgId, id: personId });
  expect(await leftFor(personId)).toEqual({ questions: 5, sessions: 2 });
});
