/** A list that loads page by page, newest first, and follows events. */
import { defined, type LogEvent, type Page } from '@holdpoint/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Paged } from './load.ts';
import { type FollowFilter, followEvents } from './service.ts';

export type ById<T> = ReadonlyMap<string, T>;

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
