import type { Interaction } from '@holdpoint/protocol';

/** Enough to go on with, and not the whole record: who needs more asks for it. */
export function interactionSummary({ id, kind, title, run, trace, metadata }: Interaction) {
  return {
    id,
    kind,
    title,
    ...(run ? { run } : {}),
    ...(trace ? { trace } : {}),
    ...(metadata ? { metadata } : {}),
  };
}
