/** The admin log: a document for each event, saved in the same change as what it records. */
import { type Actor, type AdminEvent, type AdminEventType, defined, isTimestamp, limits } from '@holdpoint/protocol';
import { actorOf } from '../../domain/caller.ts';
import { firstIdAt, mirrored, timestamp } from '../../domain/state.ts';
import type { DocumentChange } from '../../stores/documents.ts';
import type { Listing } from '../../stores/store.ts';
import type { Context, Operation } from '../context.ts';
import { invalidInput } from '../invalid-input.ts';
import { page, pageLimit } from '../perform.ts';
import { type Examined, examined } from './examined.ts';

export interface NewAdminEvent {
  type: AdminEventType;
  /** The record that was changed. */
  subject?: { type: string; id: string; name?: string };
  /** The changed values. Never a secret: every reader of the log sees it. */
  data?: Record<string, unknown>;
}

/** Returns an event to save with the change that it records, so that neither is stored without the other. */
export function adminEvent(
  { clock, newId }: Pick<Context, 'clock' | 'newId'>,
  actor: Actor,
  { type, subject, data }: NewAdminEvent,
): DocumentChange<'admin-event'> {
  const now = clock.now();
  // The time of the clock, so that the order of the ids is the order of the times, also after the clock was set.
  const id = firstIdAt(now) + newId().slice(13);
  const record: AdminEvent = { id, at: timestamp(now), type, actor, ...defined({ subject, data }) };
  return { type: 'admin-event', id: mirrored(id), record, expected: null };
}

interface Wanted {
  type?: AdminEventType;
  actorId?: string;
  subjectId?: string;
  from?: string;
  until?: string;
  cursor?: string;
}

export const listAdminEvents: Operation<'listAdminEvents'> = async (context, { orgId }, { limit, ...wanted }) => {
  checkPeriod(wanted, '/query');
  return page(await read(context, orgId, wanted, pageLimit(limit)));
};

/** The first page records the export. Later pages continue it, so they are recorded with it. */
export const exportAdminEvents: Operation<'exportAdminEvents'> = async (context, caller, { limit, ...wanted }) => {
  const { orgId } = caller;
  const { from, until, cursor } = wanted;
  checkPeriod(wanted, '');
  if (cursor === undefined) {
    const exported = adminEvent(context, actorOf(caller), {
      type: 'export.created',
      subject: { type: 'admin-log', id: orgId },
      data: defined({ from, until }),
    });
    await context.store.commit({ orgId, documents: [exported] });
  }
  const { items, next } = await read(context, orgId, wanted, limit ?? limits.exportedEvents);
  return { lines: items.map((event) => `${JSON.stringify(event)}\n`).join(''), ...defined({ next }) };
};

/** The ids of documents sort from the newest to the oldest, so a period is a range of them. */
async function read(context: Context, orgId: string, wanted: Wanted, limit: number): Promise<Listing<AdminEvent>> {
  const { type, actorId, subjectId, from, until, cursor } = wanted;
  // The last millisecond before that time. Its mirrored id begins those of all earlier events.
  const start = until === undefined ? '' : mirrored(firstIdAt(Date.parse(until) - 1));
  const isWanted = (event: AdminEvent) =>
    (type === undefined || event.type === type) &&
    (actorId === undefined || event.actor.id === actorId) &&
    (subjectId === undefined || event.subject?.id === subjectId);
  const found: Examined<'admin-event'> = {
    ...{ orgId, type: 'admin-event', limit },
    cursor: cursor !== undefined && cursor > start ? cursor : start,
    isWanted: ({ record }) => isWanted(record),
    ...(from === undefined ? {} : { isPast: ({ record }) => Date.parse(record.at) < Date.parse(from) }),
  };
  const { items, next } = await examined(context.store, found);
  return { items: items.map(({ record }) => record), ...defined({ next }) };
}

function checkPeriod({ from, until }: Wanted, place: string): void {
  const problems = Object.entries({ from, until }).flatMap(([name, time]) =>
    time === undefined || isTimestamp(time)
      ? []
      : [{ pointer: `${place}/${name}`, code: 'datetime', message: 'Write the time as 2030-01-31T12:00:00Z.' }],
  );
  if (problems.length > 0) throw invalidInput(problems);
}
