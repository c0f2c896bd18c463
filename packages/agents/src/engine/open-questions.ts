/** The questions of a run that nobody has answered yet: asked in its journal, and not ended there. */
import type { NewJournalEntry } from '@holdpoint/protocol';
import type { Asked } from '../calls/asked.ts';
import type { Journal } from './journal.ts';

export class OpenQuestions {
  readonly #asked = new Map<number, string>();

  constructor({ calls }: Journal) {
    for (const { call, type, notes, isSettled } of calls.values())
      if (type === 'ask' && !isSettled) this.#asked.set(call, (notes.at(-1) as Asked).interactionId);
  }

  see({ type, call, state, data }: NewJournalEntry): void {
    if (type !== 'ask') return;
    if (state === 'begun') this.#asked.set(call, (data as Asked).interactionId);
    else this.#asked.delete(call);
  }

  ids(): string[] {
    return [...this.#asked.values()];
  }
}
