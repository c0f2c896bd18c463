import type { InteractionFilter, RunFilter } from '@holdpoint/protocol';
import { anyPerson, type OfAssignees } from '../store.ts';

/** Every combination of what interactions can be listed by. */
export function everyFilter(): (InteractionFilter & OfAssignees)[] {
  const choices = [
    [{}, { status: 'pending' }, { status: 'answered' }],
    [{}, { threadId: 't' }],
    [{}, { kind: 'form' }],
    [{}, { runId: 'r' }],
    [{}, { assignee: 'ann' }, { assignees: ['ann', 'staff', anyPerson] }],
    [{ order: 'oldest' }, { order: 'newest' }],
  ] as const;
  return combined<InteractionFilter & OfAssignees>(choices);
}

/** Every combination of the filters for runs. */
export const everyRunFilter = (): Pick<RunFilter, 'threadId' | 'status' | 'agent'>[] =>
  combined<RunFilter>([
    [{}, { threadId: 't' }],
    [{}, { status: 'waiting' }],
    [{}, { agent: 'a' }],
  ]);

const combined = <T extends object>(choices: readonly (readonly Partial<T>[])[]): Partial<T>[] =>
  choices.reduce<Partial<T>[]>(
    (filters, more) => filters.flatMap((filter) => more.map((choice) => ({ ...filter, ...choice }))),
    [{}],
  );
