/** The threads of the org, newest first, loaded page by page. New threads appear on top. */
import type { LogEvent, Thread } from '@holdpoint/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { followEvents, service } from '../service.ts';

export interface Threads {
  threads: readonly Thread[];
  hasMore: boolean;
  isLoading: boolean;
  error: unknown;
  more(): void;
  /** The number of events of a thread since the page opened. */
  stirsOf(threadId: string): number;
}

const pageSize = 100;
const stirring = [
  'thread.created',
  'thread.updated',
  'message.created',
  'message.completed',
  'interaction.created',
  'interaction.answered',
  'interaction.declined',
  'interaction.cancelled',
  'interaction.expired',
] as const;

export function useThreads(): Threads {
  const [threads, setThreads] = useState<ReadonlyMap<string, Thread>>(new Map());
  const [state, setState] = useState({ hasMore: false, isLoading: true, error: undefined as unknown });
  const [stirs, setStirs] = useState<ReadonlyMap<string, number>>(new Map());
  const cursor = useRef<string | undefined>(undefined);
  const isReading = useRef(false);

  async function read(isFirst: boolean): Promise<void> {
    if (isReading.current) return;
    isReading.current = true;
    setState((before) => ({ ...before, isLoading: true }));
    try {
      const from = isFirst || cursor.current === undefined ? {} : { cursor: cursor.current };
      const page = await service.listThreads({ limit: pageSize, ...from });
      cursor.current = page.next;
      setThreads(
        (before) => new Map([...(isFirst ? [] : before), ...page.data.map((each) => [each.id, each] as const)]),
      );
      setState({ hasMore: page.next !== undefined, isLoading: false, error: undefined });
    } catch (error) {
      setState((before) => ({ ...before, isLoading: false, error }));
    }
    isReading.current = false;
  }

  useEffect(() => {
    const stop = new AbortController();
    const take = ({ threadId, type, data }: LogEvent) => {
      const thread = 'thread' in data ? data.thread : undefined;
      if (type === 'thread.created' && thread) setThreads((before) => new Map([[threadId, thread], ...before]));
      if (type === 'thread.updated' && thread)
        setThreads((before) => (before.has(threadId) ? new Map(before).set(threadId, thread) : before));
      setStirs((before) => new Map(before).set(threadId, (before.get(threadId) ?? 0) + 1));
    };
    followEvents(
      { types: stirring },
      (event) => take(event as LogEvent),
      stop.signal,
      () => void read(true),
    );
    return () => stop.abort();
  }, []);
  return {
    ...state,
    threads: [...threads.values()],
    more: () => state.hasMore && void read(false),
    stirsOf: (threadId) => stirs.get(threadId) ?? 0,
  };
}
