import { expect, test } from 'vitest';
import type { Interaction } from './interaction.ts';
import { endedAs } from './outcome.ts';

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
