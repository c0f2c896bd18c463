/** The admin log, over HTTP. */
import type { AdminEvent, AdminEventLines, AdminEventType, Grant, Page } from '@holdpoint/protocol';
import { adminEventTypes } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { type SpecClient, startSpecServer } from '../openapi/spec-server.ts';
import { hostileTexts } from './hostile-names.ts';
import { invite, signedIn } from './person-client.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const read = async (client: SpecClient, query = '') =>
  (await client.get<Page<AdminEvent>>(`/v1/admin-events?limit=200${query}`)).body.data;
const typesOf = (events: readonly AdminEvent[]): AdminEventType[] => events.map(({ type }) => type);
const oneOption = { value: 'always', label: 'Always', kind: 'allow_always' };

describe('recording', () => {
  test('[PE40] every change of people, groups, keys, webhooks, grants and settings is recorded once', async () => {
    const own = await admin.withOrg('log-everything');
    const before = await read(own);
    const person = await invite(own, { name: 'Ann', email: 'ann@example.com' });
    const path = `/v1/people/${person.id}`;
    await own.patch(path, { name: 'Ann Lee' });
    await own.patch(path, { name: 'Ann Lee' });
    await own.patch(path, { status: 'deactivated' });
    await own.patch(path, { status: 'deactivated' });
    await own.patch(path, { status: 'active', roles: ['auditor'] });
    await own.made('/v1/groups', { id: 'ops', name: 'Operations' });
    await own.patch('/v1/groups/ops', { name: 'Operators' });
    for (let again = 0; again < 2; again++) await own.made('/v1/groups/ops/members', { personId: person.id });
    for (let again = 0; again < 2; again++) await own.call(`/v1/groups/ops/members/${person.id}`, { method: 'DELETE' });
    await own.call('/v1/groups/ops', { method: 'DELETE' });
    const { keyId } = await own.withKey();
    await own.patch(`/v1/keys/${keyId}`, { name: 'ci' });
    for (let again = 0; again < 2; again++) await own.made(`/v1/keys/${keyId}/revoke`);
    const hook = await own.made<{ id: string }>('/v1/webhooks', { url: 'http://127.0.0.1:9/T0/secret-path' });
    await own.patch(`/v1/webhooks/${hook.id}`, { headers: { authorization: 'Bearer secret-header' } });
    await own.made(`/v1/webhooks/${hook.id}/rotate-secret`, { secret: `whsec_${btoa('secret-secret-secret-secret')}` });
    await own.call(`/v1/webhooks/${hook.id}`, { method: 'DELETE' });
    const asked = await own.ask({ kind: 'approval', options: [oneOption], grant: { key: 'k', scope: 'thread' } });
    await own.answer(asked.id, { decision: 'always' });
    const [grant] = (await own.get<Page<Grant>>('/v1/grants')).body.data;
    await own.made(`/v1/grants/${grant?.id}/revoke`);
    for (let again = 0; again < 2; again++) await own.patch('/v1/dispatch', { mode: 'sequential' });
    await own.withToken({ inbox: true, responderId: 'crew-7' });
    const events = await read(own);
    const fresh = events.slice(0, events.length - before.length).toReversed();
    expect(typesOf(fresh)).toEqual([
      ...['person.invited', 'sign-in-link.created', 'person.updated', 'person.deactivated', 'person.reactivated'],
      ...['group.created', 'group.updated', 'group.member-added', 'group.member-removed', 'group.deleted'],
      ...['key.created', 'key.updated', 'key.revoked'],
      ...['webhook.created', 'webhook.updated', 'webhook.secret-rotated', 'webhook.deleted'],
      ...['grant.revoked', 'dispatch.updated', 'token.created'],
    ]);
    expect(fresh[0]).toMatchObject({
      ...{ subject: { type: 'person', id: person.id, name: 'Ann' } },
      data: { email: 'ann@example.com', roles: ['member'], groups: [] },
      actor: { type: 'agent', via: 'key', keyId: expect.any(String) },
    });
    expect(fresh[4]?.data).toEqual({ changed: { status: 'invited', roles: ['auditor'] } });
    const text = JSON.stringify(events);
    for (const secret of ['secret-path', 'secret-header', 'whsec_', person.invitation?.url.split('/').at(-1) ?? '?'])
      expect(text).not.toContain(secret);
  });

  test('[PE40] an event names the person who acted, and how they signed in', async () => {
    const boss = await signedIn(admin, { roles: ['admin'] });
    const other = await invite(boss);
    const [event] = await read(admin, `&subjectId=${other.id}&type=person.invited`);
    expect(event?.actor).toMatchObject({ type: 'human', id: boss.person.id, name: boss.person.name, via: 'link' });
  });

  test('[PE41] a refused change is not recorded', async () => {
    const own = await admin.withOrg('log-refused');
    const boss = await signedIn(own, { roles: ['admin'] });
    const before = await read(own);
    await own.post('/v1/people', { name: 'Twice', email: boss.person.email });
    await own.patch(`/v1/people/${boss.person.id}`, { status: 'deactivated' });
    await own.post('/v1/groups', { id: 'ops', name: ' ' });
    await own.post('/v1/webhooks', { url: 'nonsense' });
    expect(await read(own)).toEqual(before);
  });

  test('[PE41] a repeated call is recorded once', async () => {
    const own = await admin.withOrg('log-repeated');
    const before = (await read(own)).length;
    for (let again = 0; again < 3; again++) await own.post('/v1/groups', { id: 'ops' }, { 'idempotency-key': 'once' });
    expect(await read(own)).toHaveLength(before + 1);
  });

  test('[PE41] a new org is recorded in the org of the operators', async () => {
    await admin.withOrg('log-new-org');
    const [event] = await read(admin, '&subjectId=log-new-org');
    expect(event).toMatchObject({ type: 'org.created', subject: { type: 'org', id: 'log-new-org' } });
  });

  test.each(hostileTexts)('[PE41] the name %j is recorded as it is', async (name) => {
    const person = await invite(admin, { name });
    const events = await read(admin, `&subjectId=${person.id}&type=person.invited`);
    expect(events.map(({ subject }) => subject?.name)).toEqual([name.trim()]);
  });
});

describe('reading', () => {
  test('[PE42] admins and auditors read it; members, agents and tokens do not', async () => {
    const auditor = await signedIn(admin, { roles: ['auditor'] });
    const boss = await signedIn(admin, { roles: ['admin'] });
    for (const client of [admin, auditor, boss]) {
      expect((await client.get('/v1/admin-events')).status).toBe(200);
      expect((await client.post('/v1/admin-events/export')).status).toBe(200);
    }
    const others = [await signedIn(admin), await admin.withKey(), await admin.withToken({ inbox: true })];
    for (const client of others) {
      expect(await client.get('/v1/admin-events')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(await client.post('/v1/admin-events/export')).toMatchObject({ status: 403 });
    }
  });

  test('[PE42] another org has another log, and no stream has the events', async () => {
    const other = await admin.withOrg('log-elsewhere');
    const person = await invite(admin);
    expect(await read(other, `&subjectId=${person.id}`)).toEqual([]);
    expect(await read(other)).toEqual([]);
    const stream = await fetch(`${server.url}/v1/events?after=start`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    const { value = new Uint8Array() } = (await stream.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).not.toMatch(/person\.|key\.created/);
  });

  test('[PE43] the newest is first, page by page, also while new events come', async () => {
    const own = await admin.withOrg('log-pages');
    for (let n = 0; n < 12; n++) await own.made('/v1/groups', { id: `g${n}` });
    const all = await read(own);
    expect(all.map(({ subject }) => subject?.id)).toEqual(Array.from({ length: 12 }, (_, n) => `g${11 - n}`));
    const found: AdminEvent[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await own.get<Page<AdminEvent>>(`/v1/admin-events?limit=5${cursor}`);
      found.push(...body.data);
      if (body.next === undefined) break;
      cursor = `&cursor=${body.next}`;
      await own.made('/v1/groups', { id: `new-${found.length}` });
    }
    expect(found).toEqual(all);
  });

  test('[PE43] events are filtered by type, actor, subject and time', async () => {
    const own = await admin.withOrg('log-filters');
    const boss = await signedIn(own, { roles: ['admin'] });
    await boss.made('/v1/groups', { id: 'one' });
    await own.made('/v1/groups', { id: 'two' });
    const all = await read(own);
    const matching = (isWanted: (event: AdminEvent) => boolean) => all.filter(isWanted);
    expect(await read(own, '&type=group.created')).toEqual(matching(({ type }) => type === 'group.created'));
    expect(await read(own, `&actorId=${boss.person.id}`)).toEqual(matching(({ actor }) => actor.id === boss.person.id));
    expect(await read(own, '&subjectId=one')).toEqual(matching(({ subject }) => subject?.id === 'one'));
    expect(await read(own, '&subjectId=one&type=group.deleted')).toEqual([]);
    for (const { at } of all) {
      expect(await read(own, `&from=${at}`)).toEqual(matching((event) => event.at >= at));
      expect(await read(own, `&until=${at}`)).toEqual(matching((event) => event.at < at));
    }
    for (const [query, pointer] of [
      ['from=yesterday', '/query/from'],
      ['until=2030-02-30T00:00:00Z', '/query/until'],
      ['type=person.eaten', '/query/type'],
    ] as const)
      expect(await own.get(`/v1/admin-events?${query}`)).toMatchObject({
        status: 400,
        body: { errors: [{ pointer }] },
      });
    for (const cursor of ['zzz', '%00', '0', "';--"])
      expect([200, 400]).toContain((await own.get(`/v1/admin-events?cursor=${cursor}`)).status);
    expect(new Set(typesOf(all)).size).toBeLessThan(adminEventTypes.length);
  });

  test('[PE44] an export is lines of JSON, in pages, and is recorded itself', async () => {
    const own = await admin.withOrg('log-export');
    const auditor = await signedIn(own, { roles: ['auditor'] });
    for (let n = 0; n < 7; n++) await own.made('/v1/groups', { id: `g${n}` });
    const until = new Date(server.clock.now() + 1).toISOString();
    await expect.poll(() => new Date(server.clock.now()).toISOString() > until).toBe(true);
    const listed = await read(own, `&until=${until}`);
    let lines = '';
    let pages = 0;
    for (let cursor: string | undefined; ; ) {
      const { body } = await auditor.post<AdminEventLines>('/v1/admin-events/export', {
        ...{ until, limit: 4 },
        ...(cursor === undefined ? {} : { cursor }),
      });
      lines += body.lines;
      pages++;
      if (body.next === undefined) break;
      cursor = body.next;
    }
    expect(pages).toBeGreaterThan(1);
    expect(
      lines
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    ).toEqual(listed);
    expect(lines.endsWith('\n')).toBe(true);
    const exports = await read(own, '&type=export.created');
    expect(exports).toEqual([
      expect.objectContaining({ actor: expect.objectContaining({ id: auditor.person.id }), data: { until } }),
    ]);
  });

  test('[PE45] a search through many events is bounded, and continues', async () => {
    const own = await admin.withOrg('log-bounded');
    const wanted = await invite(own);
    const others = Array.from({ length: 2_100 }, (_, n) => `r${n}`);
    for (let from = 0; from < others.length; from += 100)
      await Promise.all(
        others.slice(from, from + 100).map((responderId) => own.withToken({ inbox: true, responderId })),
      );
    const query = `/v1/admin-events?subjectId=${wanted.id}&type=person.invited`;
    const first = await own.get<Page<AdminEvent>>(query);
    expect(first.body).toMatchObject({ data: [], next: expect.any(String) });
    const second = await own.get<Page<AdminEvent>>(`${query}&cursor=${first.body.next}`);
    expect(typesOf(second.body.data)).toEqual(['person.invited']);
    expect(second.body.next).toBeUndefined();
  });
});
