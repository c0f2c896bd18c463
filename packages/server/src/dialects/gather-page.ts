/**
 * Fills a page of a dialect from several native pages, which may be short (L20) or hold records that the dialect does
 * not show.
 */
import { defined, limits, type Page } from '@holdpoint/protocol';

/** Reads at most this many native pages. A page that is still not full is short and has a cursor. */
const looks = 20;
/**
 * A page of this size is not filled further. The main thread writes it as a whole: 160 MB would block all other calls for
 * more than a second.
 */
const mostBytes = 4 * 1_048_576;

export async function gatherPage<T>(
  read: (from: { cursor?: string; offset?: number; limit: number }) => Promise<Page<T>>,
  isShown: (item: T) => boolean,
  { limit, cursor, offset }: { limit: number; cursor?: string | undefined; offset?: number },
): Promise<Page<T>> {
  const data: T[] = [];
  let next = cursor;
  let bytes = 0;
  for (let look = 0; look < looks && data.length < limit && bytes < mostBytes; look++) {
    const wanted = Math.min(limit - data.length, limits.pageSize);
    const page = await read({ limit: wanted, ...defined({ cursor: next, offset: look > 0 ? undefined : offset }) });
    const shown = page.data.filter(isShown);
    data.push(...shown);
    next = page.next;
    if (next === undefined) break;
    // Measures only short pages, because a full one is within the bounds of the store.
    if (page.data.length < wanted) bytes += JSON.stringify(shown).length;
  }
  return { data, ...defined({ next }) };
}
