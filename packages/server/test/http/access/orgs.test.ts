import { afterAll, describe, expect, test } from 'vitest';
import { startSpecServer } from '../openapi/spec-server.ts';
import { everyCall, makeThings, type Things } from '../requests/every-route.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());
const theirs = await makeThings(admin);
const org = await admin.withOrg('acme');
const never = Object.fromEntries(Object.keys(theirs).map((name) => [name, 'never-was'])) as unknown as Things;

describe('another org', () => {
  const named = everyCall(theirs).filter(({ names }) => names.length > 0);
  test.each(named)('[X2] $method $route: what another org has is not found, as if it never was', async (call) => {
    const nowhere = everyCall(never).find(({ method, route }) => method === call.method && route === call.route);
    if (!nowhere) throw new Error('every route is in the table');
    for (const client of [org, await org.withKey()]) {
      const foreign = await client.call<Record<string, string>>(call.path, call);
      const absent = await client.call<Record<string, string>>(nowhere.path, nowhere);
      if (foreign.status === 403) {
        // Not even the admin of its own org could: an agent key is refused before anything is looked for.
        expect(client).not.toBe(org);
        expect(absent.body).toMatchObject({ code: 'forbidden' });
        continue;
      }
      expect(foreign.status, JSON.stringify(foreign.body)).toBe(404);
      expect(foreign.body.code).toBe(absent.body.code);
      const ids = Object.values(theirs).filter((each) => call.path.includes(each));
      const detail = ids.reduce((text = '', id) => text.replaceAll(id, 'never-was'), foreign.body.detail);
      expect(detail).toBe(absent.body.detail);
    }
  });

  test('[X2] what another org has is in no list, and cannot be named in a query or a body', async () => {
    for (const path of [
      '/v1/threads',
      '/v1/interactions',
      '/v1/grants',
      '/v1/webhooks',
      `/v1/interactions?threadId=${theirs.threadId}`,
    ])
      expect((await org.get(path)).body, path).toEqual({ data: [] });
    const { body: keys } = await org.get<{ data: { id: string }[] }>('/v1/keys');
    expect(keys.data.map(({ id }) => id)).not.toContain(theirs.keyId);
    for (const query of [`threadId=${theirs.threadId}`, `interactionId=${theirs.interactionId}`])
      expect((await org.get(`/v1/events?${query}`)).status, query).toBe(404);
    for (const reach of [{ threadId: theirs.threadId }, { interactionId: theirs.interactionId }])
      expect((await org.post('/v1/responder-tokens', { responderId: 'eve', ...reach })).status).toBe(404);
  });

  test('[X2] the same id may be used in two orgs, and neither sees the other', async () => {
    await admin.newThread({ id: 'same', title: 'ours' });
    await org.newThread({ id: 'same', title: 'theirs' });
    const asked = await org.ask({}, 'same');
    expect((await admin.get('/v1/threads/same')).body).toMatchObject({ title: 'ours' });
    expect((await org.get('/v1/threads/same')).body).toMatchObject({ title: 'theirs' });
    expect((await admin.get('/v1/interactions?threadId=same')).body).toEqual({ data: [] });
    expect((await admin.get(`/v1/interactions/${asked.id}`)).status).toBe(404);
  });

  test('[X2] a grant of another org answers nothing here', async () => {
    const options = [
      { value: 'always', label: 'Always', kind: 'allow_always' },
      { value: 'no', label: 'No', kind: 'reject_once' },
    ];
    const question = { kind: 'approval', options, grant: { key: 'shared', scope: 'org' } };
    await admin.answer((await admin.ask(question)).id, { decision: 'always' });
    expect(await admin.ask(question)).toMatchObject({ status: 'answered' });
    expect(await org.ask(question)).toMatchObject({ status: 'pending' });
  });
});

describe('making orgs', () => {
  test('[X6] only an admin of the org default makes orgs', async () => {
    expect((await org.post('/v1/orgs', { id: 'sub' })).body).toMatchObject({ code: 'forbidden' });
    const agent = await admin.withKey();
    expect((await agent.post('/v1/orgs', { id: 'sub' })).body).toMatchObject({ code: 'forbidden' });
    const second = await admin.withKey('admin');
    expect((await second.post('/v1/orgs', { id: 'sub' })).status).toBe(201);
  });

  test('[X6] an org is made once, and default is there from the beginning', async () => {
    await admin.withOrg('twice');
    for (const id of ['twice', 'default'])
      expect(await admin.post('/v1/orgs', { id })).toMatchObject({ status: 409, body: { code: 'org-exists' } });
  });
});
