import { expect, test } from 'vitest';
import { type Address, fewLookups } from './few-lookups.ts';

/** Names that are answered when the test says so. */
function setUp() {
  const asked: string[] = [];
  const answers = new Map<string, PromiseWithResolvers<Address[]>>();
  const resolve = fewLookups((host) => {
    asked.push(host);
    const answer = Promise.withResolvers<Address[]>();
    answers.set(host, answer);
    return answer.promise;
  });
  return { asked, answers, resolve };
}

const at = (address: string): Address[] => [{ address, family: 4 }];
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('[WH9] a name that is asked for many times at once is looked up once', async () => {
  const { asked, answers, resolve } = setUp();
  const all = Promise.all(Array.from({ length: 64 }, () => resolve('slow')));
  expect(asked).toEqual(['slow']);
  answers.get('slow')?.resolve(at('192.0.2.1'));
  expect(new Set(await all)).toEqual(new Set([at('192.0.2.1')]));
  void resolve('slow');
  expect(asked).toEqual(['slow', 'slow']);
});

test('[WH9] three names are looked up at a time, the others in turn, also after one that fails', async () => {
  const { asked, answers, resolve } = setUp();
  const found = ['a', 'b', 'c', 'd', 'e'].map((host) => resolve(host).catch((error: Error) => error.message));
  await turn();
  expect(asked).toEqual(['a', 'b', 'c']);
  answers.get('b')?.reject(new Error('no such host'));
  await turn();
  expect(asked).toEqual(['a', 'b', 'c', 'd']);
  answers.get('a')?.resolve([]);
  await turn();
  for (const host of ['c', 'd', 'e']) answers.get(host)?.resolve(at(`192.0.2.${host.charCodeAt(0)}`));
  expect(await Promise.all(found)).toEqual([
    [],
    'no such host',
    at('192.0.2.99'),
    at('192.0.2.100'),
    at('192.0.2.101'),
  ]);
});
