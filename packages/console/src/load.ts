/** Hooks that load data for a page, load it again at an interval, and follow events of the browser. */
import { defined, type Page } from '@holdpoint/protocol';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<T> {
  data: T | undefined;
  error: unknown;
  isLoading: boolean;
  reload(): void;
}

interface State<T> extends Omit<Loaded<T>, 'reload'> {
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
    const settle = (next: (before: State<T>) => Pick<State<T>, 'data' | 'error'>) => {
      if (turn === latest.current) setState((before) => ({ ...next(before), isLoading: false, of: thing }));
    };
    setState((before) => ({ ...before, isLoading: true }));
    load().then(
      (data) => settle(() => ({ data, error: undefined })),
      (error: unknown) => settle((before) => ({ data: before.of === thing ? before.data : undefined, error })),
    );
  }, [JSON.stringify(inputs)]);
  useEffect(() => {
    run();
    return () => {
      latest.current += 1;
    };
  }, [run]);
  // Never shows the data of another record.
  const { of: shown, ...current } = state;
  if (shown === undefined || shown === thing) return { ...current, reload: run };
  return { data: undefined, error: undefined, isLoading: true, reload: run };
}

/** Reads a list page by page. */
export async function* pagesOf<T>(load: (page: { cursor?: string }) => Promise<Page<T>>): AsyncGenerator<Page<T>> {
  let cursor: string | undefined;
  do {
    const page = await load(defined({ cursor }));
    yield page;
    cursor = page.next;
  } while (cursor);
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
  const { data, ...rest } = useLoad(
    async () => {
      const items: T[] = [];
      let count = 0;
      for await (const { data, next } of pagesOf(load)) {
        items.push(...data);
        count += 1;
        if (count === pages) return { items, hasMore: next !== undefined };
      }
      return { items, hasMore: false };
    },
    [...inputs, pages],
    inputs,
  );
  return { ...rest, data: data?.items, ...defined({ more: data?.hasMore ? () => setPages(pages + 1) : undefined }) };
}

/** Calls `act` at an interval while the tab is visible, and when it becomes visible. */
export function useEvery(ms: number, act: () => void): void {
  const look = () => {
    if (!document.hidden) act();
  };
  useEvents(document, ['visibilitychange'], look);
  useEffect(() => {
    const timer = setInterval(look, ms);
    return () => clearInterval(timer);
  }, [ms, act]);
}

/** Calls the listener of the last render for each event. */
export function useEvents<T extends Event>(
  target: EventTarget,
  types: readonly string[],
  listener: (event: T) => void,
): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    const listen = (event: Event) => latest.current(event as T);
    for (const type of types) target.addEventListener(type, listen);
    return () => {
      for (const type of types) target.removeEventListener(type, listen);
    };
  }, []);
}
