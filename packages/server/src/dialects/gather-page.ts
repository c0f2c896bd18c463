/** A page of what a dialect shows, out of pages of ours that hold other things as well. */
import type { Page } from '@holdpoint/protocol';

/** So often it looks further for a page that is not full; then the page is short, and says where it goes on. */
const looks = 20;

export async function gatherPage<T>(
  read: (from: { cursor?: string; limit: number }) => Promise<Page<T>>,
  isShown: (item: T) => boolean,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<T>> {
  const data: T[] = [];
  let next = cursor;
  for (let look = 0; look < looks && data.length < limit; look++) {
    const page = await read({ limit: limit - data.length, ...(next === undefined ? {} : { cursor: next }) });
    data.push(...page.data.filter(isShown));
    next = page.next;
    if (next === undefined) break;
  }
  return { data, ...(next === undefined ? {} : { next }) };
}
