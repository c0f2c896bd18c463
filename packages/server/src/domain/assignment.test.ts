import type { Actor, Interaction } from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import {
  type Asking,
  accepted,
  agent,
  ann,
  ask,
  at,
  ben,
  cy,
  decideAsk,
  decideDecline,
  digestOf,
  fourOptions,
  hourMs,
  human,
  now,
  problemsIn,
  refused,
} from './asking.fixture.ts';
import type { Command, Responder } from './command.ts';
import { decide } from './decide.ts';

type Given = Partial<Responder> & { by: Actor };

const ids = { answerId: 'a', grantId: 'g', splitId: 's' };
const answering = (responder: Given, choice = 'a'): Command => ({
  ...{ type: 'answer', ...ids, answerId: `vote-${responder.by.id}`, values: { choice } },
  ...responder,
});
const after = (state: Interaction, ...commands: Command[]): Interaction =>
  commands.reduce((before, command) => accepted(decide(before, command, now)).interaction, state);
const faultOf = (state: Interaction, command: Command, time = now) => refused(decide(state, command, time));
const claim = (by: Actor, more: Partial<Responder> = {}): Command => ({ type: 'claim', forMs: hourMs, by, ...more });
const delegate = (responder: Given, to: string): Command => ({ type: 'delegate', to, digestOf, ...responder });
const reassign = (assignees: string[], isAdmin = true): Command => ({
  ...{ type: 'reassign', by: agent, isAdmin, assignees, digestOf },
});
const release = (by: Actor, isAdmin = false): Command => ({ type: 'release', by, isAdmin });
const choice = (more: Asking = {}) => ask({ options: ['a', 'b'], ...more });
const forAnnAndBen: Asking = { responder: { type: 'human', assignees: ['ann', 'ben'] } };
const ofGroups = (...of: [group: string, count: number][]): Asking => ({
  resolution: { mode: 'quorum', of: of.map(([group, count]) => ({ group, count })) },
});
const member = (by: Actor, ...groups: string[]): Given => ({ by, names: groups.map((group) => `group:${group}`) });

describe('who may answer', () => {
  test('[PE50] a member of a group that is asked may answer, and the vote records the assignee', () => {
    const state = choice({ responder: { type: 'human', assignees: ['group:finance', 'ben'] } });
    expect(faultOf(state, answering(member(ann, 'legal')))).toMatchObject({
      code: 'wrong-responder',
      detail: 'The question is for human the group finance, ben. You are human ann.',
      current: { responders: [{ assignee: 'group:finance' }, { assignee: 'ben' }] },
    });
    expect(after(state, answering(member(ann, 'legal', 'finance'))).answer?.assignee).toBe('group:finance');
    expect(after(state, answering({ by: ben })).answer?.assignee).toBe('ben');
  });

  test('[PE50] nobody has the name of a group', () => {
    const state = choice({ responder: { type: 'human', assignees: ['group:finance'] } });
    expect(faultOf(state, answering({ by: human('group:finance') })).code).toBe('wrong-responder');
  });

  test.each<[string, Given]>([
    ['the requester', { by: ann, requesters: [{ type: 'human', id: 'ann' }] }],
    ['the requester by the name of an assignee', { by: ann, requesters: [{ type: 'human', id: 'person:ann' }] }],
    ['the key that asked', { by: { type: 'human', id: 'key:requester', via: 'key', keyId: 'requester' } }],
    ['the key that asked, naming somebody', { by: { ...ben, via: 'key', keyId: 'requester' } }],
    [
      'a key of the requester, naming somebody',
      { by: { ...ben, via: 'key', keyId: 'k' }, keyOwner: 'ann', requesters: [{ type: 'human', id: 'ann' }] },
    ],
    ['a key of the requester', { by: human('key:k'), countsAs: 'ann', requesters: [{ type: 'human', id: 'ann' }] }],
    [
      'a key that started the run',
      { by: { ...ben, via: 'key', keyId: 'k2' }, requesters: [{ type: 'agent', id: 'k2' }] },
    ],
    ['an agent', { by: { type: 'agent', id: 'other', via: 'key' } }],
  ])('[PE51] notRequester excludes %s', (_who, responder) => {
    const state = choice({ responder: { type: 'any', notRequester: true } });
    const fault = faultOf(state, answering(responder));
    expect(fault.code).toBe('not-requester');
    expect(fault.detail).toContain('any person');
    expect(faultOf(state, claim(responder.by, responder)).code).toBe('not-requester');
    expect(after(state, answering({ by: cy, requesters: [{ type: 'human', id: 'ann' }] })).status).toBe('answered');
  });

  test('[PE51] a token that the asking key created is refused, and one of another key is not', () => {
    const asked = choice({ responder: { type: 'human', notRequester: true } });
    const state: Interaction = { ...asked, createdBy: { ...agent, keyId: 'asking' } };
    expect(faultOf(state, answering({ by: { ...ben, via: 'token', keyId: 'asking' } })).code).toBe('not-requester');
    expect(after(state, answering({ by: { ...ben, via: 'token', keyId: 'other' } })).status).toBe('answered');
    // Two people who signed in by links of one key are two people.
    const requester: Actor = { ...ann, via: 'link', keyId: 'asking' };
    const byAnn: Interaction = { ...asked, createdBy: requester };
    expect(after(byAnn, answering({ by: { ...ben, via: 'link', keyId: 'asking' } })).status).toBe('answered');
  });

  test('[PE190] a token or a link that a requester created is refused, and says how else to answer', () => {
    const state = choice({ responder: { type: 'human', notRequester: true } });
    const requesters = [{ type: 'human', id: 'person:ann' }] as const;
    const faultBy = (by: Partial<Actor>) => faultOf(state, answering({ by: { ...ben, ...by }, requesters }));
    const byToken = faultBy({ issuedBy: ['ann'] });
    expect(byToken).toMatchObject({ code: 'not-requester', detail: expect.stringContaining('created your token') });
    expect(byToken.detail).toContain('any person, except the requester');
    const byLink = faultBy({ via: 'link', issuedBy: ['cy', 'ann'] });
    expect(byLink.detail).toContain('created your sign-in link. Sign in with a passkey');
    expect(faultBy({ id: 'ann', via: 'link', issuedBy: ['ann'] }).detail).toContain('You asked this question');
    const byAnother: Given = { by: { ...ben, issuedBy: ['cy'] }, requesters };
    expect(after(state, answering(byAnother)).status).toBe('answered');
  });

  test('[PE51] a deputy of the requester may answer only through a name of their own', () => {
    const responder = { type: 'human', assignees: ['person:ann', 'group:finance'], notRequester: true } as const;
    const requesters = [{ type: 'human', id: 'ann' }] as const;
    const absent = [{ personId: 'ann', names: ['person:ann'] }];
    const state = choice({ responder: { ...responder, assignees: [...responder.assignees] } });
    expect(faultOf(state, answering({ by: ben, absent, requesters })).code).toBe('not-requester');
    const vote = after(state, answering({ ...member(ben, 'finance'), absent, requesters })).answer;
    expect(vote).toMatchObject({ assignee: 'group:finance', by: ben });
  });

  test('[PE51] without notRequester the requester may answer', () => {
    expect(after(choice(), answering({ by: ann, requesters: [ann] })).status).toBe('answered');
  });

  test('[PE51] only people can be other than the requester', () => {
    expect(problemsIn(decideAsk({ responder: { type: 'agent', notRequester: true } }))).toEqual([
      ['/responder/notRequester', 'not-allowed'],
    ]);
    expect(choice({ responder: { type: 'human', notRequester: false } }).responder).toEqual({ type: 'human' });
  });
});

describe('counting people', () => {
  const twoOf = (...assignees: string[]): Asking => ({
    ...(assignees.length > 0 ? { responder: { type: 'human', assignees } } : {}),
    resolution: { mode: 'quorum', count: 2 },
  });
  const keyOf = (owner: string): Given => ({ by: { ...human('key:k'), via: 'key', keyId: 'k' }, countsAs: owner });

  test.each<[string, Given, Given]>([
    ['with two browsers', { by: { ...ann, via: 'oidc' } }, { by: { ...ann, via: 'passkey' } }],
    ['with a new name', { by: { ...ann, name: 'Ann' } }, { by: { ...ann, name: 'Anna' } }],
    ['with a token', { by: ann }, { by: { ...human('person:ann'), via: 'token' } }],
    ['with a link', { by: { ...ann, via: 'link', keyId: 'k' } }, { by: ann }],
    ['with a key', { by: ann }, keyOf('ann')],
    ['with a key, then in a session', keyOf('ann'), { by: ann }],
    ['with two keys', keyOf('ann'), { ...keyOf('ann'), by: { ...human('key:k2'), via: 'key', keyId: 'k2' } }],
    [
      'with a key that names somebody else',
      { by: ann },
      { by: { ...human('anna'), via: 'key', keyId: 'k' }, keyOwner: 'ann' },
    ],
    [
      'with a key first that names somebody else',
      { by: { ...human('anna'), via: 'key', keyId: 'k' }, keyOwner: 'ann' },
      { by: ann },
    ],
  ])('[PE54] one person counts once: %s', (_how, first, second) => {
    const state = after(choice(twoOf()), answering(first));
    expect(state.status).toBe('pending');
    expect(faultOf(state, answering(second)).code).toBe('already-voted');
    expect(refused(decide(state, { type: 'decline', ...ids, ...second }, now)).code).toBe('already-voted');
  });

  const email = { ...human('Ann@Example.com') };
  const emails = { ann: 'ann@example.com' };

  test.each<[string, Given]>([
    ['in a session', { by: { ...ann, via: 'oidc' }, emails }],
    ['with their key', { ...keyOf('ann'), emails }],
    ['with their key, naming somebody', { by: { ...cy, via: 'key', keyId: 'k' }, keyOwner: 'ann', emails }],
    ['by a deputy', { by: ben, absent: [{ personId: 'ann', names: ['person:ann'], email: 'ann@example.com' }] }],
    ['by the email in other letters', { by: human('ann@example.com') }],
  ])('[PE191] a vote under an email and a later one %s are of one person', (_how, second) => {
    const asked = choice({ ...twoOf('person:ann', 'Ann@Example.com', 'ann@example.com', 'key:k', 'cy') });
    const names = second.absent ? [] : ['person:ann'];
    const state = after(asked, answering({ by: email }));
    expect(state.status).toBe('pending');
    expect(faultOf(state, answering({ ...second, names })).code).toBe('already-voted');
    const claimed = after(asked, claim(email));
    const code = second.keyOwner ? 'interaction-claimed' : undefined;
    const decided = decide(claimed, answering({ ...second, names }), now);
    expect(decided.ok ? undefined : decided.fault.code).toBe(code);
  });

  test('[PE54] the users of one application vote through one key', () => {
    const viaKey = (id: string): Given => ({ by: { ...human(id), via: 'key', keyId: 'k' }, keyOwner: 'zoe' });
    expect(after(choice(twoOf()), answering(viaKey('ann')), answering(viaKey('ben'))).status).toBe('answered');
  });

  const absent = [{ personId: 'ann', names: ['person:ann'] }];

  test('[PE55] a deputy answers under their own name, on behalf of the absent person', () => {
    const state = after(choice(twoOf('person:ann', 'person:cy')), answering({ by: ben, absent }));
    expect(state.votes).toMatchObject([{ by: { ...ben, onBehalfOf: 'ann' }, assignee: 'person:ann' }]);
    expect(state.status).toBe('pending');
    // The absent person cannot vote after the deputy, nor the deputy again.
    const annSelf = { by: ann, names: ['person:ann'] };
    expect(faultOf(state, answering(annSelf)).code).toBe('already-voted');
    expect(faultOf(state, answering({ by: ben, names: ['person:cy'] })).code).toBe('already-voted');
  });

  test('[PE55] a deputy cannot vote for a person who has voted, or after an own vote', () => {
    const asked = choice(twoOf('person:ann', 'person:ben', 'person:cy'));
    const annVoted = after(asked, answering({ by: ann, names: ['person:ann'] }));
    expect(faultOf(annVoted, answering({ by: human('dan'), absent })).code).toBe('already-voted');
    const benVoted = after(asked, answering({ by: ben, names: ['person:ben'] }));
    expect(faultOf(benVoted, answering({ by: ben, names: ['person:ben'], absent })).code).toBe('already-voted');
  });

  test('[PE55] a deputy who is an assignee answers as themselves, and one of two absent people is enough', () => {
    const asked = choice({ responder: { type: 'human', assignees: ['person:ann', 'person:ben'] } });
    const own = after(asked, answering({ by: ben, names: ['person:ben'], absent })).answer;
    expect(own?.by).toEqual(ben);
    const forTwo = [{ personId: 'dan', names: ['person:dan'] }, ...absent];
    expect(after(asked, answering({ by: cy, absent: forTwo })).answer?.by.onBehalfOf).toBe('ann');
    expect(faultOf(choice(), answering({ by: { ...agent, type: 'agent' }, absent })).code).toBe('wrong-responder');
  });

  test('[PE56] a quorum of groups needs the people of each group', () => {
    const asked = choice(ofGroups(['finance', 2], ['legal', 1]));
    expect(asked.responder.assignees).toEqual(['group:finance', 'group:legal']);
    const both = after(asked, answering(member(ann, 'finance', 'legal')), answering(member(ben, 'finance')));
    expect(both.status).toBe('pending');
    expect(both.votes.map(({ groups }) => groups)).toEqual([['finance', 'legal'], ['finance']]);
    // Ann counts for legal, once another member of finance votes.
    expect(after(both, answering(member(cy, 'finance'))).status).toBe('answered');
    expect(after(both, answering(member(cy, 'legal'))).status).toBe('answered');
  });

  test('[PE56] the votes of a quorum of groups must agree, and declines agree with each other', () => {
    const asked = choice(ofGroups(['finance', 1], ['legal', 1]));
    const differ = after(asked, answering(member(ann, 'finance'), 'a'), answering(member(ben, 'legal'), 'b'));
    expect(differ.status).toBe('pending');
    expect(after(differ, answering(member(cy, 'legal'), 'a'))).toMatchObject({
      closedReason: 'answered',
      closedBy: cy,
    });
    const declining = (responder: Given): Command => ({ type: 'decline', ...ids, ...responder });
    const declined = after(asked, declining(member(ann, 'finance')), declining(member(ben, 'legal')));
    expect(declined).toMatchObject({ status: 'answered', closedReason: 'declined' });
  });

  test.each<[string, Asking, [string, string][]]>([
    ['a group twice', ofGroups(['a', 1], ['a', 1]), [['/resolution/of/1/group', 'unique']]],
    ['too many votes', ofGroups(['a', 60], ['b', 60]), [['/resolution/of', 'max']]],
    [
      'other assignees',
      { ...ofGroups(['a', 1]), responder: { type: 'human', assignees: ['ann'] } },
      [['/responder/assignees', 'not-allowed']],
    ],
    ['agents', { ...ofGroups(['a', 1]), responder: { type: 'agent' } }, [['/responder/type', 'not-allowed']]],
    [
      'an escalation',
      { ...ofGroups(['a', 1]), escalations: [{ at: at(now + 1), assignees: ['ann'] }] },
      [['/escalations', 'not-allowed']],
    ],
  ])('[PE57] a quorum of groups takes no %s', (_what, asking, problems) => {
    expect(problemsIn(decideAsk(asking))).toEqual(problems);
  });

  test('[PE58] votes of people who are no longer assignees stay, and the count allows for them', () => {
    const asked = choice(twoOf('ann', 'ben', 'cy'));
    const voted = after(asked, answering({ by: ann }), reassign(['ben', 'dan']));
    expect(voted.votes).toHaveLength(1);
    expect(after(voted, answering({ by: ben }, 'b'), answering({ by: human('dan') })).status).toBe('answered');
    // Nobody is left who could agree with one of the two.
    const split = after(voted, answering({ by: ben }, 'b'));
    expect(problemsIn(decide(split, reassign(['ann', 'ben']), now))).toEqual([['/assignees', 'max']]);
  });
});

describe('claims', () => {
  test('[PE60] while a claim stands, only its claimer may answer', () => {
    const state = after(choice(), claim(ann));
    expect(state).toMatchObject({ version: 2, claim: { by: ann, at: at(now), until: at(now + hourMs) } });
    expect(faultOf(state, answering({ by: ben }))).toMatchObject({
      code: 'interaction-claimed',
      detail: `human ann has claimed the question until ${at(now + hourMs)}. Wait, or ask them to release it.`,
      current: { claim: state.claim },
    });
    expect(faultOf(state, claim(ben)).code).toBe('interaction-claimed');
    expect(refused(decideDecline(state, ben)).code).toBe('interaction-claimed');
    const closed = after(state, answering({ by: ann }));
    expect(closed).not.toHaveProperty('claim');
    expect(closed.status).toBe('answered');
  });

  test('[PE60] a claim ends by itself, and a second claim extends it', () => {
    const state = after(choice(), claim(ann));
    const later = now + hourMs;
    expect(faultOf(state, answering({ by: ben }), later - 1).code).toBe('interaction-claimed');
    expect(accepted(decide(state, answering({ by: ben }), later)).interaction.status).toBe('answered');
    const extended = accepted(decide(state, claim(ann), later - 1)).interaction;
    expect(extended.claim?.until).toBe(at(later - 1 + hourMs));
    expect(accepted(decide(state, claim(ben), later)).interaction.claim?.by).toEqual(ben);
  });

  test('[PE60] a person holds a claim with every session, token and key', () => {
    const keyed = { by: human('key:k'), countsAs: 'ann' };
    const state = after(choice(), claim(keyed.by, keyed));
    expect(after(state, answering({ by: ann })).status).toBe('answered');
    expect(after(after(choice(), claim(ann)), answering(keyed)).status).toBe('answered');
  });

  test('[PE61] the claimer and admins release a claim', () => {
    const state = after(choice(), claim(ann));
    expect(faultOf(state, release(ben)).code).toBe('interaction-claimed');
    for (const command of [release(ann), release(ben, true)]) {
      const { interaction, events } = accepted(decide(state, command, now));
      expect(interaction).not.toHaveProperty('claim');
      expect(events.map(({ type }) => type)).toEqual(['interaction.released']);
    }
    expect(faultOf(choice(), release(ann)).code).toBe('interaction-not-claimed');
    expect(faultOf(state, release(ann), now + hourMs).code).toBe('interaction-not-claimed');
  });

  test('[PE60] a claim does not stop the deadline or a cancellation', () => {
    const state = after(choice({ deadline: { at: at(now + 1), outcome: 'expire' } }), claim(ann));
    for (const command of [
      { type: 'expire', answerId: 'x' },
      { type: 'cancel', by: agent },
    ] as const)
      expect(accepted(decide(state, command, now + 1)).interaction).not.toHaveProperty('claim');
    expect(faultOf(state, claim(ann), now + 1).code).toBe('interaction-expired');
  });

  test('[PE60] a vote ends the claim of its voter', () => {
    const state = after(choice({ resolution: { mode: 'quorum', count: 2 } }), claim(ann), answering({ by: ann }));
    expect(state).not.toHaveProperty('claim');
    expect(after(state, answering({ by: ben })).status).toBe('answered');
    expect(faultOf(state, claim(ann)).code).toBe('already-voted');
  });
});

describe('reassigning', () => {
  test('[PE64] it replaces the assignees, ends the claim and changes the digest', () => {
    const before = after(choice(forAnnAndBen), claim(ann));
    const { interaction, events } = accepted(decide(before, { ...reassign(['cy', 'ann', 'cy']) }, now));
    expect(interaction.responder).toEqual({ type: 'human', assignees: ['cy', 'ann'] });
    expect(interaction).not.toHaveProperty('claim');
    expect(interaction.digest).not.toBe(before.digest);
    expect(events).toMatchObject([
      {
        type: 'interaction.reassigned',
        actor: agent,
        data: { added: ['cy'], removed: ['ben'], assignees: ['cy', 'ann'] },
      },
    ]);
  });

  test('[PE64] an agent key cannot choose who approves, if agents may approve or a deadline does', () => {
    const approval: Asking = { kind: 'approval', options: fourOptions, grant: { key: 'k', scope: 'org' } };
    const byAgent = ask({ ...approval, responder: { type: 'any', assignees: ['ann'] } });
    expect(faultOf(byAgent, reassign(['requester'], false)).code).toBe('admin-key-needed');
    expect(decide(byAgent, reassign(['ben']), now).ok).toBe(true);
    const timed: Asking = {
      recommendations: { decision: 'yes' },
      deadline: { at: at(now + 9), outcome: 'recommended' },
    };
    expect(faultOf(ask({ ...approval, ...timed }), reassign(['ben'], false)).code).toBe('admin-key-needed');
    expect(decide(ask(approval), reassign(['ben'], false), now).ok).toBe(true);
  });

  test.each<[string, Asking, string[], string]>([
    ['groups of a quorum', ofGroups(['a', 1]), ['ann'], 'not-allowed'],
    ['too few for the quorum', { resolution: { mode: 'quorum', count: 2 } }, ['ann'], 'max'],
    ['too many', {}, Array.from({ length: 101 }, (_, n) => `p${n}`), 'max'],
  ])('[PE64] it does not replace %s', (_what, asking, assignees, code) => {
    expect(problemsIn(decide(choice(asking), reassign(assignees), now))).toEqual([['/assignees', code]]);
  });
});

describe('delegating', () => {
  test('[PE65] a colleague replaces the assignee', () => {
    const before = after(choice(forAnnAndBen), claim(ann));
    const { interaction, events } = accepted(decide(before, { ...delegate({ by: ann }, 'cy') }, now));
    expect(interaction.responder.assignees).toEqual(['cy', 'ben']);
    expect(interaction).not.toHaveProperty('claim');
    expect(events).toMatchObject([
      { type: 'interaction.reassigned', actor: ann, data: { added: ['cy'], removed: ['ann'], from: 'ann' } },
    ]);
    expect(faultOf(interaction, answering({ by: ann })).code).toBe('wrong-responder');
    expect(after(interaction, answering({ by: cy })).status).toBe('answered');
  });

  test('[PE65] of a group nobody is removed', () => {
    const state = choice({ responder: { type: 'human', assignees: ['group:finance'] } });
    const { interaction, events } = accepted(decide(state, delegate(member(ann, 'finance'), 'cy'), now));
    expect(interaction.responder.assignees).toEqual(['group:finance', 'cy']);
    expect(events).toMatchObject([{ data: { added: ['cy'], removed: [] } }]);
  });

  test('[PE65] a deputy hands over the place of the absent person', () => {
    const absent = [{ personId: 'ann', names: ['person:ann'] }];
    const state = choice({ responder: { type: 'human', assignees: ['person:ann', 'ben'] } });
    const { interaction, events } = accepted(decide(state, delegate({ by: cy, absent }, 'person:dan'), now));
    expect(interaction.responder.assignees).toEqual(['person:dan', 'ben']);
    expect(events).toMatchObject([{ actor: { ...cy, onBehalfOf: 'ann' } }]);
  });

  test.each<[string, Asking, Given, string, string]>([
    ['a group', forAnnAndBen, { by: ann }, 'group:a', 'person'],
    ['oneself', forAnnAndBen, { by: ann }, 'person:ann', 'same'],
    [
      'oneself by a group',
      { responder: { type: 'human', assignees: ['group:a'] } },
      { by: ann, names: ['group:a', 'person:7'] },
      'person:7',
      'same',
    ],
    ['an assignee', forAnnAndBen, { by: ann }, 'person:ben', 'same'],
    ['anybody, if everybody is asked', {}, { by: ann }, 'ben', 'not-allowed'],
    ['a place of a quorum of groups', ofGroups(['a', 1]), member(ann, 'a'), 'ben', 'not-allowed'],
  ])('[PE65] nobody hands it to %s', (_what, asking, responder, to, code) => {
    expect(problemsIn(decide(choice(asking), delegate(responder, to), now))).toContainEqual(['/to', code]);
  });

  test('[PE65] a colleague who has voted cannot vote for two', () => {
    const asked = choice({ ...forAnnAndBen, resolution: { mode: 'quorum', count: 2 } });
    const voted = after(asked, answering({ by: ann }), delegate({ by: ben }, 'cy'));
    expect(voted.responder.assignees).toEqual(['ann', 'cy']);
    const annMoved = after(asked, answering({ by: ann }), reassign(['ben', 'cy']));
    expect(problemsIn(decide(annMoved, delegate({ by: ben }, 'ann'), now))).toEqual([['/to', 'voted']]);
    expect(faultOf(voted, delegate({ by: ann }, 'dan')).code).toBe('already-voted');
  });

  test('[PE66] notRequester also holds for the colleague, before and after', () => {
    const state = choice({ responder: { type: 'human', assignees: ['ann', 'ben'], notRequester: true } });
    const requesters = [{ type: 'human', id: 'cy' }] as const;
    expect(faultOf(state, delegate({ by: ann, requesters }, 'person:cy')).code).toBe('not-requester');
    expect(faultOf(state, delegate({ by: ann, requesters: [ann] }, 'dan')).code).toBe('not-requester');
    const moved = after(state, reassign(['cy']));
    expect(faultOf(moved, answering({ by: cy, requesters })).code).toBe('not-requester');
  });

  test('[PE66] an agent cannot hand an approval to somebody else', () => {
    const state = ask({ kind: 'approval', responder: { type: 'any', assignees: ['requester'] } });
    expect(faultOf(state, delegate({ by: agent }, 'other')).code).toBe('admin-key-needed');
  });
});

test('[PE59] a grant answers only what its givers could answer now, and never for their own request', () => {
  const grant = { key: 'k', scope: 'org' } as const;
  const approval: Asking = { kind: 'approval', options: fourOptions, grant };
  const given = accepted(
    decide(
      ask(approval),
      { ...answering({ by: ann }), type: 'answer', ...ids, values: { decision: 'ever' } } as Command,
      now,
    ),
  ).grant;
  if (!given) throw new Error('no grant');
  const isAnswered = (asking: Asking, voters?: Parameters<typeof known>[0]) => {
    const asked = ask({ ...approval, ...asking });
    const { blocking, responder, resolution, origin } = asked;
    const { kind, title, fields } = asked;
    const command: Command = {
      ...{ type: 'create', id: 'x', threadId: 'thread', question: { kind, title, fields }, digestOf },
      ...{ policy: { blocking, responder, resolution, origin, grant }, by: agent, isAdmin: true, answerId: 'auto' },
      grants: [given],
      ...(voters ? { voters: known(voters) } : {}),
    };
    return accepted(decide(null, command, now)).interaction.status === 'answered';
  };
  const forFinance: Asking = { responder: { type: 'human', assignees: ['group:finance'] } };
  expect(isAnswered({})).toBe(true);
  expect(isAnswered(forFinance)).toBe(false);
  expect(isAnswered(forFinance, { names: ['group:finance'] })).toBe(true);
  expect(isAnswered({}, { names: [], isInactive: true })).toBe(false);
  expect(isAnswered({ responder: { type: 'human', notRequester: true } }, { names: [], requester: 'ann' })).toBe(false);
  expect(isAnswered({ responder: { type: 'human', notRequester: true } }, { names: [], requester: 'ben' })).toBe(true);
  expect(isAnswered(ofGroups(['finance', 1]), { names: ['group:finance'] })).toBe(true);
  expect(isAnswered(ofGroups(['finance', 1], ['legal', 1]), { names: ['group:finance', 'group:legal'] })).toBe(false);
});

const known = ({ requester, ...ann }: { names: string[]; isInactive?: true; requester?: string }) => ({
  known: { ann },
  requesters: requester === undefined ? [] : [{ type: 'human' as const, id: requester }],
});
