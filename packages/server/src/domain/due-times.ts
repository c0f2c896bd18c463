/** The times at which a pending interaction acts by itself: reminders, escalations and the deadline. */
import { defined, type Interaction } from '@holdpoint/protocol';
import { timestamp } from './state.ts';

type Escalation = NonNullable<Interaction['escalations']>[number];

/** Returns the next due time, or undefined if there is none. */
export function nextDueTime({ status, deadline, nextReminderAt, escalations }: Interaction): number | undefined {
  if (status !== 'pending' || (!deadline && !escalations)) return undefined;
  const ahead = escalations?.filter(({ doneAt }) => doneAt === undefined).map(({ at }) => at) ?? [];
  const dueTimes = [deadline?.at, nextReminderAt, ...ahead].filter((at) => at !== undefined).map(Date.parse);
  return dueTimes.length === 0 ? undefined : Math.min(...dueTimes);
}

/** Sets the first reminder after `now`. Of several that were missed, one reminder is enough. */
export function withNextReminder(interaction: Interaction, now: number): Interaction {
  const { nextReminderAt: old, ...rest } = interaction;
  const { deadline } = interaction;
  const reminders = deadline?.remindBeforeMs?.map((before) => Date.parse(deadline.at) - before) ?? [];
  const ahead = reminders.filter((at) => at > now);
  if (ahead.length > 0) return { ...rest, nextReminderAt: timestamp(Math.min(...ahead)) };
  return old === undefined ? interaction : rest;
}

export const isDueBy = ({ at, doneAt }: Escalation, now: number): boolean =>
  doneAt === undefined && Date.parse(at) <= now;

/** Returns the assignees of the escalations that are due. */
export const dueAssignees = ({ escalations = [] }: Interaction, now: number): string[] =>
  escalations.filter((each) => isDueBy(each, now)).flatMap(({ assignees }) => assignees);

/** Converts all times to UTC, from any offset. */
export function inUtc(interaction: Interaction): Interaction {
  const { deadline, escalations } = interaction;
  if (!deadline && !escalations) return interaction;
  return {
    ...interaction,
    ...defined({ deadline: deadline && inUtcAt(deadline), escalations: escalations?.map(inUtcAt) }),
  };
}

const inUtcAt = <T extends { at: string }>(timed: T): T => ({ ...timed, at: timestamp(Date.parse(timed.at)) });
