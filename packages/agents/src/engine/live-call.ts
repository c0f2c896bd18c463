/** A call that is being done, and what it may do to the execution it is part of. */
import type { NewJournalEntry, RunWait } from '@holdpoint/protocol';
import type { CallKind, LiveCall } from './call.ts';
import type { Journal } from './journal.ts';

export interface OpenCall {
  number: number;
  kind: CallKind<unknown>;
  resolve(value: unknown): void;
  reject(error: Error): void;
  /** Undefined while it runs. */
  waits: RunWait[] | undefined;
  /** The worker stops, and it was not begun. */
  isHeld: boolean;
}

export interface ExecutionOptions {
  journal: Journal;
  /** Where entries go. */
  add(entry: NewJournalEntry): void;
  flush(): Promise<void>;
  now(): number;
  /** Prefix of the keys of its calls. */
  key: string;
  /** Aborts when it must end at once. */
  signal: AbortSignal;
}

interface LiveParts extends ExecutionOptions {
  /** To be cleared when the execution is over. */
  timers: Set<ReturnType<typeof setTimeout>>;
  /** Nothing more is to be begun. */
  isStopped(): boolean;
  /** It waits now, or is held. */
  onChange(): void;
}

/** Timers go no further. */
const maxTimerMs = 2 ** 31 - 1;

export function liveCall(call: OpenCall, parts: LiveParts): LiveCall {
  const { key, signal, journal, add, flush, now, timers, isStopped, onChange } = parts;
  const { number, kind } = call;
  const { type, name } = kind;
  const wait = (waits: RunWait[]) => {
    call.waits = waits;
    onChange();
  };
  return {
    number,
    key: `${key}:${number}`,
    notes: journal.calls.get(number)?.notes ?? [],
    signal,
    note: (data) => add({ call: number, type, name, state: 'begun', data }),
    ready() {
      if (!isStopped()) return flush();
      call.isHeld = true;
      onChange();
      return new Promise(() => {});
    },
    waitFor(...waits) {
      wait(waits);
      return new Promise(() => {});
    },
    waitUntil(time) {
      wait([{ type: 'time', until: new Date(time).toISOString() }]);
      return new Promise((resolve) => {
        const wake = () => {
          timers.delete(timer);
          call.waits = undefined;
          resolve();
        };
        const timer = setTimeout(wake, Math.min(time - now(), maxTimerMs));
        timers.add(timer);
      });
    },
  };
}
