import type { Interaction, Overview } from '@holdpoint/protocol';
import { afterAll, expect, test } from 'vitest';
import { startSpecServer } from '../openapi/spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const overview = async (client = admin, query = '') => (await client.get<Overview>(`/v1/overview${query}`)).body;
const total = ({ buckets }: Overview) => {
  const sum = { created: 0, answered: 0, declined: 0, expired: 0, cancelled: 0 };
  for (const bucket of buckets) for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += bucket[name];
  return sum;
};

test('[C3][C4] what was asked is summed up with what came of it, and how much waits since when', async () => {
  const org = await admin.withOrg('summed');
  const none = await overview(org);
  expect(none).toMatchObject({ pending: 0, hours: 24, isPartial: false });
  expect(none).not.toHaveProperty('oldestPendingAt');
  expect(none.buckets).toHaveLength(24);
  expect(total(none)).toEqual({ created: 0, answered: 0, declined: 0, expired: 0, cancelled: 0 });

  const asked: Interaction[] = [];
  const deadline = { at: new Date(server.clock.now() + 3_600_000).toISOString(), outcome: 'expire' };
  for (let n = 0; n < 6; n++) asked.push(await org.ask(n === 4 ? { deadline } : {}));
  const idOf = (n: number) => asked[n]?.id ?? '';
  // An hour and a half later.
  server.clock.offsetMs = 5_400_000;
  try {
    await org.answer(idOf(1));
    await org.made(`/v1/interactions/${idOf(2)}/decline`, { responder: { type: 'human', id: 'mia' } });
    await org.made(`/v1/interactions/${idOf(3)}/cancel`);
    await expect
      .poll(async () => (await org.get<Interaction>(`/v1/interactions/${idOf(4)}`)).body.status)
      .toBe('expired');
    const summed = await overview(org);
    expect(summed).toMatchObject({ pending: 2, oldestPendingAt: asked[0]?.createdAt });
    expect(total(summed)).toEqual({ created: 6, answered: 1, declined: 1, expired: 1, cancelled: 1 });
    const [filled, ...others] = summed.buckets.filter(({ created }) => created > 0);
    expect(others.length).toBeLessThanOrEqual(1);
    expect(filled?.medianWaitMs).toBeGreaterThanOrEqual(5_400_000);
    expect(filled?.medianWaitMs).toBeLessThan(5_500_000);
    expect(total(await overview(org, '?hours=1'))).toMatchObject({ created: 0 });
    expect(total(await overview(org, '?hours=720'))).toMatchObject({ created: 6 });
    // Older than it was asked for, and waiting all the same.
    expect(await overview(org, '?hours=1')).toMatchObject({ hours: 1, pending: 2 });
  } finally {
    server.clock.offsetMs = 0;
  }
});

test('[C3] what a grant has answered has not waited for anybody', async () => {
  const org = await admin.withOrg('granted');
  const question = {
    kind: 'approval',
    options: [
      { value: 'always', label: 'Always', kind: 'allow_always' },
      { value: 'no', label: 'No', kind: 'reject_once' },
    ],
    grant: { key: 'deploy', scope: 'org' },
  };
  const { id } = await org.ask(question);
  await org.answer(id, { decision: 'always' });
  const waited = (await overview(org)).buckets.find(({ created }) => created > 0)?.medianWaitMs;
  server.clock.offsetMs = 60_000;
  try {
    for (let n = 0; n < 5; n++) expect((await org.ask(question)).status).toBe('answered');
    const { buckets } = await overview(org);
    const filled = buckets.filter(({ created }) => created > 0);
    expect(filled.map(({ answered }) => answered).reduce((a, b) => a + b)).toBe(6);
    expect(filled[0]?.medianWaitMs).toBe(waited);
  } finally {
    server.clock.offsetMs = 0;
  }
});

test('[C3] it is for keys of either role, and of the org alone', async () => {
  const org = await admin.withOrg('apart');
  const { id } = await org.ask();
  expect(total(await overview(await org.withKey()))).toMatchObject({ created: 1 });
  expect(total(await overview(await admin.withOrg('another')))).toMatchObject({ created: 0 });
  const ada = await org.withToken({ interactionId: id });
  expect(await ada.get('/v1/overview')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
});

test.each(['0', '721', '1.5', 'x', '-1', ''])('[C3] hours=%s are refused', async (hours) => {
  const refused = await admin.get(`/v1/overview?hours=${hours}`);
  expect(refused).toMatchObject({
    status: 400,
    body: { code: 'invalid-input', errors: [{ pointer: '/query/hours' }] },
  });
});
