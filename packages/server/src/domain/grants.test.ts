// cspell:ignore asker
import { defined, type FreeObject, type Grant, type GrantCoverage } from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import {
  type Asking,
  accepted,
  agent,
  ann,
  answer,
  ask,
  at,
  ben,
  cy,
  decideAnswer,
  decideAsk,
  decline,
  fourOptions,
  hourMs,
  now,
  problemsIn,
} from './asking.fixture.ts';
import { coverageWanted } from './grants.ts';

const asking: Asking = { kind: 'approval', options: fourOptions, grant: { key: 'deploy', scope: 'org' } };
const quorum = (count: number, assignees?: string[]): Asking => ({
  resolution: { mode: 'quorum', count },
  responder: { type: 'human', ...defined({ assignees }) },
});
/** Returns what "always" covers for this question. */
const coverageWhere = (more: Asking = {}): GrantCoverage =>
  coverageWanted(ask({ ...asking, ...more })) as GrantCoverage;
const standing: Grant = {
  id: 'g1',
  key: 'deploy',
  scope: 'org',
  decision: 'allow',
  covers: coverageWhere(),
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
      covers: {
        asker: { type: agent.type, id: agent.id },
        origin: { type: 'agent' },
        kind: 'approval',
        title: 'Well?',
        fields: state.fields,
        arguments: {},
        variable: [],
      },
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

  test('[G1] an option for once, and a plain decline, give none', () => {
    for (const decision of ['yes', 'no']) expect(answer(ask(asking), ann, { decision }).grant).toBeUndefined();
    expect(decline(ask(asking), ann).grant).toBeUndefined();
  });

  test('[G1] with a quorum, all votes that agree must have picked always', () => {
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
  /** Uses a grant that covers the question, so that only its other properties decide. */
  const isAnswered = (grant: Partial<Grant>, more: Asking = {}, time = now) =>
    ask({ ...asking, ...more }, { grants: [{ ...standing, covers: coverageWhere(more), ...grant }], time }).status ===
    'answered';

  test('[G2] answers a later question at once, and the answer says so', () => {
    const { interaction, events } = accepted(decideAsk(asking, { grants: [standing] }));
    const by = { type: 'system', id: 'grant', via: 'rule' };
    expect(interaction).toMatchObject({
      status: 'answered',
      closedReason: 'answered',
      closedBy: by,
      version: 2,
      answer: { id: 'auto', decision: 'accepted', values: { decision: 'yes' }, by, automatic: 'grant', grantId: 'g1' },
    });
    expect(events.map(({ type, data }) => [type, (data as FreeObject).version])).toEqual([
      ['interaction.created', 1],
      ['interaction.answered', 2],
    ]);
    expect(events[0]?.data).toMatchObject({ interaction: { status: 'pending', version: 1, votes: [] } });
  });

  test('[G2] a reject declines', () => {
    const outcome = accepted(decideAsk(asking, { grants: [{ ...standing, decision: 'reject' }] }));
    expect(outcome.interaction).toMatchObject({ closedReason: 'declined', answer: { values: { decision: 'no' } } });
    expect(outcome).not.toHaveProperty('grant');
  });

  test('[G2][AN8] accepts the proposed arguments', () => {
    const fields = [{ name: 'env', type: 'text', required: true }];
    const more = { fields, arguments: { env: 'live' } };
    const state = ask({ ...asking, ...more }, { grants: [{ ...standing, covers: coverageWhere(more) }] });
    expect(state.answer?.values).toEqual({ decision: 'yes', env: 'live' });
  });

  test('[G2] the newest grant that applies wins', () => {
    const newestFirst: Grant[] = [
      { ...standing, id: 'elsewhere', scope: 'thread', threadId: 'other' },
      { ...standing, id: 'newest', decision: 'reject', createdAt: at(now - 5) },
      { ...standing, id: 'oldest', createdAt: at(now) },
    ];
    expect(ask(asking, { grants: newestFirst }).answer).toMatchObject({ grantId: 'newest', decision: 'declined' });
  });

  test('[G2] applies in its thread, its run or the org', () => {
    expect(isAnswered({ scope: 'thread' })).toBe(true);
    expect(isAnswered({ scope: 'thread', threadId: 'other' })).toBe(false);
    expect(isAnswered({ scope: 'run', runId: 'r1' }, { run: { id: 'r1' } })).toBe(true);
    expect(isAnswered({ scope: 'run', runId: 'r1' }, { run: { id: 'r2' } })).toBe(false);
    expect(isAnswered({ scope: 'run', runId: 'r1' })).toBe(false);
    expect(isAnswered({ scope: 'run' })).toBe(false);
    expect(isAnswered({ scope: 'org', threadId: 'other' })).toBe(true);
    for (const id of ['visitor:1', 'customer:ann']) {
      const voters = [{ type: 'human', id, via: 'token' }] as const;
      expect(isAnswered({ scope: 'org', threadId: 'other', voters: [...voters] })).toBe(false);
      expect(isAnswered({ scope: 'org', voters: [...voters] })).toBe(true);
    }
  });

  test('[G3] does not apply to another key, after its time, or after it is revoked', () => {
    expect(isAnswered({ key: 'delete' })).toBe(false);
    expect(isAnswered({ expiresAt: at(now + 1) })).toBe(true);
    expect(isAnswered({ expiresAt: at(now) })).toBe(false);
    expect(isAnswered({ revokedAt: at(now - 1) })).toBe(false);
  });

  test('[G3] does not apply if its giver could not have answered', () => {
    expect(isAnswered({}, { responder: { type: 'human', assignees: ['ben'] } })).toBe(false);
    expect(isAnswered({}, { responder: { type: 'human', assignees: ['ben', 'ann'] } })).toBe(true);
    expect(isAnswered({}, { responder: { type: 'agent' } })).toBe(false);
  });

  test('[G3] does not apply if more votes are needed than gave it', () => {
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

  test('[G3] does not fill in a field without a proposed value', () => {
    expect(isAnswered({}, { fields: [{ name: 'why', type: 'text', required: true }] })).toBe(false);
    expect(isAnswered({}, { fields: [{ name: 'pin', type: 'password', required: true }] })).toBe(false);
    expect(isAnswered({}, { payloadSchema: { type: 'object' } })).toBe(false);
  });

  test('[G2] does not answer a question without an option of its decision', () => {
    const options = fourOptions.slice(2);
    expect(isAnswered({}, { options })).toBe(false);
    expect(isAnswered({}, { options: ['a', 'b'], kind: 'choice' })).toBe(false);
  });
});

describe('what a grant covers', () => {
  const shell: Asking = {
    ...asking,
    title: 'Run this command?',
    arguments: { command: 'ls', path: '/tmp' },
    origin: { type: 'tool', reference: 'shell' },
    grant: { key: 'shell', scope: 'org' },
  };
  const variable = { grant: { key: 'shell', scope: 'org' as const, variable: ['path'] } };
  const given = (first: Asking, values: FreeObject = { decision: 'ever' }): Grant => {
    const { grant } = answer(ask({ ...shell, ...first }), ann, values);
    if (!grant) throw new Error('the answer gave no grant');
    return grant;
  };
  /** Reports whether "always" to the first question answers the second. */
  const isCovered = (first: Asking, second: Asking, values?: FreeObject) =>
    ask({ ...shell, ...second }, { grants: [given(first, values)] }).status === 'answered';

  test('[G20] the same question of the same requester', () => {
    expect(isCovered({}, {})).toBe(true);
    expect(isCovered({}, { arguments: { path: '/tmp', command: 'ls' } })).toBe(true);
    expect(isCovered({}, {}, { decision: 'never' })).toBe(true);
  });

  const others: [string, Asking][] = [
    ['another value of an argument', { arguments: { command: 'rm -rf /', path: '/tmp' } }],
    ['one argument more', { arguments: { command: 'ls', path: '/tmp', force: true } }],
    ['one argument less', { arguments: { command: 'ls' } }],
    ['another tool', { origin: { type: 'tool', reference: 'root-shell' } }],
    ['another title', { title: 'Run `rm -rf /`?' }],
    ['another text', { body: 'In /etc' }],
    ['another content', { content: [{ type: 'message', payload: { text: 'rm -rf /' } }] }],
    ['other options', { options: fourOptions.slice(0, 2) }],
    ['another field', { fields: [{ name: 'force', type: 'checkbox' }] }],
    ['another recommendation', { recommendations: { decision: 'yes' } }],
    ['another label of the button', { submitLabel: 'Run' }],
    ['another variable argument', { ...variable }],
  ];
  test.each(others)('[G20] not %s', (_, second) => {
    for (const decision of ['ever', 'never']) {
      expect(isCovered({}, second, { decision })).toBe(false);
      const isOffered = fourOptions.some(({ value }) => value === decision) && second.options === undefined;
      if (isOffered) expect(isCovered(second, {}, { decision })).toBe(false);
    }
  });

  test('[G20] not another requester, and nothing if a grant of an earlier version has only its key', () => {
    const grant = given({});
    const { covers, ...bare } = grant;
    const asker = { type: 'agent', id: 'another' } as const;
    expect(ask(shell, { grants: [grant] }).status).toBe('answered');
    expect(ask(shell, { grants: [{ ...grant, covers: { ...(covers as GrantCoverage), asker } }] }).status).toBe(
      'pending',
    );
    expect(ask(shell, { grants: [bare] }).status).toBe('pending');
    expect(ask(shell, { grants: [bare, grant] }).answer).toMatchObject({ grantId: grant.id });
  });

  test('[G21] any value of an argument that the question declares variable', () => {
    expect(isCovered(variable, { ...variable, arguments: { command: 'ls', path: '/etc' } })).toBe(true);
    expect(isCovered(variable, { ...variable, arguments: { command: 'rm', path: '/tmp' } })).toBe(false);
    // A later question that does not declare the argument variable is not covered.
    expect(isCovered(variable, { arguments: { command: 'ls', path: '/etc' } })).toBe(false);
    expect(given(variable).covers).toMatchObject({ arguments: { command: 'ls' }, variable: ['path'] });
  });

  test('[G21] any value of a variable argument that may be edited, whatever its proposed value', () => {
    const fields = [{ name: 'path', type: 'text', required: true }];
    const at = (path: string): Asking => ({ ...variable, fields, arguments: { command: 'ls', path } });
    expect(isCovered(at('/tmp'), at('/etc'))).toBe(true);
    expect(isCovered(at('/tmp'), at('/etc'), { decision: 'ever', path: '/home' })).toBe(true);
    expect(isCovered({ ...at('/tmp'), recommendations: { path: '/a' } }, at('/etc'))).toBe(false);
    expect(
      isCovered({ ...at('/tmp'), recommendations: { path: '/a' } }, { ...at('/etc'), recommendations: { path: '/b' } }),
    ).toBe(true);
  });

  test('[G21] only names of arguments are variable', () => {
    const asked = { ...shell, grant: { ...variable.grant, variable: ['path', 'nowhere', 'decision'] } };
    expect(problemsIn(decideAsk(asked))).toEqual([
      ['/grant/variable/1', 'unknown'],
      ['/grant/variable/2', 'unknown'],
    ]);
  });

  test('[G22] an approval covers the arguments of the answer', () => {
    const fields = [{ name: 'path', type: 'text' }];
    const at = (path: string): Asking => ({ fields, arguments: { command: 'ls', path } });
    const edited = { decision: 'ever', path: '/home' };
    expect(given(at('/'), edited).covers?.arguments).toEqual({ command: 'ls', path: '/home' });
    expect(isCovered(at('/'), at('/'), edited)).toBe(false);
    expect(isCovered(at('/'), at('/home'), edited)).toBe(true);
    const emptied = { decision: 'ever', path: null };
    expect(given(at('/'), emptied).covers?.arguments).toEqual({ command: 'ls' });
    expect(isCovered(at('/'), at('/'), emptied)).toBe(false);
  });

  test('[G22] a field that the person fills in is an argument too', () => {
    const fields = [{ name: 'env', type: 'select', options: ['staging', 'live'], default: 'live' }];
    expect(isCovered({ fields }, { fields }, { decision: 'ever', env: 'staging' })).toBe(false);
    expect(isCovered({ fields }, { fields }, { decision: 'ever', env: 'live' })).toBe(true);
  });

  test('[G22] a rejection covers the proposed arguments, even if the person edited them', () => {
    const fields = [{ name: 'path', type: 'text' }];
    const at = (path: string): Asking => ({ fields, arguments: { command: 'ls', path } });
    expect(isCovered(at('/'), at('/'), { decision: 'never', path: '/home' })).toBe(true);
    expect(isCovered(at('/'), at('/home'), { decision: 'never', path: '/home' })).toBe(false);
  });

  test('[G22] an approval with a secret or a payload gives no grant, because a grant cannot repeat them', () => {
    const secret = { ...shell, fields: [{ name: 'pin', type: 'password' }] };
    expect(answer(ask(secret), ann, { decision: 'ever', pin: '1234' })).not.toHaveProperty('grant');
    expect(answer(ask(secret), ann, { decision: 'ever' }).grant).toBeDefined();
    const payload = ask({ ...shell, payloadSchema: { type: 'object' } });
    const sent = { values: { decision: 'ever' }, payload: { a: 1 } };
    expect(accepted(decideAnswer(payload, ann, sent))).not.toHaveProperty('grant');
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
