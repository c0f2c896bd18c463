/** People in the data of an earlier version: who they are, how they signed in, and what they did. */
import { verifyAnswer } from '@holdpoint/client/verify';
import type {
  AdminEvent,
  Group,
  IdentityProvider,
  Interaction,
  Page,
  Person,
  PersonSession,
} from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import { header } from './http/access/console-caller.ts';
import { serverOnFixture } from './stored-data/server-on-fixture.ts';
import { fixturesWithPeople } from './stored-data/stored-fixtures.ts';

describe.each(fixturesWithPeople)('people in data written by %s', (name) => {
  const opened = serverOnFixture(name);
  const storedPeople = () => {
    const { people } = opened.stored;
    if (!people) throw new Error(`the fixture ${name} has no people`);
    return people;
  };
  const get = async <T>(path: string) => (await opened.server.admin.get<T>(path)).body;
  const read = (id: string) => get<Interaction>(`/v1/interactions/${id}`);
  const inSession = (path: string, body?: unknown) =>
    opened.server.admin.as(undefined).call<Interaction & { code?: string }>(path, {
      headers: { ...header, cookie: storedPeople().dana.cookie },
      ...(body === undefined ? {} : { body }),
    });
  const values = { decision: 'allow' };

  test('[S10][PE26] its people have their roles, groups, deputies and passkeys', async () => {
    const { dana, erik, auditor } = storedPeople();
    const { data: people } = await get<Page<Person>>('/v1/people');
    const shown = people.map(({ name, status, roles, groups }) => [name, status, roles, groups]);
    expect(shown).toEqual([
      ['Mia', 'invited', ['admin'], ['ops']],
      ['Dana', 'active', ['member'], ['ops']],
      ['Erik', 'active', ['member'], ['ops']],
      ['Aline', 'active', ['auditor'], []],
    ]);
    const [, second, third, fourth] = people;
    expect([second?.id, third?.id, fourth?.id]).toEqual([dana.id, erik, auditor]);
    expect(third?.deputy).toMatchObject({ personId: dana.id });
    expect(second?.passkeys).toMatchObject([{ name: 'A key' }]);
    expect((await get<Page<Group>>('/v1/groups')).data).toMatchObject([{ id: 'ops', name: 'On call' }]);
  });

  test('[S10][PE97] its identity providers and their secrets are stored', async () => {
    expect((await get<Page<IdentityProvider>>('/v1/identity-providers')).data).toMatchObject([
      { id: 'acme', clientId: 'holdpoint', hasSecret: true, roles: { boss: 'admin' } },
    ]);
  });

  test('[S10][CO4] its sessions continue', async () => {
    const { dana } = storedPeople();
    expect((await inSession('/v1/me')).body).toMatchObject({ person: { id: dana.id } });
    const { data: sessions } = await get<Page<PersonSession>>(`/v1/people/${dana.id}/sessions`);
    expect(sessions).toMatchObject([{ via: 'link' }]);
  });

  test('[S10][PE40] its admin log has every change, with its actor', async () => {
    const { data: events } = await get<Page<AdminEvent>>('/v1/admin-events?limit=200');
    const types = new Set(events.map(({ type }) => type));
    for (const type of ['person.invited', 'person.updated', 'passkey.added', 'provider.created', 'session.started'])
      expect(types).toContain(type);
    for (const { actor } of events) expect(actor).toMatchObject({ via: expect.stringMatching(/^(key|link|local)$/) });
  });

  test('[S10][PE60] a claimed question is for the person who claimed it', async () => {
    const { claimed, dana, erik } = storedPeople();
    expect((await read(claimed)).claim?.by).toMatchObject({ id: dana.id });
    const responder = { type: 'human', id: erik };
    const refused = await opened.server.admin.post(`/v1/interactions/${claimed}/answers`, { values, responder });
    expect(refused.status).toBe(409);
    const { status, body } = await inSession(`/v1/interactions/${claimed}/answers`, { values });
    expect({ status, by: body.answer?.by }).toMatchObject({ status: 200, by: { id: dana.id, via: 'link' } });
  });

  test('[S10][PE54] a quorum counts the vote of the person who voted, once', async () => {
    const { voted, dana, erik } = storedPeople();
    expect((await read(voted)).votes).toMatchObject([{ by: { id: dana.id, via: 'link', name: 'Dana' } }]);
    expect((await inSession(`/v1/interactions/${voted}/answers`, { values })).status).toBe(409);
    const responder = { type: 'human', id: erik };
    const { body } = await opened.server.admin.post<Interaction>(`/v1/interactions/${voted}/answers`, {
      ...{ values, responder },
    });
    expect(body).toMatchObject({ status: 'answered', votes: [{ by: { id: dana.id } }, { by: { id: erik } }] });
  });

  test('[S10][PE55] an answer of a deputy names both people', async () => {
    const { onBehalf, dana, erik } = storedPeople();
    expect((await read(onBehalf)).answer?.by).toMatchObject({ id: dana.id, name: 'Dana', onBehalfOf: erik });
  });

  test('[S10][PE147] a signed answer verifies with the passkey of its person, and not when it was changed', async () => {
    const { signed, dana } = storedPeople();
    const interaction = await read(signed);
    const { passkeys } = await get<Person>(`/v1/people/${dana.id}`);
    const isGenuine = (answered: Interaction) =>
      verifyAnswer(answered, { passkeys: passkeys.map((passkey) => ({ ...passkey, personId: dana.id })) });
    expect(await isGenuine(interaction)).toBe(true);
    const declined = { ...interaction, answer: { ...interaction.answer, values: { decision: 'deny' } } };
    expect(await isGenuine(declined as Interaction)).toBe(false);
  });
});
