/** The log of a thread, newest first. New events are added on top, older ones are loaded on demand. */
import type { LogEvent } from '@holdpoint/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { followEvents, service } from '../service.ts';

const pageSize = 100;
const nothingYet = { events: [] as readonly LogEvent[], isLoading: true, error: undefined as unknown };

export type ThreadLog = ReturnType<typeof useThreadLog>;

/** `events`: newest first. */
export function useThreadLog(threadId: string) {
  const [state, setState] = useState(nothingYet);
  const isReading = useRef(false);
  const read = async (range: () => Promise<{ after: number; limit: number }>) => {
    if (isReading.current) return;
    isReading.current = true;
    setState((before) => ({ ...before, isLoading: true }));
    try {
      const events = await readRange(threadId, await range());
      setState((before) => ({ events: merged(before.events, events), isLoading: false, error: undefined }));
    } catch (error) {
      setState((before) => ({ ...before, isLoading: false, error }));
    }
    isReading.current = false;
  };
  const follow = () =>
    followEvents(
      { threadId },
      (event) => setState((before) => ({ ...before, events: merged(before.events, [event]) })),
      () => void read(async () => ({ after: Math.max(0, (await lastSeq(threadId)) - pageSize), limit: pageSize })),
    );
  useEffect(follow, [threadId]);
  const first = state.events.at(-1)?.seq ?? 1;
  const older = () => {
    const after = Math.max(0, first - 1 - pageSize);
    void read(async () => ({ after, limit: first - 1 - after }));
  };
  return { ...state, hasOlder: first > 1, older };
}

/** Continues after short pages (L20), because the log would have a gap otherwise. */
async function readRange(threadId: string, { after, limit }: { after: number; limit: number }): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  const end = after + limit;
  for (let from = after; from < end; ) {
    const { data, next } = await service.readLog({ threadId, after: from, limit: end - from });
    events.push(...data);
    if (next === undefined) break;
    from = Number(next);
  }
  return events;
}

function merged(before: readonly LogEvent[], more: readonly LogEvent[]): readonly LogEvent[] {
  const all = new Map([...before, ...more].map((event) => [event.seq, event]));
  return [...all.values()].sort((a, b) => b.seq - a.seq);
}

/** Finds the length of the log by doubling and halving: about twenty calls for a million events. */
async function lastSeq(threadId: string): Promise<number> {
  const isThere = async (seq: number) =>
    (await service.readLog({ threadId, after: seq - 1, limit: 1 })).data.length > 0;
  let there = 0;
  let beyond = pageSize;
  while (await isThere(beyond)) {
    there = beyond;
    beyond *= 2;
  }
  while (beyond - there > 1) {
    const middle = Math.floor((there + beyond) / 2);
    if (await isThere(middle)) there = middle;
    else beyond = middle;
  }
  return there;
}
