import type { FreeObject } from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import {
  accepted,
  ann,
  answer,
  ask,
  at,
  ben,
  cy,
  decideAnswer,
  decideAsk,
  decideCancel,
  decideExpire,
  decideUpdate,
  hourMs,
  now,
  problemsIn,
  refused,
} from './asking.fixture.ts';
import { nextDueTime } from './due-times.ts';

const due = now + 10 * hourMs;
const reminded = (...remindBeforeMs: number[]) => ({
  deadline: { at: at(due), outcome: 'expire' as const, remindBeforeMs },
});
const hours = (count: number): number => now + count * hourMs;
const expire = (state: ReturnType<typeof ask>, time: number) => accepted(decideExpire(state, time));

describe('reminders', () => {
  const asked = ask(reminded(hourMs, 4 * hourMs));

  test('[D6] the next reminder is set when the question is asked, and is its next due time', () => {
    expect(asked.nextReminderAt).toBe(at(hours(6)));
    expect(nextDueTime(asked)).toBe(hours(6));
  });

  test('[D6] each reminder is one event with the deadline, and the interaction stays pending', () => {
    const first = expire(asked, hours(6));
    expect(first.events).toEqual([
      {
        type: 'interaction.reminded',
        at: at(hours(6)),
        actor: { type: 'system', id: 'reminder', via: 'deadline' },
        interactionId: 'asked',
        data: { version: 2, deadline: asked.deadline },
      },
    ]);
    expect(first.interaction).toMatchObject({ status: 'pending', version: 2, nextReminderAt: at(hours(9)) });
    expect(refused(decideExpire(first.interaction, hours(9) - 1)).code).toBe('interaction-not-due');
    const last = expire(first.interaction, hours(9));
    expect(last.events.map(({ type }) => type)).toEqual(['interaction.reminded']);
    expect('nextReminderAt' in last.interaction).toBe(false);
    expect(nextDueTime(last.interaction)).toBe(due);
  });

  test('[D6] a reminder that would be in the past is left out', () => {
    expect(ask(reminded(11 * hourMs, 10 * hourMs, hourMs)).nextReminderAt).toBe(at(hours(9)));
    expect('nextReminderAt' in ask(reminded(11 * hourMs))).toBe(false);
  });

  test('[D6] several missed reminders become one event, and none after the deadline', () => {
    expect(expire(asked, hours(9.5)).events).toHaveLength(1);
    expect('nextReminderAt' in expire(asked, hours(9.5)).interaction).toBe(false);
    expect(expire(asked, due).events.map(({ type }) => type)).toEqual(['interaction.expired']);
  });

  test('[D6] another deadline has other reminders, and no deadline has none', () => {
    const moved = accepted(
      decideUpdate(asked, { deadline: { ...reminded(hourMs).deadline, at: at(hours(20)) } }, hours(5)),
    ).interaction;
    expect(moved.nextReminderAt).toBe(at(hours(19)));
    const removed = accepted(decideUpdate(asked, { deadline: null })).interaction;
    expect('nextReminderAt' in removed).toBe(false);
    expect(nextDueTime(removed)).toBeUndefined();
  });

  test('[D6] another change keeps a reminder that is due and has not fired', () => {
    const changed = accepted(decideUpdate(asked, { title: 'New' }, hours(6) + 1)).interaction;
    expect(expire(changed, hours(6) + 2).events.map(({ type }) => type)).toEqual(['interaction.reminded']);
  });

  test('[AN2] a closed interaction has no due time', () => {
    const { interaction } = accepted(decideCancel(asked));
    expect(nextDueTime(interaction)).toBeUndefined();
    expect(refused(decideExpire(interaction, hours(6))).code).toBe('interaction-cancelled');
  });
});

describe('escalations', () => {
  const responder = { type: 'human' as const, assignees: ['ann'] };
  const escalations = [
    { at: at(hours(1)), assignees: ['ben', 'ann'] },
    { at: at(hours(2)), assignees: ['cy'] },
  ];
  const asked = ask({ responder, escalations });

  test('[D7] others may answer at its time, and not before', () => {
    expect(refused(decideAnswer(asked, ben, { values: { text: 'x' } })).code).toBe('wrong-responder');
    expect(nextDueTime(asked)).toBe(hours(1));
    const { interaction, events } = expire(asked, hours(1));
    expect(events).toEqual([
      {
        type: 'interaction.escalated',
        at: at(hours(1)),
        actor: { type: 'system', id: 'escalation', via: 'deadline' },
        interactionId: 'asked',
        data: { version: 2, added: ['ben'], assignees: ['ann', 'ben'] },
      },
    ]);
    expect(interaction.escalations?.map(({ doneAt }) => doneAt)).toEqual([at(hours(1)), undefined]);
    expect(nextDueTime(interaction)).toBe(hours(2));
    expect(answer(interaction, ben, { text: 'x' }).interaction.status).toBe('answered');
    expect(refused(decideAnswer(interaction, cy, { values: { text: 'x' } })).code).toBe('wrong-responder');
  });

  test('[D7] several missed escalations become one event, each done once', () => {
    const { interaction, events } = expire(asked, hours(3));
    expect(events.map(({ data }) => (data as FreeObject).added)).toEqual([['ben', 'cy']]);
    expect(nextDueTime(interaction)).toBeUndefined();
    expect(refused(decideExpire(interaction, hours(4))).code).toBe('interaction-not-due');
  });

  test('[D6][D7] a reminder and an escalation at the same time are one change with two events', () => {
    const both = ask({ responder, escalations, ...reminded(9 * hourMs) });
    const { interaction, events } = expire(both, hours(1));
    expect(events.map(({ type, data }) => [type, (data as FreeObject).version])).toEqual([
      ['interaction.reminded', 2],
      ['interaction.escalated', 2],
    ]);
    expect(interaction.version).toBe(2);
  });

  test.each([
    ['without assignees to add to', { escalations }, ['/responder/assignees', 'required']],
    ['in the past', { responder, escalations: [{ at: at(now), assignees: ['ben'] }] }, ['/escalations/0/at', 'past']],
    ['at no time', { responder, escalations: [{ at: 'soon', assignees: ['ben'] }] }, ['/escalations/0/at', 'datetime']],
    [
      'not before the deadline',
      { responder, ...reminded(1), escalations: [{ at: at(due), assignees: ['ben'] }] },
      ['/escalations/0/at', 'max'],
    ],
    [
      'to too many',
      { responder, escalations: [{ at: at(due), assignees: Array.from({ length: 100 }, (_, n) => `p${n}`) }] },
      ['/escalations', 'max'],
    ],
  ])('[D7] an escalation %s is refused', (_why, asking, problem) => {
    expect(problemsIn(decideAsk(asking))).toEqual([problem]);
  });

  test('[D7] escalations of a pending question can be replaced, and past ones allow other changes', () => {
    const { interaction } = expire(asked, hours(1));
    const later = [{ at: at(hours(5)), assignees: ['cy'] }];
    const replaced = accepted(decideUpdate(interaction, { escalations: later }, hours(1))).interaction;
    expect(nextDueTime(replaced)).toBe(hours(5));
    expect(decideUpdate(interaction, { title: 'New' }, hours(9)).ok).toBe(true);
    expect(problemsIn(decideUpdate(interaction, { escalations: later }, hours(5)))).toEqual([
      ['/escalations/0/at', 'past'],
    ]);
    const removed = accepted(decideUpdate(interaction, { escalations: null }, hours(1))).interaction;
    expect(nextDueTime(removed)).toBeUndefined();
  });

  test('[D7] times are kept in UTC', () => {
    const offset = [{ at: '2030-01-01T05:00:00+02:00', assignees: ['ben'] }];
    expect(ask({ responder, escalations: offset }).escalations?.[0]?.at).toBe('2030-01-01T03:00:00.000Z');
  });

  test('[D8] a quorum stays open if assignees of a later escalation can complete it', () => {
    const options = ['a', 'b'];
    const resolution = { mode: 'quorum', count: 2 } as const;
    const two = { type: 'human' as const, assignees: ['ann', 'ben'] };
    const split = (more: object) => {
      const question = ask({ options, resolution, responder: two, ...more });
      const once = answer(question, ann, { choice: 'a' }).interaction;
      return answer(once, ben, { choice: 'b' }).interaction;
    };
    expect(split({}).status).toBe('answered');
    const open = split({ escalations: [{ at: at(hours(1)), assignees: ['cy'] }] });
    expect(open.status).toBe('pending');
    const { interaction } = expire(open, hours(1));
    expect(answer(interaction, cy, { choice: 'b' }).interaction.answer?.values).toEqual({ choice: 'b' });
  });
});
