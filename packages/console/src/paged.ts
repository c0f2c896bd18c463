/** A list of the server that is loaded a page at a time. */

import type { Page } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { type Loaded, useLoad } from './load.ts';

export interface Paged<T> extends Loaded<T[]> {
  /** There is more; absent on the last page. */
  more?: () => void;
}

export function usePaged<T>(load: (cursor?: string) => Promise<Page<T>>, inputs: readonly unknown[]): Paged<T> {
  const [pages, setPages] = useState(1);
  const loaded = useLoad(
    async () => {
      const items: T[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < pages; page += 1) {
        const { data, next } = await load(cursor);
        items.push(...data);
        cursor = next;
        if (cursor === undefined) break;
      }
      return { items, hasMore: cursor !== undefined };
    },
    [...inputs, pages],
    inputs,
  );
  const { data, ...rest } = loaded;
  return { ...rest, data: data?.items, ...defined({ more: data?.hasMore ? () => setPages(pages + 1) : undefined }) };
}
