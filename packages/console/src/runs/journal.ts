/** A journal by the calls of the function: what each did, how often it was tried, and what it gave. */

import type { JournalEntry } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';

export interface JournalCall {
  call: number;
  type: JournalEntry['type'];
  name: string;
  /** That of its last entry. */
  state: JournalEntry['state'];
  beganAt: string;
  endedAt?: string;
  entries: readonly JournalEntry[];
  /** Of a step: attempts that failed, and the last. */
  attempts: number;
  /** The question it waits for, or waited. */
  interactionId?: string;
}

export function callsOf(entries: readonly JournalEntry[]): readonly JournalCall[] {
  return [...Map.groupBy(entries, ({ call }) => call)]
    .sort(([a], [b]) => a - b)
    .map(([call, own]) => {
      const first = own[0] as JournalEntry;
      const last = own.at(-1) as JournalEntry;
      const failed = own.filter(({ type, state, data }) => type === 'step' && state === 'begun' && has(data, 'error'));
      const asked = own.flatMap(({ data }) => (has(data, 'interactionId') ? [String(data.interactionId)] : [])).at(-1);
      return {
        call,
        type: first.type,
        name: first.name,
        state: last.state,
        beganAt: first.at,
        ...defined({ endedAt: last.state === 'begun' ? undefined : last.at }),
        entries: own,
        attempts: failed.length + (last.state === 'begun' ? 0 : 1),
        ...defined({ interactionId: asked }),
      };
    });
}

const has = <K extends string>(data: unknown, name: K): data is Record<K, unknown> =>
  typeof data === 'object' && data !== null && name in data;

/** What a call is, in a word. */
export const callWords: Record<JournalEntry['type'], string> = {
  say: 'Said',
  ask: 'Asked',
  step: 'Step',
  sleep: 'Slept',
  message: 'Message',
  now: 'Time',
  random: 'Random',
};
