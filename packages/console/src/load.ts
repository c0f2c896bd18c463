/** Hooks that load data for a page, follow it by events, load it again at an interval, and follow the browser. */
import { defined, type LogEvent, type Page } from '@holdpoint/protocol';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type FollowFilter, followEvents } from './service.ts';

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

/** Loads until the page is full. Filters that no index answers give short pages although more items follow. */
export async function fullPage<T>(
  load: (page: { cursor?: string }) => Promise<Page<T>>,
  { cursor }: { cursor?: string },
  size: number,
): Promise<Page<T>> {
  const data: T[] = [];
  let next = cursor;
  do {
    const read = await load(defined({ cursor: next }));
    data.push(...read.data);
    next = read.next;
  } while (next !== undefined && data.length < size);
  return { data, ...defined({ next }) };
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

/** Calls `act` of the last render at an interval while the tab is visible, and when it becomes visible. */
export function useEvery(ms: number, act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  const look = () => {
    if (!document.hidden) latest.current();
  };
  useEvents(document, ['visibilitychange'], look);
  useEffect(() => {
    const timer = setInterval(look, ms);
    return () => clearInterval(timer);
  }, [ms]);
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

type ById<T> = ReadonlyMap<string, T>;

interface Options<T> {
  load(page: { cursor?: string }): Promise<Page<T>>;
  /** Everything `load` depends on. The list starts again when it changes. */
  input: unknown;
  filter: FollowFilter;
  /** Applies an event to the list. */
  onEvent(event: LogEvent, update: (next: (before: ById<T>) => ById<T>) => void): void;
}

/** `data` is undefined until the first page is read. */
export function useLiveList<T extends { id: string }>({ load, input, filter, onEvent }: Options<T>): Paged<T> {
  const [items, setItems] = useState<ById<T>>(new Map());
  const [state, setState] = useState({ isRead: false, isLoading: true, error: undefined as unknown });
  const cursor = useRef<string | undefined>(undefined);
  const turn = useRef(0);

  async function read(from?: string): Promise<void> {
    turn.current += 1;
    const mine = turn.current;
    setState((before) => ({ ...before, isLoading: true }));
    try {
      const { data, next } = await load(defined({ cursor: from }));
      if (mine !== turn.current) return;
      cursor.current = next;
      setItems((before) => new Map([...(from ? before : []), ...data.map((item) => [item.id, item] as const)]));
      setState({ isRead: true, isLoading: false, error: undefined });
    } catch (error) {
      if (mine === turn.current) setState((before) => ({ ...before, isLoading: false, error }));
    }
  }

  useEffect(() => {
    // A page of the last input must not appear in this list.
    turn.current += 1;
    setItems(new Map());
    setState({ isRead: false, isLoading: true, error: undefined });
    return followEvents(
      filter,
      (event) => onEvent(event, setItems),
      () => void read(),
    );
  }, [JSON.stringify(input)]);
  const { isRead, ...rest } = state;
  const more = () => {
    if (!state.isLoading) void read(cursor.current);
  };
  return {
    ...rest,
    data: isRead || items.size > 0 ? [...items.values()] : undefined,
    reload: () => void read(),
    ...defined({ more: cursor.current === undefined ? undefined : more }),
  };
}
