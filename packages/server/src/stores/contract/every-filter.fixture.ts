import type { InteractionFilter } from '@holdpoint/protocol';

/** Every combination of what interactions can be listed by. */
export function everyFilter(): InteractionFilter[] {
  const choices = [
    [{}, { status: 'pending' }, { status: 'answered' }],
    [{}, { threadId: 't' }],
    [{}, { kind: 'form' }],
    [{}, { runId: 'r' }],
    [{}, { assignee: 'ann' }],
    [{ order: 'oldest' }, { order: 'newest' }],
  ] as const;
  return choices.reduce<InteractionFilter[]>(
    (filters, more) => filters.flatMap((filter) => more.map((choice) => ({ ...filter, ...choice }))),
    [{}],
  );
}
