import type { Interaction, Status } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import {
  accepted,
  agent,
  ann,
  answer,
  ask,
  at,
  decideAnswer,
  decideCancel,
  decideExpire,
  digestOf,
  hourMs,
  now,
  refused,
} from './asking.fixture.ts';
import type { Command } from './command.ts';
import { decide } from './decide.ts';
import { transitions } from './transitions.ts';

const deadline = { at: at(now + hourMs), outcome: 'expire' } as const;
const asked = ask({ deadline, responder: { type: 'human', assignees: ['ann', 'ben'] } });
const pending = accepted(decide(asked, { type: 'claim', by: ann, forMs: hourMs }, now)).interaction;
const states: Record<Status, Interaction> = {
  pending,
  answered: answer(pending, ann, { text: 'x' }).interaction,
  cancelled: accepted(decideCancel(pending)).interaction,
  expired: accepted(decideExpire(pending, now + hourMs)).interaction,
};

const { id, threadId, kind, title, fields, blocking, responder, resolution, origin } = pending;
const question = { kind, title, fields };
const policy = { blocking, responder, resolution, origin };
const asking = { question, digestOf, by: agent, isAdmin: true };
const ids = { answerId: 'a', grantId: 'g', splitId: 's' };
const commands: Record<Command['type'], Command> = {
  create: { type: 'create', id, threadId, ...asking, policy, answerId: 'a', grants: [] },
  answer: { type: 'answer', ...ids, by: ann, values: { text: 'y' } },
  decline: { type: 'decline', ...ids, by: ann },
  claim: { type: 'claim', by: ann, forMs: hourMs },
  release: { type: 'release', by: ann, isAdmin: true },
  reassign: { type: 'reassign', by: agent, isAdmin: true, assignees: ['ben'], digestOf },
  delegate: { type: 'delegate', by: ann, to: 'cy', digestOf },
  cancel: { type: 'cancel', by: agent },
  update: { type: 'update', ...asking, patch: {} },
  unassign: { type: 'unassign', by: agent, assignee: 'ben', digestOf },
  expire: { type: 'expire', answerId: 'a' },
};

const cells = Object.entries(transitions).flatMap(([met, row]) =>
  Object.entries(row).map(([command, cell]) => [met, command, cell] as const),
);

test('[AN1] the table has a cell for every status and every command', () => {
  expect(cells).toHaveLength(5 * 11);
});

test.each(cells)('[AN1] %s met by %s: %s', (met, type, cell) => {
  const state = met === 'absent' ? null : states[met as Status];
  const decided = decide(state, commands[type as Command['type']], type === 'expire' ? now + hourMs : now);
  if (cell === 'decide') expect(decided.ok).toBe(true);
  else expect(refused(decided).code).toBe(cell);
});

test.each(Object.values(states))('[AN1] a refusal of status $status has the status and the version', (state) => {
  const fault = refused(decide(state, commands.create, now));
  expect(fault.current).toMatchObject({ id: 'asked', status: state.status, version: state.version });
  expect(fault.detail).toContain(state.closedReason ?? state.status);
});

test("[AN4] the second responder gets the first answer's responder and time", () => {
  const fault = refused(decideAnswer(states.answered, ann, { values: { text: 'z' } }));
  expect(fault).toMatchObject({
    code: 'interaction-already-answered',
    detail: `The interaction was answered by human ann at ${at(now)}.`,
    current: { closedBy: ann, closedAt: at(now), closedReason: 'answered', decision: 'accepted' },
  });
});

test('[AN2] no command changes a closed interaction at any time', () => {
  for (const state of [states.answered, states.cancelled, states.expired])
    for (const command of Object.values(commands))
      for (const time of [0, now, now + 2 * hourMs]) expect(decide(state, command, time).ok).toBe(false);
});
