/** Which messages a run has read, by their places in the log. */
import type { Journal } from '../engine/journal.ts';
import type { Asked } from './asked.ts';

interface Kept {
  /** Of `message`. */
  seq?: number;
  /** Of `unread`. */
  messages?: { seq: number }[];
  /** Of `ask`. */
  interrupted?: { seq: number };
}

export function seqsRead({ settled, calls }: Journal): Set<number> {
  const read = new Set<number>();
  for (const { type, state, data } of settled) {
    if (state !== 'done' || (type !== 'message' && type !== 'ask')) continue;
    const { seq, messages = [], interrupted } = data as Kept;
    for (const each of [{ seq }, ...messages, { seq: interrupted?.seq }])
      if (each.seq !== undefined) read.add(each.seq);
  }
  for (const { type, notes, isSettled } of calls.values()) {
    if (type !== 'ask' || isSettled) continue;
    const { interruptedBy } = (notes.at(-1) ?? {}) as Partial<Asked>;
    if (interruptedBy !== undefined) read.add(interruptedBy);
  }
  return read;
}
