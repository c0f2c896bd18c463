import type { Grant } from '@holdpoint/protocol';
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
  decideAsk,
  decline,
  fourOptions,
  hourMs,
  now,
  problemsIn,
} from './asking.fixture.ts';

const asking: Asking = { kind: 'approval', options: fourOptions, grant: { key: 'deploy', scope: 'org' } };
const quorum = (count: number, assignees?: string[]): Asking => ({
  resolution: { mode: 'quorum', count },
  responder: { type: 'human', ...(assignees ? { assignees } : {}) },
});
const standing: Grant = {
  id: 'g1',
  key: 'deploy',
  scope: 'org',
  decision: 'allow',
  threadId: 'thread',
  interactionId: 'earlier',
  by: ann,
  voters: [ann],
  createdAt: at(now),
};

describe('giving a grant', () => {
  test.each([
    ['ever', 'allow'],
    ['never', 'reject'],
  ])('[G1] the answer %s gives a grant to %s', (decision, expected) => {
    const grantOffer = { key: 'deploy', scope: 'run', forMs: hourMs } as const;
    const state = ask({ ...asking, grant: grantOffer, run: { id: 'r1' } });
    const { grant, events } = answer(state, ann, { decision });
    expect(grant).toEqual({
      id: 'grant',
      key: 'deploy',
      scope: 'run',
      decision: expected,
      threadId: 'thread',
      interactionId: 'asked',
      runId: 'r1',
      by: ann,
      voters: [ann],
      createdAt: at(now),
      expiresAt: at(now + hourMs),
    });
    expect(events[1]).toEqual({
      type: 'grant.created',
      at: at(now),
      actor: ann,
      interactionId: 'asked',
      data: { version: 2, grant },
    });
  });

  test('[G1] once, and a plain decline, give none', () => {
    for (const decision of ['yes', 'no']) expect(answer(ask(asking), ann, { decision }).grant).toBeUndefined();
    expect(decline(ask(asking), ann).grant).toBeUndefined();
  });

  test('[G1] with a quorum all who agreed must have said always', () => {
    const decide = (...picks: string[]) => {
      let outcome = answer(ask({ ...asking, ...quorum(2) }), ann, { decision: picks[0] });
      outcome = answer(outcome.interaction, ben, { decision: picks[1] });
      return picks[2] ? answer(outcome.interaction, cy, { decision: picks[2] }) : outcome;
    };
    expect(decide('ever', 'ever').grant).toMatchObject({ decision: 'allow', voters: [ann, ben], by: ben });
    expect(decide('yes', 'ever')).not.toHaveProperty('grant');
    expect(decide('ever', 'yes')).not.toHaveProperty('grant');
    expect(decide('ever', 'no', 'ever').grant).toMatchObject({ voters: [ann, cy] });
    expect(decide('never', 'never').grant).toMatchObject({ decision: 'reject', voters: [ann, ben] });
    expect(answer(decline(ask({ ...asking, ...quorum(2) }), ann).interaction, ben, { decision: 'never' }).grant).toBe(
      undefined,
    );
  });
});

describe('a standing grant', () => {
  const isAnswered = (grant: Partial<Grant>, more: Asking = {}, time = now) =>
    ask({ ...asking, ...more }, { grants: [{ ...standing, ...grant }], time }).status === 'answered';

  test('[G2] answers a later question at once, marked as what it is', () => {
    const { interaction, events } = accepted(decideAsk(asking, { grants: [standing] }));
    const by = { type: 'system', id: 'grant' };
    expect(interaction).toMatchObject({
      status: 'answered',
      closedReason: 'answered',
      closedBy: by,
      version: 2,
      answer: { id: 'auto', decision: 'accepted', values: { decision: 'yes' }, by, automatic: 'grant', grantId: 'g1' },
    });
    expect(events.map(({ type, data }) => [type, data.version])).toEqual([
      ['interaction.created', 1],
      ['interaction.answered', 2],
    ]);
    expect(events[0]?.data.interaction).toMatchObject({ status: 'pending', version: 1, votes: [] });
  });

  test('[G2] a reject declines', () => {
    const outcome = accepted(decideAsk(asking, { grants: [{ ...standing, decision: 'reject' }] }));
    expect(outcome.interaction).toMatchObject({ closedReason: 'declined', answer: { values: { decision: 'no' } } });
    expect(outcome).not.toHaveProperty('grant');
  });

  test('[G2][AN8] takes the arguments as proposed', () => {
    const fields = [{ name: 'env', type: 'text', required: true }];
    const state = ask({ ...asking, fields, arguments: { env: 'live' } }, { grants: [standing] });
    expect(state.answer?.values).toEqual({ decision: 'yes', env: 'live' });
  });

  test('[G2] the newest that reaches wins', () => {
    const newestFirst: Grant[] = [
      { ...standing, id: 'elsewhere', scope: 'thread', threadId: 'other' },
      { ...standing, id: 'newest', decision: 'reject', createdAt: at(now - 5) },
      { ...standing, id: 'oldest', createdAt: at(now) },
    ];
    expect(ask(asking, { grants: newestFirst }).answer).toMatchObject({ grantId: 'newest', decision: 'declined' });
  });

  test('[G2] reaches its thread, its run or the org', () => {
    expect(isAnswered({ scope: 'thread' })).toBe(true);
    expect(isAnswered({ scope: 'thread', threadId: 'other' })).toBe(false);
    expect(isAnswered({ scope: 'run', runId: 'r1' }, { run: { id: 'r1' } })).toBe(true);
    expect(isAnswered({ scope: 'run', runId: 'r1' }, { run: { id: 'r2' } })).toBe(false);
    expect(isAnswered({ scope: 'run', runId: 'r1' })).toBe(false);
    expect(isAnswered({ scope: 'run' })).toBe(false);
    expect(isAnswered({ scope: 'org', threadId: 'other' })).toBe(true);
  });

  test('[G3] does not reach another key, past its time, or after it is revoked', () => {
    expect(isAnswered({ key: 'delete' })).toBe(false);
    expect(isAnswered({ expiresAt: at(now + 1) })).toBe(true);
    expect(isAnswered({ expiresAt: at(now) })).toBe(false);
    expect(isAnswered({ revokedAt: at(now - 1) })).toBe(false);
  });

  test('[G3] does not reach where its giver could not have answered', () => {
    expect(isAnswered({}, { responder: { type: 'human', assignees: ['ben'] } })).toBe(false);
    expect(isAnswered({}, { responder: { type: 'human', assignees: ['ben', 'ann'] } })).toBe(true);
    expect(isAnswered({}, { responder: { type: 'agent' } })).toBe(false);
  });

  test('[G3] does not reach where more votes are needed than gave it', () => {
    expect(isAnswered({}, quorum(1))).toBe(true);
    expect(isAnswered({}, quorum(2))).toBe(false);
    expect(isAnswered({ voters: [ann, ben] }, quorum(2))).toBe(true);
    expect(isAnswered({}, { resolution: { mode: 'unanimous', count: 2 } })).toBe(false);
  });

  test('[G3] counts only the votes of givers who could have answered here', () => {
    expect(isAnswered({ by: ben, voters: [ann, ben] }, quorum(2, ['ben', 'cy']))).toBe(false);
    expect(isAnswered({ by: ben, voters: [ann, ben] }, quorum(2, ['ann', 'ben', 'cy']))).toBe(true);
    expect(isAnswered({ by: ben, voters: [ann, ben] }, quorum(1, ['ann', 'cy']))).toBe(true);
  });

  test('[G3] does not choose among several options of one kind', () => {
    const options = [...fourOptions, { value: 'prod', label: 'Also prod', kind: 'allow_once' }];
    expect(isAnswered({}, { options })).toBe(false);
    expect(isAnswered({ decision: 'reject' }, { options })).toBe(true);
  });

  test('[G3] does not fill in what nobody proposed', () => {
    expect(isAnswered({}, { fields: [{ name: 'why', type: 'text', required: true }] })).toBe(false);
    expect(isAnswered({}, { fields: [{ name: 'pin', type: 'password', required: true }] })).toBe(false);
    expect(isAnswered({}, { payloadSchema: { type: 'object' } })).toBe(false);
  });

  test('[G2] does not answer a question without an option that says the same', () => {
    const options = fourOptions.slice(2);
    expect(isAnswered({}, { options })).toBe(false);
    expect(isAnswered({}, { options: ['a', 'b'], kind: 'choice' })).toBe(false);
  });
});

describe('offering a grant', () => {
  test.each(['allow_always', 'reject_always'])('[G5] an option of kind %s needs a grant', (kind) => {
    for (const kindOfQuestion of ['approval', 'choice'] as const)
      expect(problemsIn(decideAsk({ kind: kindOfQuestion, options: [{ value: 'x', label: 'X', kind }] }))).toEqual([
        ['/grant', 'required'],
      ]);
  });

  test('[G5] scope run needs a run', () => {
    expect(problemsIn(decideAsk({ ...asking, grant: { key: 'k', scope: 'run' } }))).toEqual([['/run', 'required']]);
    expect(decideAsk({ ...asking, grant: { key: 'k', scope: 'run' }, run: { id: 'r' } }).ok).toBe(true);
  });

  test('[G5] only picking one option can give a grant', () => {
    const grant = { key: 'k', scope: 'run' } as const;
    expect(problemsIn(decideAsk({ grant }))).toEqual([
      ['/grant', 'not-allowed'],
      ['/run', 'required'],
    ]);
    expect(problemsIn(decideAsk({ ...asking, kind: 'choice', maxSelections: 2 }))).toEqual([['/grant', 'not-allowed']]);
  });
});
