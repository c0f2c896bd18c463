/** Questions as they were stored before the store knew how each had ended, and what it is to know of them afterwards. */
import type { Interaction } from '@holdpoint/protocol';
import type { Outcome } from '../store.ts';
import { at, idOf, interactionOf } from './records.fixture.ts';

const vote = { id: 'v', decision: 'accepted', values: {}, by: { type: 'human', id: 'ann', via: 'token' }, at } as const;
const closedAt = '2030-01-01T00:00:07.005Z';

const ends: Partial<Interaction>[] = [
  {},
  { status: 'answered', answer: vote, closedAt },
  { status: 'answered', answer: { ...vote, decision: 'declined' }, closedAt },
  { status: 'answered', answer: { ...vote, automatic: 'grant' }, closedAt },
  { status: 'expired', closedAt },
  { status: 'cancelled', closedAt },
  ...onlyOfJavaScript().map((title) => ({ title, status: 'answered', answer: vote, closedAt }) as const),
];

/** Texts that it writes as JSON, and that no database need take for JSON. */
export function onlyOfJavaScript(): string[] {
  return ['\0', '\ud800', '\udfff', 'half \udbff a pair'];
}

/** They count by their status: how they were answered, and after what time, is in the record alone. */
export const outcomesBefore = (): { id: string; status: string; record: string; outcome: Outcome }[] =>
  ends.map((end, n) => {
    const record = interactionOf(idOf(n), 't1', end);
    const { id, status } = record;
    return { id, status, record: JSON.stringify(record), outcome: { id, status, isDeclined: false } };
  });
