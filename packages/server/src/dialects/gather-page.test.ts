import { expect, test } from 'vitest';
import { gatherPage } from './gather-page.ts';

test('[L20] short and empty pages are gone on from until the page is full, and the offset is given once', async () => {
  const asked: object[] = [];
  const pages = [{ data: [], next: 'a~7' }, { data: [1, 2], next: 'b' }, { data: [3], next: 'c' }, { data: [9] }];
  const read = async (from: object) => {
    asked.push(from);
    return pages[asked.length - 1] ?? { data: [] };
  };
  expect(await gatherPage<number>(read, () => true, { limit: 3, offset: 9 })).toEqual({ data: [1, 2, 3], next: 'c' });
  expect(asked).toEqual([
    { limit: 3, offset: 9 },
    { limit: 3, cursor: 'a~7' },
    { limit: 1, cursor: 'b' },
  ]);
});

test('[L20] a page is not filled with more than a few megabytes of large records, and says where it goes on', async () => {
  let reads = 0;
  const read = async () => ({ data: ['x'.repeat(3 * 1_048_576)], next: String(++reads) });
  const { data, next } = await gatherPage<string>(read, () => true, { limit: 50 });
  expect(data).toHaveLength(2);
  expect(next).toBe('2');
});
