import { expect, test } from 'vitest';
import type { FreeObject } from './base-schemas.ts';
import type { Interaction } from './interaction.ts';
import { approvalOf, endedAs, outcomeOf } from './outcome.ts';
import { checkQuestion } from './question.ts';

const proposed = { steps: [{ run: 'migrate', with: { lock: true } }], hosts: ['a', 'b'], note: 'quick', count: 1 };
const fields: object[] = [
  { name: 'hosts', type: 'multi_select', options: ['a', 'b', 'c'] },
  { name: 'note', type: 'text' },
  { name: 'count', type: 'number' },
  { name: 'extra', type: 'text' },
  { type: 'heading', text: 'Look' },
];

/** The approval as it was answered with these values; those that are left out are not in the answer. */
function approved(values: FreeObject, args: FreeObject | undefined = proposed, asks = fields) {
  const checked = checkQuestion({ kind: 'approval', title: 'Go?', fields: asks, ...(args ? { arguments: args } : {}) });
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  const answer = { decision: 'accepted', values: { decision: 'allow', ...values } };
  const interaction = { ...checked.question, status: 'answered', answer } as unknown as Interaction;
  return approvalOf(outcomeOf<FreeObject>(interaction));
}

const { steps, ...asked } = proposed;

test('[BD7] what was left as proposed is not edited, in whatever order it is written', () => {
  expect(approved(asked)).toMatchObject({ approved: true, arguments: proposed, edited: false });
  const { hosts, note, count } = asked;
  expect(approved({ count, note, hosts })).toMatchObject({ arguments: proposed, edited: false });
});

test('[BD7] one that is edited is as the person left it, and those nobody was asked for stay, however deep', () => {
  const { arguments: left, edited } = approved({ ...asked, hosts: ['a'] });
  expect(left).toEqual({ steps, hosts: ['a'], note: 'quick', count: 1 });
  expect(edited).toBe(true);
  expect(approved({ ...asked, hosts: ['b', 'a'] }).edited).toBe(true);
});

test('[BD7] one that the person took away is gone, and one that they filled in is there', () => {
  const { note: _gone, ...rest } = asked;
  const taken = approved(rest);
  expect(taken.arguments).toEqual({ steps, hosts: ['a', 'b'], count: 1 });
  expect(taken.edited).toBe(true);
  const filled = approved({ ...asked, extra: 'x' });
  expect(filled.arguments).toEqual({ ...proposed, extra: 'x' });
  expect(filled.edited).toBe(true);
  expect(approved({ ...asked, note: '' })).toMatchObject({ arguments: { note: '' }, edited: true });
});

test('[BD7] one that nobody was shown, or that was empty from the start, is as proposed', () => {
  const visibleIf = { all_of: [{ field: 'refund', op: 'equals', value: true }] };
  const asks = [
    { name: 'refund', type: 'checkbox' },
    { name: 'amount', type: 'number', visibleIf },
    { name: 'note', type: 'text' },
  ];
  const args = { amount: 5, note: '', decision: 'of the tool' };
  expect(approved({ refund: false }, args, asks)).toMatchObject({ arguments: { ...args, refund: false } });
  expect(approved({ refund: true }, args, asks).arguments).toEqual({ note: '', decision: args.decision, refund: true });
});

test('[BD7] names that every object has are names like any other', () => {
  const odd = JSON.parse('{"constructor":1,"toString":2}') as FreeObject;
  expect(approved({}, odd)).toMatchObject({ edited: false });
  expect(Object.keys(approved({}, odd).arguments).sort()).toEqual(['constructor', 'toString']);
});

test('[BD7] a question that is still open has no outcome', () => {
  expect(() => outcomeOf({ status: 'pending', votes: [] } as unknown as Interaction)).toThrow('still open');
});

test('[BD7] what was not approved has the arguments as proposed, and nothing was edited', () => {
  const { outcome } = approved({ ...asked, note: 'slow' });
  const interaction = { ...outcome.interaction, answer: { decision: 'declined', values: { note: 'slow' } } };
  const denied = approvalOf(outcomeOf<FreeObject>(interaction as unknown as Interaction));
  expect(denied).toMatchObject({ approved: false, arguments: proposed, edited: false });
});

test('[AN31] an approval that only a deadline accepted has expired, unless that counts; other questions are answered', () => {
  const read = (kind: string, automatic?: string, countDeadlineAsApproval?: boolean) => {
    const answer = { decision: 'accepted', values: { decision: 'allow' }, automatic };
    const interaction = { kind, status: 'answered', answer, fields: [], arguments: proposed } as unknown as Interaction;
    const outcome = outcomeOf<FreeObject>(interaction, { countDeadlineAsApproval });
    return [outcome.status, outcome.automatic, approvalOf(outcome).approved, approvalOf(outcome).automatic];
  };
  expect(read('approval', 'deadline')).toEqual(['expired', 'deadline', false, 'deadline']);
  expect(read('approval', 'deadline', true)).toEqual(['answered', 'deadline', true, 'deadline']);
  expect(read('approval', 'grant')).toEqual(['answered', 'grant', true, 'grant']);
  expect(read('approval')).toEqual(['answered', undefined, true, undefined]);
  expect(read('choice', 'deadline').slice(0, 2)).toEqual(['answered', 'deadline']);
});

const approval = {
  kind: 'approval',
  status: 'answered',
  closedReason: 'declined',
  fields: [{ type: 'select', name: 'decision', label: 'Go?', options: [{ value: 'deny', label: 'Deny' }] }],
} as unknown as Interaction;
const answered = (values: object) => ({ ...approval, answer: { values } }) as Interaction;

test('[WI60] a denial is an answer, and only a responder who picked no option has declined', () => {
  expect(endedAs(answered({ decision: 'deny' }))).toBe('answered');
  expect(endedAs(answered({}))).toBe('declined');
  expect(endedAs({ ...approval, status: 'cancelled', closedReason: 'cancelled' })).toBe('cancelled');
});
