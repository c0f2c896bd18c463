import { type Interaction, limits, type Page } from '@holdpoint/protocol';
import { afterAll, expect, test } from 'vitest';
import { startSpecServer } from '../openapi/spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const org = await admin.withOrg('counting');
const asked: Interaction[] = [];
const { id: one } = await org.newThread();
const { id: two } = await org.newThread();
for (let n = 0; n < 9; n++) asked.push(await org.ask({ ...(n % 3 ? {} : { run: { id: 'r' } }) }, n % 2 ? one : two));
await org.answer(asked[0]?.id ?? '');
asked.push(await org.ask({ options: undefined }, one));
const count = async (query = '', client = org) => (await client.get(`/v1/interactions/count${query}`)).body;

test.each([
  ['', 10],
  ['?status=pending', 9],
  ['?status=answered', 1],
  ['?status=expired', 0],
  ['?threadId={one}', 5],
  ['?threadId={two}&status=pending', 4],
  ['?kind=input', 1],
  ['?kind=choice&threadId={one}', 4],
  ['?runId=r', 3],
  ['?runId=r&threadId={one}', 1],
  ['?threadId=never-was', 0],
])('[C1] interactions%s: there are %d', async (query, wanted) => {
  const named = query.replace('{one}', one).replace('{two}', two);
  expect(await count(named)).toEqual({ count: wanted });
  const { body } = await org.get<Page<Interaction>>(`/v1/interactions${named}`);
  expect(body.data).toHaveLength(wanted);
});

test('[C1] a token counts what its thread has, and no more', async () => {
  const ada = await org.withToken({ threadId: one });
  expect(await count('', ada)).toEqual({ count: 5 });
  expect(await count(`?threadId=${one}&kind=input`, ada)).toEqual({ count: 1 });
  expect(await count(`?threadId=${two}`, ada)).toMatchObject({ code: 'thread-not-found' });
  const eve = await org.withToken({ interactionId: asked[1]?.id });
  expect(await count('', eve)).toMatchObject({ code: 'forbidden' });
  expect(await count('', admin)).toEqual({ count: 0 });
});

test.each(['status=done', 'limit=1', 'cursor=x', 'kind=none', 'offset=1'])('[C1] ?%s is refused', async (query) => {
  expect((await org.get(`/v1/interactions/count?${query}`)).status).toBe(400);
});

test('[C2] an offset passes by so many, and the cursor of the page goes on without it', async () => {
  const ids = asked.map(({ id }) => id);
  const list = async (query: string) => {
    const { body } = await org.get<Page<Interaction>>(`/v1/interactions?${query}`);
    return { ids: body.data.map(({ id }) => id), next: body.next };
  };
  const { ids: page, next } = await list('offset=3&limit=2');
  expect(page).toEqual(ids.slice(3, 5));
  expect((await list(`cursor=${next}`)).ids).toEqual(ids.slice(5));
  expect((await list(`cursor=${next}&offset=2`)).ids).toEqual(ids.slice(7));
  expect((await list('order=newest&offset=8')).ids).toEqual(ids.toReversed().slice(8));
  expect((await list(`offset=0&threadId=${one}`)).ids).toHaveLength(5);
  expect((await list(`offset=2&threadId=${one}`)).ids).toEqual((await list(`threadId=${one}`)).ids.slice(2));
  expect(await list(`offset=${limits.counted}`)).toEqual({ ids: [], next: undefined });
  for (const offset of ['-1', `${limits.counted + 1}`, '1.5', 'x', ''])
    expect(await org.get(`/v1/interactions?offset=${offset}`)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/query/offset' }] },
    });
});
