import { expect, test } from 'vitest';
import { type Address, fairLookups } from './fair-lookups.ts';

/** Lookups that end when the test says so, with the test's own clock. */
function setUp() {
  const asked: string[] = [];
  const answers = new Map<string, PromiseWithResolvers<Address[]>>();
  const clock = { now: 0 };
  const resolve = fairLookups(
    (host) => {
      asked.push(host);
      const answer = Promise.withResolvers<Address[]>();
      answers.set(host, answer);
      return answer.promise;
    },
    () => clock.now,
  );
  const failOf = (host: string, orgId: string) => resolve(host, orgId).then(String, (error: Error) => error.message);
  return { asked, answers, clock, resolve, failOf };
}

const at = (address: string): Address[] => [{ address, family: 4 }];
const turn = () => new Promise((resolve) => setImmediate(resolve));
const names = (count: number) => Array.from({ length: count }, (_, index) => `dead${index}`);

test('[WH30] a name that is asked for many times at once is looked up once, also by two orgs', async () => {
  const { asked, answers, resolve } = setUp();
  const all = Promise.all(Array.from({ length: 64 }, (_, index) => resolve('slow', index % 2 ? 'a' : 'b')));
  await turn();
  expect(asked).toEqual(['slow']);
  answers.get('slow')?.resolve(at('192.0.2.1'));
  expect(new Set((await all).flat())).toEqual(new Set(at('192.0.2.1')));
  void resolve('slow', 'a');
  await turn();
  expect(asked).toEqual(['slow', 'slow']);
});

test('[WH30] one org looks up eight names at a time, the others in turn, also after one that fails', async () => {
  const { asked, answers, failOf } = setUp();
  const found = names(10).map((host) => failOf(host, 'a'));
  await turn();
  expect(asked).toEqual(names(8));
  answers.get('dead3')?.reject(new Error('no such host'));
  await turn();
  expect(asked).toEqual(names(9));
  answers.get('dead0')?.resolve([]);
  await turn();
  expect(asked).toEqual(names(10));
  for (const host of names(10)) answers.get(host)?.resolve([]);
  expect((await Promise.all(found))[3]).toBe('no such host');
});

test('[WH30] forty names that are never answered delay no name of another org', async () => {
  const { asked, answers, resolve } = setUp();
  for (const host of names(40)) void resolve(host, 'a');
  const found = resolve('alive', 'b');
  await turn();
  expect(asked).toHaveLength(9);
  expect(asked).toContain('alive');
  answers.get('alive')?.resolve(at('192.0.2.1'));
  expect(await found).toEqual(at('192.0.2.1'));
});

test('[WH30] an org waits for a name in its own turn, not in that of another org that asks for the same name', async () => {
  const { asked, resolve } = setUp();
  for (const host of names(9)) void resolve(host, 'a');
  await turn();
  expect(asked).not.toContain('dead8');
  void resolve('dead8', 'b');
  await turn();
  expect(asked).toContain('dead8');
});

test('[WH30] a name that fails after a second is refused to its org without a lookup for half a minute', async () => {
  const { asked, answers, clock, failOf } = setUp();
  const failing = failOf('dead', 'a');
  await turn();
  clock.now = 5_000;
  answers.get('dead')?.reject(new Error('no answer'));
  expect(await failing).toBe('no answer');
  clock.now = 34_999;
  expect(await failOf('dead', 'a')).toBe('no answer');
  expect(asked).toEqual(['dead']);
  clock.now = 35_000;
  void failOf('dead', 'a');
  await turn();
  expect(asked).toEqual(['dead', 'dead']);
});

test('[WH30] a name that failed for one org is looked up for another', async () => {
  const { asked, answers, clock, failOf, resolve } = setUp();
  const failing = failOf('slow', 'a');
  await turn();
  clock.now = 5_000;
  answers.get('slow')?.reject(new Error('no answer'));
  expect(await failing).toBe('no answer');
  const found = resolve('slow', 'b');
  await turn();
  expect(asked).toEqual(['slow', 'slow']);
  answers.get('slow')?.resolve(at('192.0.2.1'));
  expect(await found).toEqual(at('192.0.2.1'));
  expect(await failOf('slow', 'a')).toBe('no answer');
});

test('[WH30] a name that fails at once is looked up again: it may just have been made', async () => {
  const { asked, answers, failOf } = setUp();
  const failing = failOf('new', 'a');
  await turn();
  answers.get('new')?.reject(new Error('no such host'));
  expect(await failing).toBe('no such host');
  void failOf('new', 'a');
  await turn();
  expect(asked).toEqual(['new', 'new']);
});
