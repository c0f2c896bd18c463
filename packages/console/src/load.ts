/** Loads data for a page: one value, a list page by page, or again at an interval. */

import { defined, type Page } from '@holdpoint/protocol';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<T> {
  data: T | undefined;
  error: unknown;
  isLoading: boolean;
  reload(): void;
}

interface State<T> {
  data: T | undefined;
  error: unknown;
  isLoading: boolean;
  /** Identifies the record that `data` belongs to. */
  of: string | undefined;
}

/**
 * `inputs`: everything `load` depends on. `of`: the inputs that identify the record (default: all). When only the
 * others change, the current data stays visible while loading.
 */
export function useLoad<T>(load: () => Promise<T>, inputs: readonly unknown[], of = inputs): Loaded<T> {
  const [state, setState] = useState<State<T>>({ data: undefined, error: undefined, isLoading: true, of: undefined });
  const latest = useRef(0);
  const thing = JSON.stringify(of);
  const run = useCallback(() => {
    latest.current += 1;
    const turn = latest.current;
    const settle = (next: (before: State<T>) => State<T>) => {
      if (turn === latest.current) setState(next);
    };
    setState((before) => ({ ...before, isLoading: true }));
    load().then(
      (data) => settle(() => ({ data, error: undefined, isLoading: false, of: thing })),
      (error: unknown) =>
        settle((before) => ({
          data: before.of === thing ? before.data : undefined,
          error,
          isLoading: false,
          of: thing,
        })),
    );
  }, [JSON.stringify(inputs)]);
  useEffect(() => {
    run();
    return () => {
      latest.current += 1;
    };
  }, [run]);
  // Never shows the data of another record.
  const isOfOther = state.of !== undefined && state.of !== thing;
  return {
    data: isOfOther ? undefined : state.data,
    error: isOfOther ? undefined : state.error,
    isLoading: state.isLoading || isOfOther,
    reload: run,
  };
}

export interface Paged<T> extends Loaded<T[]> {
  /** Loads the next page. Undefined on the last page. */
  more?: () => void;
}

/** Loads a list page by page. */
export function usePaged<T>(
  load: (page: { cursor?: string }) => Promise<Page<T>>,
  inputs: readonly unknown[],
): Paged<T> {
  const [pages, setPages] = useState(1);
  const loaded = useLoad(
    async () => {
      const items: T[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < pages; page += 1) {
        const { data, next } = await load(defined({ cursor }));
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

/** Calls `act` at an interval while the tab is visible, and when it becomes visible. */
export function useEvery(ms: number, act: () => void): void {
  useEffect(() => {
    const look = () => {
      if (!document.hidden) act();
    };
    const timer = setInterval(look, ms);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [ms, act]);
}
