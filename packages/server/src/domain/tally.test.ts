import { type Actor, defined, type FreeObject, type Interaction } from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import {
  type Asking,
  accepted,
  ann,
  answer,
  ask,
  at,
  ben,
  cy,
  decideAnswer,
  decideAsk,
  decideDecline,
  decline,
  fourOptions,
  human,
  now,
  problemsIn,
  refused,
} from './asking.fixture.ts';

type Vote = [by: Actor, pick: unknown];
const decliner = 'decline';

/** Returns the interaction after each vote in turn; `decline` declines. */
function voted(asking: Asking, ...votes: Vote[]): Interaction {
  let state = ask({ options: ['a', 'b'], ...asking });
  for (const [by, choice] of votes)
    state = (choice === decliner ? decline(state, by) : answer(state, by, { choice })).interaction;
  return state;
}

const quorum = (count: number, assignees?: string[]): Asking => ({
  resolution: { mode: 'quorum', count },
  responder: { type: 'human', ...defined({ assignees }) },
});
const unanimous = (count: number): Asking => ({ resolution: { mode: 'unanimous', count } });

describe('quorum', () => {
  test('[R1] it closes once enough votes agree', () => {
    expect(voted(quorum(2), [ann, 'a'], [ben, 'b'])).toMatchObject({ status: 'pending', version: 3 });
    expect(voted(quorum(2), [ann, 'a'], [ben, 'b'], [cy, 'a'])).toMatchObject({
      status: 'answered',
      closedReason: 'answered',
      closedBy: cy,
    });
  });

  test('[R2] it keeps every vote in order, and the last one is the answer', () => {
    const state = voted(quorum(2), [ann, 'a'], [ben, 'b'], [cy, 'a']);
    expect(state.votes.map(({ by, values }) => [by, values.choice])).toEqual([
      [ann, 'a'],
      [ben, 'b'],
      [cy, 'a'],
    ]);
    expect(state.answer).toEqual(state.votes[2]);
  });

  test('[R2] a vote that does not close it is an event of its own', () => {
    const { events, interaction } = answer(ask({ options: ['a'], ...quorum(2) }), ann, { choice: 'a' });
    expect(events).toEqual([
      {
        type: 'interaction.voted',
        at: at(now),
        actor: ann,
        interactionId: 'asked',
        data: { version: 2, vote: interaction.votes[0] },
      },
    ]);
  });

  test('[R2] a responder votes once, by answering or declining', () => {
    for (const first of ['a', decliner]) {
      const state = voted(quorum(3), [ann, first]);
      for (const decided of [decideAnswer(state, ann, { values: { choice: 'a' } }), decideDecline(state, ann)])
        expect(refused(decided)).toMatchObject({ code: 'already-voted', current: { status: 'pending', version: 2 } });
    }
  });

  test('[R3] declines agree with each other and with reject options', () => {
    expect(voted(quorum(2), [ann, decliner], [ben, 'a'], [cy, decliner])).toMatchObject({
      closedReason: 'declined',
      closedBy: cy,
    });
    const state = ask({ kind: 'approval', ...quorum(2) });
    expect(answer(decline(state, ann).interaction, ben, { decision: 'deny' }).interaction.closedReason).toBe(
      'declined',
    );
  });

  test('[R4] if the votes of the assignees can no longer agree, the resolution declines it', () => {
    const options = ['a', 'b', 'c'];
    const open = voted({ options, ...quorum(2, ['ann', 'ben', 'cy']) }, [ann, 'a'], [ben, 'b']);
    expect(open.status).toBe('pending');
    const { interaction, events } = answer(open, cy, { choice: 'c' });
    expect(interaction).toMatchObject({
      status: 'answered',
      closedReason: 'declined',
      version: 4,
      closedBy: { type: 'system', id: 'resolution', via: 'rule' },
      answer: { id: 'split', decision: 'declined', automatic: 'resolution', values: {} },
    });
    expect(interaction.votes).toHaveLength(3);
    expect(events.map(({ type, data }) => [type, (data as FreeObject).version])).toEqual([
      ['interaction.voted', 4],
      ['interaction.declined', 4],
    ]);
  });

  test('[R4] a decline can be the vote that makes agreement impossible', () => {
    const state = voted(quorum(2, ['ann', 'ben', 'cy']), [ann, 'a'], [ben, 'b'], [cy, decliner]);
    expect(state.answer).toMatchObject({ id: 'split', automatic: 'resolution' });
  });

  test('[R4] without assignees it stays open, because more votes can come', () => {
    const everybody: Vote[] = Array.from({ length: 40 }, (_, n) => [human(`p${n}`), n % 2 ? 'a' : 'b']);
    expect(voted(quorum(21), ...everybody).status).toBe('pending');
  });

  test('[R1] an assignee named twice is one voter', () => {
    expect(problemsIn(decideAsk(quorum(2, ['ann', 'ann'])))).toEqual([['/resolution/count', 'max']]);
    const state = voted(quorum(2, ['ann', 'ann', 'ben', 'ben']), [ann, 'a'], [ben, 'b']);
    expect(state.closedBy).toEqual({ type: 'system', id: 'resolution', via: 'rule' });
  });

  test('[R1] a quorum cannot need more votes than there are assignees', () => {
    expect(problemsIn(decideAsk(quorum(3, ['ann', 'ben'])))).toEqual([['/resolution/count', 'max']]);
    expect(problemsIn(decideAsk({ ...quorum(2, ['ann']), ...unanimous(2) }))).toEqual([['/resolution/count', 'max']]);
  });
});

describe('unanimous', () => {
  test('[R1] it closes when all have voted and agree', () => {
    expect(voted(unanimous(3), [ann, 'a'], [ben, 'a']).status).toBe('pending');
    expect(voted(unanimous(3), [ann, 'a'], [ben, 'a'], [cy, 'a'])).toMatchObject({ closedReason: 'answered' });
  });

  test('[R4] one decline closes it, and its responder is closedBy', () => {
    expect(voted(unanimous(3), [ann, 'a'], [ben, decliner])).toMatchObject({
      closedReason: 'declined',
      closedBy: ben,
      answer: { id: 'vote-ben' },
    });
  });

  test('[R4] if two votes differ, the resolution declines it', () => {
    expect(voted(unanimous(3), [ann, 'a'], [ben, 'b'])).toMatchObject({
      closedReason: 'declined',
      closedBy: { type: 'system', id: 'resolution', via: 'rule' },
    });
  });
});

describe('votes that agree', () => {
  const approvalOf = (options: object[], more: Asking = {}) =>
    ask({ kind: 'approval', options, grant: { key: 'k', scope: 'org' }, ...quorum(2), ...more });
  const agree = (state: Interaction, first: object, second: object) =>
    answer(answer(state, ann, { ...first }).interaction, ben, { ...second }).interaction.status === 'answered';

  test('[R3] once and always agree if each kind has one option', () => {
    expect(agree(approvalOf(fourOptions), { decision: 'yes' }, { decision: 'ever' })).toBe(true);
    expect(agree(approvalOf(fourOptions), { decision: 'no' }, { decision: 'never' })).toBe(true);
    expect(agree(approvalOf(fourOptions), { decision: 'yes' }, { decision: 'no' })).toBe(false);
  });

  test('[R3] options of one kind differ, also from an option named like a group', () => {
    const options = [
      { value: 'allow', label: 'Here', kind: 'allow_once' },
      { value: 'there', label: 'There', kind: 'allow_once' },
      { value: 'ever', label: 'Always', kind: 'allow_always' },
    ];
    expect(agree(approvalOf(options), { decision: 'allow' }, { decision: 'there' })).toBe(false);
    expect(agree(approvalOf(options), { decision: 'allow' }, { decision: 'ever' })).toBe(false);
    expect(agree(approvalOf(options), { decision: 'there' }, { decision: 'there' })).toBe(true);
  });

  test('[R3] approvals of different arguments do not agree', () => {
    const fields = [{ name: 'env', type: 'text', default: 'test' }];
    expect(agree(approvalOf(fourOptions, { fields }), { decision: 'yes' }, { decision: 'yes', env: 'live' })).toBe(
      false,
    );
    expect(agree(approvalOf(fourOptions, { fields }), { decision: 'yes' }, { decision: 'ever', env: 'test' })).toBe(
      true,
    );
  });

  test('[R3] the same boxes ticked in another order agree', () => {
    const several = ask({ options: ['a', 'b', 'c'], maxSelections: 3, ...quorum(2) });
    expect(agree(several, { choice: ['a', 'b'] }, { choice: ['b', 'a'] })).toBe(true);
    expect(agree(several, { choice: ['a', 'b'] }, { choice: ['a'] })).toBe(false);
    const fields = [{ name: 'hosts', type: 'multi_select', options: ['x', 'y'] }];
    const state = approvalOf(fourOptions, { fields });
    expect(agree(state, { decision: 'yes', hosts: ['x', 'y'] }, { decision: 'yes', hosts: ['y', 'x'] })).toBe(true);
  });

  test('[R3] votes with different payloads of a choice do not agree', () => {
    const state = ask({ options: ['a'], payloadSchema: {}, ...quorum(2) });
    const vote = (by: Actor, payload: unknown, from = state) =>
      accepted(decideAnswer(from, by, { values: { choice: 'a' }, payload })).interaction;
    expect(vote(ben, { x: 1, y: 2 }, vote(ann, { y: 2, x: 1 })).status).toBe('answered');
    expect(vote(ben, { x: 2 }, vote(ann, { x: 1 })).status).toBe('pending');
  });

  test('[R3] all answers to a form or an input agree', () => {
    const form = ask({ fields: [{ name: 'n', type: 'number' }], ...quorum(2) });
    expect(agree(form, { n: 1 }, { n: 2 })).toBe(true);
    expect(agree(ask(quorum(2)), { text: 'x' }, { text: 'y' })).toBe(true);
  });

  test('[R5] only the vote that closes it keeps its secret values', () => {
    const state = ask({ fields: [{ name: 'pin', type: 'password' }], ...quorum(2) });
    const first = answer(state, ann, { pin: 'one' });
    const second = answer(first.interaction, ben, { pin: 'two' });
    expect(first.secrets).toBeUndefined();
    expect(second.secrets).toEqual({ pin: 'two' });
    expect(JSON.stringify([second.interaction, first.events, second.events])).not.toMatch(/one|two/);
  });

  test('[R5] votes that do not agree keep no secret values', () => {
    const fields = [{ name: 'pin', type: 'password' }];
    const state = ask({ kind: 'approval', fields, ...quorum(2, ['ann', 'ben']) });
    const open = answer(state, ann, { decision: 'allow', pin: 'one' }).interaction;
    const outcome = answer(open, ben, { decision: 'deny', pin: 'two' });
    expect(outcome.interaction.answer?.automatic).toBe('resolution');
    expect(outcome).not.toHaveProperty('secrets');
  });
});
