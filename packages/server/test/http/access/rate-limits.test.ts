import { describe, expect, test } from 'vitest';
import type { Caller } from '../../../src/domain/caller.ts';
import { rateLimiter } from '../../../src/http/admission/rate-limit.ts';
import { Client } from '../../client.ts';
import { startSpecServer } from '../openapi/spec-server.ts';

describe('over HTTP', () => {
  test('[X7] beyond the limit of a key comes 429 with Retry-After, for that key alone', async () => {
    await using server = await startSpecServer({ keyRateLimit: 1 });
    const { admin } = server;
    const one = await admin.withKey();
    const two = await admin.withKey();
    const replies = await Promise.all(Array.from({ length: 30 }, () => one.get('/v1/threads')));
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const reply of refused) {
      expect(reply.body).toMatchObject({ code: 'rate-limited', retryable: true });
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect((await two.get('/v1/threads')).status).toBe(200);
  });

  test('[X7] a refused call changes nothing', async () => {
    await using server = await startSpecServer({ keyRateLimit: 1 });
    const { admin } = server;
    const key = await admin.withKey();
    const replies = await Promise.all(Array.from({ length: 30 }, () => key.post('/v1/threads')));
    const done = replies.filter(({ status }) => status === 201).length;
    expect(done).toBeLessThan(30);
    const text = await (await fetch(`${server.url}/metrics`)).text();
    expect(text).toContain(`holdpoint_events_total{type="thread.created"} ${done}`);
  });

  test('[X7] a responder is limited from the start, a key is not, and two tokens of one person count together', async () => {
    await using server = await startSpecServer();
    const { admin } = server;
    const { id: threadId } = await admin.newThread();
    const ada = [await admin.withToken({ threadId }), await admin.withToken({ threadId })];
    const bob = await admin.withToken({ threadId, responderId: 'bob' });
    const call = (client: typeof bob) => client.get(`/v1/threads/${threadId}`).then(({ status }) => status);
    const statuses = await Promise.all(Array.from({ length: 400 }, (_, i) => call(ada[i % 2] ?? bob)));
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(await call(bob)).toBe(200);
    expect(new Set(await Promise.all(Array.from({ length: 400 }, () => call(admin))))).toEqual(new Set([200]));
  });
});

describe('sessions', () => {
  test('[PK6] sessions beyond the limit of one address get 429 with Retry-After, in both protocols', async () => {
    await using server = await startSpecServer();
    const { admin } = server;
    const settings = { agent: 'helper', allowedOrigins: ['*'] };
    const { publicKey } = await admin.made<{ publicKey: string }>('/v1/keys', {
      ...{ name: 'a page', role: 'public', public: settings },
    });
    const nobody = new Client(server.url, undefined);
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => nobody.post('/api/public/v1/chat/sessions', { publicKey })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    for (const { status, body, headers } of replies.filter((reply) => reply.status !== 201)) {
      expect({ status, body }).toMatchObject({ status: 429, body: { error: 'rate_limited' } });
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    const native = await admin.as(publicKey).post('/v1/sessions');
    expect(native).toMatchObject({ status: 429, body: { code: 'rate-limited' } });
  });
});

describe('the bucket', () => {
  const key = (keyId: string): Caller => ({ kind: 'key', orgId: 'default', keyId, role: 'agent' });
  const isLimited = (limit: ReturnType<typeof rateLimiter>, caller: Caller, address = '::1'): boolean => {
    try {
      limit(caller, address);
      return false;
    } catch {
      return true;
    }
  };

  test('[X7] a burst of five seconds passes, then the rate, and a pause fills it again', () => {
    let now = 0;
    const limit = rateLimiter({ keyRateLimit: 2 }, () => now);
    const passed = (n: number) =>
      Array.from({ length: n }, () => isLimited(limit, key('a'))).filter((no) => !no).length;
    expect(passed(20)).toBe(10);
    now += 500;
    expect(passed(20)).toBe(1);
    now += 60_000;
    expect(passed(20)).toBe(10);
    expect(isLimited(limit, key('b'))).toBe(false);
  });

  test('[PK6] a public key has a limit of sessions for one address, and one for all addresses', () => {
    let now = 0;
    const limit = rateLimiter({ sessionRateLimit: 10 }, () => now);
    const page: Caller = { kind: 'key', orgId: 'default', keyId: 'a', role: 'public' };
    const opened = (n: number, address: (i: number) => string, caller = page) =>
      Array.from({ length: n }, (_, i) => isLimited(limit, caller, address(i))).filter((no) => !no).length;
    expect(opened(50, () => '10.0.0.1')).toBe(10);
    expect(opened(50, () => '10.0.0.2')).toBe(10);
    now += 6_000;
    expect(opened(50, () => '10.0.0.1')).toBe(1);
    expect(opened(500, (i) => `10.0.1.${i}`)).toBe(99);
    expect(opened(50, () => '10.0.0.1', { ...page, keyId: 'b' })).toBe(10);
  });

  test('[X7] with too many buckets only the least recently used one is dropped', () => {
    const limit = rateLimiter({ keyRateLimit: 1 }, () => 0);
    const drain = (keyId: string) => {
      for (let i = 0; i < 5; i++) expect(isLimited(limit, key(keyId))).toBe(false);
    };
    drain('idle');
    drain('busy');
    for (let i = 0; i < 99_999; i++) limit(key(`other ${i}`), '');
    expect(isLimited(limit, key('busy'))).toBe(true);
    expect(isLimited(limit, key('idle'))).toBe(false);
  });

  test('[X40] a visitor that claims to be another customer does not use up the limit of that customer', () => {
    const limit = rateLimiter({ responderRateLimit: 2, sessionRateLimit: 10 }, () => 0);
    const session = (threadId: string): Caller => ({
      ...{ kind: 'responder', orgId: 'default', responderId: 'customer:ada' },
      scope: { threadId, isSession: true },
    });
    while (!isLimited(limit, session('attacker'), '10.0.0.1'));
    expect(isLimited(limit, session('ada'), '10.0.0.1')).toBe(false);
    expect(isLimited(limit, session('attacker'), '10.0.0.2')).toBe(true);
  });

  test('[X41] all sessions of one address share the limit of the sessions that it may open in a minute', () => {
    const limit = rateLimiter({ responderRateLimit: 2, sessionRateLimit: 10 }, () => 0);
    const passed = (addressOf: (index: number) => string) =>
      Array.from({ length: 500 }, (_, index): boolean => {
        const scope = { threadId: `${addressOf(index)} ${index}`, isSession: true } as const;
        const invented = { kind: 'responder', orgId: 'default', responderId: `customer:${index}`, scope } as const;
        return isLimited(limit, invented, addressOf(index));
      }).filter((no) => !no).length;
    expect(passed(() => '10.0.0.1')).toBe(100);
    expect(passed((index) => `2001:db8:0:1::${index}`)).toBe(100);
    expect(passed((index) => `10.0.1.${index % 250}`)).toBe(500);
  });

  test('[PK6] the addresses of one IPv6 network open sessions together', () => {
    const limit = rateLimiter({ sessionRateLimit: 10 }, () => 0);
    const page: Caller = { kind: 'key', orgId: 'default', keyId: 'a', role: 'public' };
    const opened = Array.from({ length: 50 }, (_, index) => isLimited(limit, page, `2001:db8:0:1::${index}`));
    expect(opened.filter((no) => !no)).toHaveLength(10);
  });

  test('[X7] without a limit every call passes', () => {
    const limit = rateLimiter({}, () => 0);
    for (let i = 0; i < 1_000; i++) expect(isLimited(limit, key('a'))).toBe(false);
  });
});
