import { describe, expect, test } from 'vitest';
import {
  type Asking,
  accepted,
  ann,
  answer,
  ask,
  at,
  decideAnswer,
  decideAsk,
  decideCancel,
  decideDecline,
  decideExpire,
  decideUpdate,
  fourOptions,
  hourMs,
  now,
  problemsIn,
  refused,
} from './asking.fixture.ts';

const due = now + hourMs;
const before = (outcome: 'expire' | 'recommended' | 'decline', time = due) => ({ deadline: { at: at(time), outcome } });
const bySystem = { type: 'system', id: 'deadline', via: 'deadline' };

describe('setting a deadline', () => {
  test.each([now, now - 1, 0])('[D1] a deadline at %d, not after now, is refused', (time) => {
    expect(problemsIn(decideAsk(before('expire', time)))).toEqual([['/deadline/at', 'past']]);
  });

  test('[D1] a deadline in the next millisecond is accepted', () => {
    expect(ask(before('expire', now + 1)).deadline?.at).toBe(at(now + 1));
  });

  test.each(['tomorrow', '2031-02-30T00:00:00Z', '2031-01-01', '2031-01-01T00:00:00', '9999-12-31T23:59:59-12:00'])(
    '[D1] %s is not a time',
    (time) => {
      expect(problemsIn(decideAsk({ deadline: { at: time, outcome: 'expire' } }))).toEqual([
        ['/deadline/at', 'datetime'],
      ]);
    },
  );

  test('[D1] a deadline may have an offset', () => {
    const deadline = { at: '2030-01-01T01:00:00+02:00', outcome: 'expire' } as const;
    expect(problemsIn(decideAsk({ deadline }))).toEqual([['/deadline/at', 'past']]);
    expect(decideAsk({ deadline: { ...deadline, at: '2030-01-01T00:30:00.123456-01:00' } }).ok).toBe(true);
  });

  test.each<[string, Asking]>([
    ['nothing is recommended', {}],
    ['a required field is not', { fields: twoFields(), recommendations: { a: 'x' } }],
    ['a required secret cannot be', { fields: [{ name: 'pin', type: 'password', required: true }] }],
    ['the decision is not', { kind: 'approval', recommendations: {} }],
    ['a payload is asked for', { payloadSchema: { type: 'object' }, recommendations: { a: 1 } }],
    ['a payload is asked for too', { options: ['a'], payloadSchema: {}, recommendations: { choice: 'a' } }],
  ])('[D2] outcome recommended is refused if %s', (_why, asking) => {
    expect(problemsIn(decideAsk({ ...asking, ...before('recommended') }))).toEqual([
      ['/recommendations', 'incomplete'],
    ]);
  });

  test('[D2] an update may not leave the recommended answer incomplete', () => {
    const state = ask({ options: ['a', 'b'], recommendations: { choice: 'a' }, ...before('recommended') });
    expect(problemsIn(decideUpdate(state, { recommendations: null }))).toEqual([['/recommendations', 'incomplete']]);
    const fields = [{ name: 'other', type: 'select', required: true, options: ['a'] }];
    expect(problemsIn(decideUpdate(state, { fields, recommendations: {} }))).toEqual([
      ['/recommendations', 'incomplete'],
    ]);
    const plain = ask({ options: ['a', 'b'] });
    expect(problemsIn(decideUpdate(plain, before('recommended')))).toEqual([['/recommendations', 'incomplete']]);
    expect(decideUpdate(plain, { ...before('recommended'), recommendations: { choice: 'b' } }).ok).toBe(true);
    expect(decideUpdate(state, { recommendations: null, deadline: null }).ok).toBe(true);
  });
});

describe('when the deadline comes', () => {
  test('[D1][D5] it expires', () => {
    const { interaction, events } = accepted(decideExpire(ask(before('expire')), due));
    expect(interaction).toMatchObject({
      status: 'expired',
      closedReason: 'deadline',
      closedBy: bySystem,
      closedAt: at(due),
      version: 2,
    });
    expect(interaction).not.toHaveProperty('answer');
    expect(events).toMatchObject([{ type: 'interaction.expired', actor: bySystem, data: { version: 2 } }]);
  });

  test('[D1][D5] it declines', () => {
    const { interaction, events } = accepted(decideExpire(ask(before('decline')), due));
    expect(interaction).toMatchObject({
      status: 'answered',
      closedReason: 'deadline',
      closedBy: bySystem,
      answer: { decision: 'declined', automatic: 'deadline', by: bySystem, values: {} },
    });
    expect(events).toMatchObject([{ type: 'interaction.declined', data: { version: 2 } }]);
  });

  test('[D1][D5] it accepts the recommended answer, with the proposed arguments', () => {
    const state = ask({
      kind: 'approval',
      options: fourOptions,
      grant: { key: 'k', scope: 'org' },
      fields: [{ name: 'env', type: 'text', required: true }],
      arguments: { env: 'test' },
      recommendations: { decision: 'ever' },
      ...before('recommended'),
    });
    const outcome = accepted(decideExpire(state, due));
    expect(outcome.interaction).toMatchObject({
      status: 'answered',
      closedReason: 'deadline',
      answer: { decision: 'accepted', automatic: 'deadline', by: bySystem, values: { decision: 'ever', env: 'test' } },
    });
    expect(outcome.events).toMatchObject([{ type: 'interaction.answered' }]);
    expect(outcome).not.toHaveProperty('grant');
  });

  test('[D1] a recommended rejection is a decline', () => {
    const state = ask({ kind: 'approval', recommendations: { decision: 'deny' }, ...before('recommended') });
    expect(accepted(decideExpire(state, due)).events).toMatchObject([{ type: 'interaction.declined' }]);
  });

  test('[D1][R2] it keeps the votes of an unfinished quorum', () => {
    const resolution = { mode: 'quorum', count: 2 } as const;
    for (const outcome of ['expire', 'decline'] as const) {
      const open = answer(ask({ resolution, ...before(outcome) }), ann, { text: 'x' }).interaction;
      expect(accepted(decideExpire(open, due)).interaction.votes).toEqual(open.votes);
    }
  });

  test('[D23] it accepts no approval that somebody has voted against', () => {
    const resolution = { mode: 'quorum', count: 2 } as const;
    const asking = { kind: 'approval', recommendations: { decision: 'allow' }, resolution } as const;
    const voted = (decision: string) =>
      answer(ask({ ...asking, ...before('recommended') }), ann, { decision }).interaction;
    expect(accepted(decideExpire(voted('deny'), due)).interaction).toMatchObject({ status: 'expired' });
    expect(accepted(decideExpire(voted('allow'), due)).interaction).toMatchObject({
      status: 'answered',
      answer: { decision: 'accepted', automatic: 'deadline' },
    });
  });

  test('[D3] after it, answers, declines and updates are refused even before it fires', () => {
    const state = ask(before('expire'));
    for (const time of [due, due + hourMs])
      for (const decided of [
        decideAnswer(state, ann, { values: { text: 'x' } }, time),
        decideDecline(state, ann, time),
        decideUpdate(state, { title: 'New' }, time),
        decideUpdate(state, { deadline: null }, time),
      ])
        expect(refused(decided)).toMatchObject({ code: 'interaction-expired', current: { status: 'pending' } });
    expect(decideAnswer(state, ann, { values: { text: 'x' } }, due - 1).ok).toBe(true);
    expect(decideCancel(state, undefined, due).ok).toBe(true);
  });

  test('[D1] it does not fire before it is due, nor without a deadline', () => {
    expect(refused(decideExpire(ask(before('expire')), due - 1))).toMatchObject({ code: 'interaction-not-due' });
    expect(refused(decideExpire(ask({}), due))).toMatchObject({
      code: 'interaction-not-due',
      current: { status: 'pending', version: 1 },
    });
  });
});

function twoFields() {
  return ['a', 'b'].map((name) => ({ name, type: 'text', required: true }));
}
