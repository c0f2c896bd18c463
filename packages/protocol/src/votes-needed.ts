import type { Resolution } from './interaction.ts';

/** Returns how many people must vote, at least, before a question can close. */
export function votesNeeded(resolution: Resolution): number {
  if (resolution.mode === 'first') return 1;
  return 'of' in resolution ? resolution.of.reduce((sum, { count }) => sum + count, 0) : resolution.count;
}
