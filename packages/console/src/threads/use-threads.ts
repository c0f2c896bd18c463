/** The threads of the org, newest first, loaded page by page. New threads appear on top. */
import type { EventType, Thread } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { useLiveList } from '../live-list.ts';
import { service } from '../service.ts';

/** The events that change the row of a thread. */
const types: readonly EventType[] = [
  'thread.created',
  'thread.updated',
  'message.created',
  'message.completed',
  'interaction.created',
  'interaction.answered',
  'interaction.declined',
  'interaction.cancelled',
  'interaction.expired',
];

export function useThreads() {
  const [changes, setChanges] = useState<ReadonlyMap<string, number>>(new Map());
  const threads = useLiveList<Thread>({
    load: (page) => service.listThreads({ limit: 100, ...page }),
    input: undefined,
    filter: { types },
    onEvent({ threadId, type, data }, update) {
      if ('thread' in data) {
        const { thread } = data;
        if (type === 'thread.created') update((before) => new Map([[threadId, thread], ...before]));
        else update((before) => (before.has(threadId) ? new Map(before).set(threadId, thread) : before));
      }
      setChanges((before) => new Map(before).set(threadId, (before.get(threadId) ?? 0) + 1));
    },
  });
  /** The number of events of a thread since the page opened. */
  const changesOf = (threadId: string) => changes.get(threadId) ?? 0;
  return { ...threads, changesOf };
}
