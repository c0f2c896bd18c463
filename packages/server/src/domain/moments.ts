/** The times at which a pending interaction does something by itself: its reminders, its escalations and its deadline. */
import type { Interaction } from '@holdpoint/protocol';
import { timestamp } from './state.ts';

type Escalation = NonNullable<Interaction['escalations']>[number];

/** When it next has something to do; absent where it never will. */
export function nextMoment({ status, deadline, nextReminderAt, escalations }: Interaction): number | undefined {
  if (status !== 'pending' || (!deadline && !escalations)) return undefined;
  const ahead = escalations?.filter(({ doneAt }) => doneAt === undefined).map(({ at }) => at) ?? [];
  const moments = [deadline?.at, nextReminderAt, ...ahead].flatMap((at) => (at === undefined ? [] : [Date.parse(at)]));
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/** With the first reminder after `now`. Those before it are past: of several that were missed, one is enough. */
export function withNextReminder(interaction: Interaction, now: number): Interaction {
  const { nextReminderAt: old, ...rest } = interaction;
  const ahead = reminders(interaction).filter((at) => at > now);
  if (ahead.length > 0) return { ...rest, nextReminderAt: timestamp(Math.min(...ahead)) };
  return old === undefined ? interaction : rest;
}

const reminders = ({ deadline }: Interaction): number[] =>
  deadline?.remindBeforeMs?.map((before) => Date.parse(deadline.at) - before) ?? [];

export const isDueBy = ({ at, doneAt }: Escalation, now: number): boolean =>
  doneAt === undefined && Date.parse(at) <= now;

/** Whatever offset a time was sent with, it is kept and told in UTC. */
export function inUtc(interaction: Interaction): Interaction {
  const { deadline, escalations } = interaction;
  if (!deadline && !escalations) return interaction;
  return {
    ...interaction,
    ...(deadline ? { deadline: { ...deadline, at: utc(deadline.at) } } : {}),
    ...(escalations ? { escalations: escalations.map((each) => ({ ...each, at: utc(each.at) })) } : {}),
  };
}

const utc = (at: string): string => timestamp(Date.parse(at));
