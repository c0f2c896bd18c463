import type { Interaction } from '@holdpoint/protocol';

/** What is due first, and of what is due never, the oldest. */
export const byUrgency = (a: Interaction, b: Interaction): number =>
  (a.deadline?.at ?? '9').localeCompare(b.deadline?.at ?? '9') || a.id.localeCompare(b.id);
