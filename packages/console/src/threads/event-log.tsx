/** The log of a thread. Each event opens to its JSON. */
import type { LogEvent } from '@holdpoint/protocol';
import { useMemo } from 'preact/hooks';
import { useLoad } from '../load.ts';
import { Button } from '../parts/button.tsx';
import { EventRow } from '../parts/event-row.tsx';
import { exactTime } from '../parts/inline.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { href } from '../route.ts';
import { service } from '../service.ts';
import { describeEvent, type Titles, titlesOf } from './describe-event.ts';
import type { ThreadLog } from './thread-log.ts';

interface EventLogProps {
  log: ThreadLog;
  threadId: string;
  /** The seq of the event that the address names. */
  wanted: number | undefined;
}

export function EventLog({ log, threadId, wanted }: EventLogProps) {
  const { events, hasOlder, isLoading, error, older } = log;
  const titles = useMemo(() => titlesOf(events), [events]);
  return (
    <>
      {error !== undefined && <Failed error={error} />}
      {events.length === 0 && isLoading && <Loading rows={5} what="Loading log" />}
      {wanted !== undefined && events.length > 0 && wanted < (events.at(-1)?.seq ?? 0) && (
        <EarlierEvent key={wanted} {...{ threadId, titles }} seq={wanted} />
      )}
      <ol class="event-log" aria-label="Events, newest first">
        {events.map((event) => (
          <EventLine key={event.seq} {...{ event, titles }} isWanted={event.seq === wanted} />
        ))}
      </ol>
      {events.length > 0 && hasOlder && (
        <Button text="Show earlier events" look="small" isOff={isLoading} onClick={older} />
      )}
    </>
  );
}

/** Loads one event that is older than the listed ones, instead of reading the whole log. */
function EarlierEvent({ threadId, seq, titles }: { threadId: string; seq: number; titles: Titles }) {
  const { data } = useLoad(() => service.readLog({ threadId, after: seq - 1, limit: 1 }), [threadId, seq]);
  const event = data?.data[0];
  if (event?.seq !== seq) return null;
  return (
    <section class="event-earlier" aria-label="Linked event">
      <p class="hint">The linked event is older than the events below.</p>
      <ul class="event-log">
        <EventLine {...{ event, titles }} isWanted />
      </ul>
    </section>
  );
}

interface EventLineProps {
  event: LogEvent;
  titles: Titles;
  /** Opened and scrolled into view. */
  isWanted?: boolean;
}

export function EventLine({ event, titles, isWanted = false }: EventLineProps) {
  const { seq, at, interactionId, data } = event;
  const runId = 'run' in data ? data.run.id : undefined;
  return (
    <EventRow {...{ event, isWanted }} words={describeEvent(event, titles)} what={`event ${seq}`}>
      Event {seq}, {exactTime(at)}
      {interactionId && ' · '}
      {interactionId && <a href={href('inbox', interactionId)}>View request</a>}
      {runId && ' · '}
      {runId && <a href={href('runs', runId)}>View run</a>}
    </EventRow>
  );
}
