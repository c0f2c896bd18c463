import { type Interaction, schemeOf } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { accepted, agent, ann, answer, ask, at, ben, digestOf, hourMs, now, refused } from './asking.fixture.ts';
import { decide } from './decide.ts';

const unassign = (state: Interaction, assignee: string) =>
  decide(state, { type: 'unassign', by: agent, assignee, digestOf }, now);
const forBoth = { type: 'human' as const, assignees: ['ann', 'ben'] };

test('[PE36] the assignee is removed, and the digest covers who is left', () => {
  const state = ask({ responder: forBoth });
  const { interaction, events } = accepted(unassign(state, 'ann'));
  expect(interaction.responder).toEqual({ type: 'human', assignees: ['ben'] });
  expect(interaction.version).toBe(state.version + 1);
  expect(interaction.digest).toBe(digestOf(interaction));
  expect(schemeOf(interaction.digest).textOf(interaction)).not.toBe(schemeOf(state.digest).textOf(state));
  expect(events).toEqual([
    expect.objectContaining({
      type: 'interaction.reassigned',
      actor: agent,
      data: { version: 2, added: [], removed: ['ann'], assignees: ['ben'] },
    }),
  ]);
});

test('[PE36] somebody who is not an assignee is not removed', () => {
  for (const responder of [forBoth, { type: 'human' as const }])
    expect(refused(unassign(ask({ responder }), 'cy')).code).toBe('person-not-found');
});

test('[PE37] an empty list stays a list, so that nobody may answer', () => {
  const { interaction } = accepted(unassign(ask({ responder: { type: 'human', assignees: ['ann'] } }), 'ann'));
  expect(interaction.responder).toEqual({ type: 'human', assignees: [] });
  for (const by of [ann, ben])
    expect(refused(decide(interaction, { type: 'decline', answerId: 'a', splitId: 's', by }, now)).code).toBe(
      'wrong-responder',
    );
});

test('[PE38] the assignee leaves escalations that are not done, and an escalation to nobody is removed', () => {
  const [soon, late] = [at(now + hourMs), at(now + 2 * hourMs)];
  const escalations = [
    { at: soon, assignees: ['ann'] },
    { at: late, assignees: ['ann', 'cy'] },
  ];
  const state = ask({ responder: forBoth, escalations });
  expect(accepted(unassign(state, 'ann')).interaction.escalations).toEqual([{ at: late, assignees: ['cy'] }]);
  const alone = ask({ responder: forBoth, escalations: escalations.slice(0, 1) });
  expect(accepted(unassign(alone, 'ann')).interaction).not.toHaveProperty('escalations');
});

test('[PE38] an escalation does not add people who are deactivated by then', () => {
  const escalations = [{ at: at(now + hourMs), assignees: ['ann', 'cy'] }];
  const state = ask({ responder: { type: 'human', assignees: ['ben'] }, escalations });
  const expire = { type: 'expire', answerId: 'a', deactivated: ['ann'] } as const;
  const { interaction, events } = accepted(decide(state, expire, now + hourMs));
  expect(interaction.responder.assignees).toEqual(['ben', 'cy']);
  expect(events).toEqual([expect.objectContaining({ data: { version: 2, added: ['cy'], assignees: ['ben', 'cy'] } })]);
});

test('[PE38] a vote of somebody who left does not count as one of those who can still vote', () => {
  const responder = { type: 'human' as const, assignees: ['ann', 'ben', 'cy'] };
  const asked = ask({ options: ['a', 'b'], responder, resolution: { mode: 'quorum', count: 2 } });
  const voted = answer(asked, ann, { choice: 'a' }).interaction;
  const { interaction } = accepted(unassign(voted, 'ann'));
  expect(answer(interaction, ben, { choice: 'b' }).interaction.status).toBe('pending');
});
