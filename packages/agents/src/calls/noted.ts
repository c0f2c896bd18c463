/** What reads a clock or draws a number: the same at every replay. */
import type { CallKind } from '../engine/call.ts';

export const noted = (type: 'now' | 'random', read: () => number): CallKind<number> => ({
  type,
  name: '',
  async play() {
    const value = read();
    return { data: { value }, value };
  },
  recall: (data) => (data as { value: number }).value,
});
