/** Runs, newest first, loaded page by page and updated by events. */
import { defined, type EventType, type Run, type RunStatus } from '@holdpoint/protocol';
import { useLiveList } from '../live-list.ts';
import { service } from '../service.ts';

export const runEvents: readonly EventType[] = [
  'run.started',
  'run.resumed',
  'run.waiting',
  'run.woken',
  'run.completed',
  'run.failed',
  'run.cancelled',
];

export function useRuns({ threadId, ...filter }: { threadId?: string; status?: RunStatus; agent?: string }) {
  const input = { ...filter, ...defined({ threadId }) };
  return useLiveList<Run>({
    load: (page) => service.listRuns({ ...input, order: 'newest', limit: 100, ...page }),
    input,
    filter: { types: runEvents, ...defined({ threadId }) },
    onEvent({ data }, update) {
      if (!('run' in data)) return;
      const { run } = data;
      const fits = Object.entries(filter).every(([name, value]) => run[name as keyof Run] === value);
      update((before) => {
        if (fits && !before.has(run.id)) return new Map([[run.id, run], ...before]);
        const after = new Map(before);
        if (fits) after.set(run.id, run);
        else after.delete(run.id);
        return after;
      });
    },
  });
}
