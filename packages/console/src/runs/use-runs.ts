/** Runs, newest first, loaded page by page and updated by events. */
import { defined, type Run, type RunStatus } from '@holdpoint/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { followEvents, service } from '../service.ts';

export interface RunsWanted {
  threadId?: string;
  status?: RunStatus;
  agent?: string;
}

export interface Runs {
  runs: readonly Run[];
  hasMore: boolean;
  isLoading: boolean;
  error: unknown;
  more(): void;
}

const pageSize = 100;
export const runEvents = [
  'run.started',
  'run.resumed',
  'run.waiting',
  'run.woken',
  'run.completed',
  'run.failed',
  'run.cancelled',
] as const;

export function useRuns(wanted: RunsWanted): Runs {
  const [runs, setRuns] = useState<ReadonlyMap<string, Run>>(new Map());
  const [state, setState] = useState({ hasMore: false, isLoading: true, error: undefined as unknown });
  const cursor = useRef<string | undefined>(undefined);
  const turn = useRef(0);

  async function read(isFirst: boolean): Promise<void> {
    turn.current += 1;
    const mine = turn.current;
    setState((before) => ({ ...before, isLoading: true }));
    try {
      const from = isFirst || cursor.current === undefined ? {} : { cursor: cursor.current };
      const page = await service.listRuns({ ...wanted, order: 'newest', limit: pageSize, ...from });
      if (mine !== turn.current) return;
      cursor.current = page.next;
      setRuns((before) => new Map([...(isFirst ? [] : before), ...page.data.map((run) => [run.id, run] as const)]));
      setState({ hasMore: page.next !== undefined, isLoading: false, error: undefined });
    } catch (error) {
      if (mine === turn.current) setState((before) => ({ ...before, isLoading: false, error }));
    }
  }

  useEffect(() => {
    const stop = new AbortController();
    setRuns(new Map());
    const { threadId, ...filter } = wanted;
    const take = (run: Run) =>
      setRuns((before) => {
        const fits = Object.entries(filter).every(([name, value]) => run[name as keyof Run] === value);
        const after = new Map(before);
        if (!fits) after.delete(run.id);
        else if (after.has(run.id)) after.set(run.id, run);
        else return new Map([[run.id, run], ...before]);
        return after;
      });
    followEvents(
      { types: runEvents, ...defined({ threadId }) },
      ({ data }) => void ('run' in data && take(data.run)),
      stop.signal,
      () => void read(true),
    );
    return () => stop.abort();
  }, [JSON.stringify(wanted)]);
  return { ...state, runs: [...runs.values()], more: () => state.hasMore && !state.isLoading && void read(false) };
}
