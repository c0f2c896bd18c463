/** No sequence of joins, leaves, claims, delegations and votes lets a person count twice or a requester count at all. */
import { type Actor, type Interaction, votesNeeded } from '@holdpoint/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Asking, agent, ask, digestOf, human, now } from './asking.fixture.ts';
import type { Command, Responder } from './command.ts';
import { decide } from './decide.ts';
import { groupAssignee, personAssignee } from './people/assignee.ts';
import { claimAt } from './responder.ts';

const people = ['p0', 'p1', 'p2', 'p3', 'p4'] as const;
const groups = ['finance', 'legal'] as const;
/** The person who started the run, and the key that asked. */
const [requester, asking] = ['p4', 'requester'];
const requesters = [{ type: 'human', id: requester }] as const;
/** p1 is the deputy of p0, and p3 of p4. */
const absentOf: Record<string, string | undefined> = { p1: 'p0', p3: 'p4' };
const emailOf = (who: string): string => `${who}@example.com`;
const emailsOf = (...all: string[]) => Object.fromEntries(all.map((who) => [who, emailOf(who)]));

const person = fc.constantFrom(...people);
const group = fc.constantFrom(...groups);
const means = fc.constantFrom(
  ...['session', 'browser', 'token', 'link', 'key', 'key that names', 'deputy', 'agent'],
  ...['email', 'token of the requester', 'link of the requester'],
);
type Means = typeof means extends fc.Arbitrary<infer T> ? T : never;
const minutes = fc.integer({ min: 0, max: 40 });

type Step = { minutes: number } & (
  | { type: 'join' | 'leave'; who: string; group: string }
  | { type: 'vote' | 'decline'; who: string; means: Means; named: string; choice: string }
  | { type: 'claim' | 'release'; who: string; means: Means; named: string }
  | { type: 'delegate'; who: string; means: Means; named: string; to: string }
  | { type: 'reassign'; to: string[] }
  | { type: 'unassign'; who: string }
  | { type: 'cancel' }
);

const acting = { who: person, means, named: person, minutes };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom('join', 'leave'), who: person, group, minutes }) },
  { weight: 9, arbitrary: fc.record({ type: fc.constant('vote'), ...acting, choice: fc.constantFrom('a', 'a', 'b') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('decline'), ...acting, choice: fc.constant('') }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom('claim', 'release'), ...acting }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('delegate'), ...acting, to: person }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('reassign'), to: fc.subarray([...people], { minLength: 1 }), minutes }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('unassign'), who: person, minutes }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancel'), minutes }) },
);

const responder = fc.record(
  {
    type: fc.constantFrom('human', 'human', 'any'),
    assignees: fc.subarray(
      [
        'person:p0',
        'person:p1',
        'person:p2',
        'person:p4',
        'P0@Example.com',
        'p1@example.com',
        'group:finance',
        'group:legal',
      ],
      {
        minLength: 3,
      },
    ),
    notRequester: fc.boolean(),
  },
  { requiredKeys: ['type', 'notRequester'] },
);
const count = fc.integer({ min: 1, max: 3 });
const asked: fc.Arbitrary<Asking> = fc.oneof(
  fc.record({
    responder,
    resolution: fc.oneof(
      fc.record({ mode: fc.constantFrom('quorum', 'quorum', 'unanimous'), count }),
      fc.constant({ mode: 'first' as const }),
    ),
  }),
  fc.record({
    responder: fc.record({ type: fc.constant('human'), notRequester: fc.boolean() }),
    resolution: fc.record({
      mode: fc.constant('quorum'),
      of: fc.constantFrom(
        [{ group: 'finance', count: 2 }],
        [
          { group: 'finance', count: 1 },
          { group: 'legal', count: 1 },
        ],
        [
          { group: 'finance', count: 2 },
          { group: 'legal', count: 1 },
        ],
      ),
    }),
  }),
) as fc.Arbitrary<Asking>;

interface World {
  state: Interaction;
  members: Map<string, Set<string>>;
  /** Those who have acted as a person of the org. Others are known by an email alone. */
  invited: Set<string>;
  /** The people whose votes were taken, with those of a deputy's absent people, in the order of the votes. */
  counted: { who: string; used: string[]; owner: string | undefined; groups: string[] }[];
}

const namesOf = ({ members }: World, who: string): string[] => [
  personAssignee(who),
  ...groups.filter((each) => members.get(each)?.has(who)).map(groupAssignee),
];

/** Returns the responder as the operation would, and the person who really acts. */
function actingAs(world: World, { who, means, named }: { who: string; means: Means; named: string }) {
  if (means === 'email' && !world.invited.has(who)) {
    const by: Actor = { ...human(emailOf(who).toUpperCase()), via: 'token' };
    return { who, given: { by, requesters } };
  }
  if (means === 'agent')
    return { who: 'nobody', given: { by: { ...agent, id: asking, via: 'key', keyId: asking } as Actor, requesters } };
  world.invited.add(who);
  const own = (by: Actor): Responder => ({ by, names: namesOf(world, who), emails: emailsOf(who), requesters });
  const key = { via: 'key', keyId: `key-of-${who}` } as const;
  const absent = absentOf[who];
  switch (means) {
    case 'session':
      return { who, given: own({ ...human(who), via: 'oidc' }) };
    case 'browser':
      return { who, given: own({ ...human(who), via: 'passkey', name: 'Another name' }) };
    case 'token':
      return { who, given: own({ ...human(personAssignee(who)), via: 'token' }) };
    case 'email': {
      const given = own({ ...human(who), via: 'token' });
      return { who, given: { ...given, names: [emailOf(who), ...(given.names ?? [])] } };
    }
    case 'link':
      return { who, given: own({ ...human(who), via: 'link', keyId: 'some-key' }) };
    case 'link of the requester':
      return { who, given: own({ ...human(who), via: 'link', issuedBy: ['an-admin', requester] }) };
    case 'token of the requester':
      return { who, given: own({ ...human(who), via: 'token', issuedBy: [requester] }) };
    case 'key':
      return { who, given: { ...own({ type: 'human', id: `key:${key.keyId}`, ...key }), countsAs: who } };
    case 'key that names': {
      world.invited.add(named);
      const by: Actor = { type: 'human', id: named, ...key };
      const given: Responder = { by, names: namesOf(world, named), emails: emailsOf(named, who), requesters };
      return { who: named, given: named === who ? given : { ...given, keyOwner: who } };
    }
    default: {
      const given = own({ ...human(who), via: 'oidc' });
      if (!absent) return { who, given };
      world.invited.add(absent);
      const email = emailOf(absent);
      return { who, given: { ...given, absent: [{ personId: absent, names: namesOf(world, absent), email }] } };
    }
  }
}

function commandOf(world: World, step: Step, n: number): { command?: Command; who?: string } {
  const ids = { answerId: `v${n}`, grantId: `g${n}`, splitId: `s${n}` };
  switch (step.type) {
    case 'join':
    case 'leave': {
      const members = world.members.get(step.group);
      if (step.type === 'join') {
        world.invited.add(step.who);
        members?.add(step.who);
      } else members?.delete(step.who);
      return {};
    }
    case 'reassign':
      return {
        command: { type: 'reassign', by: agent, isAdmin: true, assignees: step.to.map(personAssignee), digestOf },
      };
    case 'unassign':
      return { command: { type: 'unassign', by: agent, assignee: personAssignee(step.who), digestOf } };
    case 'cancel':
      return { command: { type: 'cancel', by: agent } };
    default: {
      const { who, given } = actingAs(world, step);
      if (step.type === 'vote')
        return { who, command: { type: 'answer', ...ids, values: { choice: step.choice }, ...given } };
      if (step.type === 'decline') return { who, command: { type: 'decline', ...ids, ...given } };
      if (step.type === 'claim') return { who, command: { type: 'claim', forMs: 15 * 60_000, ...given } };
      if (step.type === 'release') return { who, command: { type: 'release', isAdmin: false, ...given } };
      if (step.type === 'delegate')
        return { who, command: { type: 'delegate', to: personAssignee(step.to), digestOf, ...given } };
      return { who };
    }
  }
}

test('[PE51][PE54][PE55][PE56][PE60][PE65][PE190][PE191] nobody counts twice, and a requester never counts', () => {
  const seen = new Map<string, number>();
  const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
  fc.assert(
    fc.property(
      asked,
      fc.array(step, { minLength: 5, maxLength: 40 }),
      fc.array(fc.tuple(person, group), { maxLength: 6 }),
      (question, steps, joined) => {
        const world: World = {
          state: ask({ options: ['a', 'b'], ...question }),
          members: new Map(groups.map((each) => [each, new Set<string>()])),
          invited: new Set([requester, ...joined.map(([who]) => who)]),
          counted: [],
        };
        for (const [who, each] of joined) world.members.get(each)?.add(who);
        let time = now;
        for (const [n, each] of steps.entries()) {
          time += each.minutes * 60_000;
          const { command, who } = commandOf(world, each, n);
          if (!command) continue;
          const before = world.state;
          const decided = decide(before, command, time);
          if (before.status !== 'pending') expect(decided.ok).toBe(false);
          if (!decided.ok) {
            note(decided.fault.code);
            continue;
          }
          world.state = decided.outcome.interaction;
          note(command.type);
          checkStep(world, before, { command, who, time });
          if (world.state.status !== 'pending') note(`closed by ${command.type}`);
          if (world.state.votes.at(-1)?.by.onBehalfOf) note('deputy');
        }
      },
    ),
    { numRuns: 3_000 },
  );
  for (const what of [
    'answer',
    'decline',
    'claim',
    'release',
    'delegate',
    'reassign',
    'unassign',
    'closed by answer',
    'deputy',
    'already-voted',
    'not-requester',
    'wrong-responder',
    'interaction-claimed',
  ])
    expect([what, seen.get(what) ?? 0]).toEqual([what, expect.toSatisfy((times: number) => times > 0)]);
});

function checkStep(
  world: World,
  before: Interaction,
  { command, who = '', time }: { command: Command; who?: string | undefined; time: number },
): void {
  const { state, counted } = world;
  const isVote = command.type === 'answer' || command.type === 'decline';
  expect(state.votes.length).toBe(before.votes.length + (isVote ? 1 : 0));
  expect(state.votes.slice(0, before.votes.length)).toEqual(before.votes);
  if (state.status !== 'pending') expect(state).not.toHaveProperty('claim');
  if (!isVote) return;
  const vote = state.votes.at(-1);
  const { onBehalfOf } = vote?.by ?? {};
  const claim = claimAt(before, time);
  if (claim) expect([who, onBehalfOf]).toContain(idOf(claim));
  const used = [who, onBehalfOf].filter((id) => id !== undefined);
  const owner = vote?.keyOwner;
  for (const earlier of counted) {
    for (const id of used) expect([...earlier.used, earlier.owner]).not.toContain(id);
    // The owner of a key votes in person or through the key.
    if (owner) expect(earlier.used).not.toContain(owner);
  }
  if (state.responder.notRequester) {
    expect(vote?.by.type).toBe('human');
    const hands = [...used, owner, ...(vote?.by.issuedBy ?? [])];
    expect(hands).not.toContain(requester);
  }
  const voter = onBehalfOf ?? who;
  const isKnown = world.invited.has(voter);
  counted.push({ who, used, owner, groups: groups.filter((each) => isKnown && world.members.get(each)?.has(voter)) });
  const agreed = state.votes.flatMap((each, index) =>
    each.decision === vote?.decision && each.values.choice === vote?.values.choice ? (counted[index] ?? []) : [],
  );
  const { resolution } = state;
  if ('of' in resolution) expect(state.answer === vote).toBe(isFilled(resolution.of, agreed));
  if (state.answer !== vote) return;
  if (resolution.mode === 'unanimous' && vote?.decision === 'declined') return;
  expect(new Set(agreed.map((each) => each.who)).size).toBeGreaterThanOrEqual(votesNeeded(resolution));
}

/** Hall's theorem for two groups: all places are filled if each group, and both, have as many voters as places. */
function isFilled(of: Places, voters: World['counted']): boolean {
  return [of, ...of.map((each) => [each])].every((some) => {
    const places = some.reduce((sum, { count }) => sum + count, 0);
    return voters.filter((voter) => some.some(({ group }) => voter.groups.includes(group))).length >= places;
  });
}

type Places = readonly { group: string; count: number }[];

const idOf = ({ by, countsAs }: NonNullable<Interaction['claim']>): string =>
  countsAs ?? by.id.replace('person:', '').replace(/@.*/, '').toLowerCase();
