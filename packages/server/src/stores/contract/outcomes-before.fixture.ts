/** Questions as they were stored before the store knew how each had ended, and what it is to know of them afterwards. */
import type { Interaction } from '@holdpoint/protocol';
import type { Outcome } from '../store.ts';
import { at, idOf, interactionOf } from './records.fixture.ts';

const vote = { id: 'v', decision: 'accepted', values: {}, by: { type: 'human', id: 'ann' }, at } as const;
const closedAt = '2030-01-01T00:00:07.005Z';

const ends: [Partial<Interaction>, Omit<Outcome, 'id' | 'status'>][] = [
  [{}, { isDeclined: false }],
  [
    { status: 'answered', answer: vote, closedAt },
    { isDeclined: false, waitMs: 7_005 },
  ],
  [
    { status: 'answered', answer: { ...vote, decision: 'declined' }, closedAt },
    { isDeclined: true, waitMs: 7_005 },
  ],
  [
    { status: 'answered', answer: { ...vote, decision: 'declined', automatic: 'deadline' }, closedAt },
    { isDeclined: true },
  ],
  [{ status: 'answered', answer: { ...vote, automatic: 'grant' }, closedAt }, { isDeclined: false }],
  [{ status: 'expired', closedAt }, { isDeclined: false }],
  [{ status: 'cancelled', closedAt }, { isDeclined: false }],
];

export const outcomesBefore = (): { id: string; status: string; record: string; outcome: Outcome }[] =>
  ends.map(([end, known], n) => {
    const record = interactionOf(idOf(n), 't1', end);
    const { id, status } = record;
    return { id, status, record: JSON.stringify(record), outcome: { id, status, ...known } };
  });
