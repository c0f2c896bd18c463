/** The log of a thread: who did what and when, each event with all that it says. */
import type { LogEvent } from '@holdpoint/protocol';
import { useMemo, useState } from 'preact/hooks';
import { useActorNames } from '../look-up.ts';
import { Code } from '../parts/code.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { exactTime, Time } from '../parts/time.tsx';
import { href } from '../route.ts';
import { describeEvent, type Titles, titlesOf } from './describe-event.ts';
import type { ThreadLog } from './thread-log.ts';

export function EventLog({ log }: { log: ThreadLog }) {
  const { events, hasOlder, isLoading, error, older } = log;
  const titles = useMemo(() => titlesOf(events), [events]);
  const nameOf = useActorNames();
  return (
    <>
      {error !== undefined && <Failed error={error} />}
      {events.length === 0 && isLoading && <Loading rows={5} what="Loading the log" />}
      <ol class="event-log" aria-label="Events, the newest first">
        {events.map((event) => (
          <EventLine key={event.seq} {...{ event, titles }} who={nameOf(event.actor)} />
        ))}
      </ol>
      {events.length > 0 && hasOlder && (
        <button type="button" class="button small" aria-disabled={isLoading || undefined} onClick={older}>
          Show earlier events
        </button>
      )}
    </>
  );
}

/** The JSON is made when it is looked at: a log has hundreds of lines. */
export function EventLine({ event, titles, who }: { event: LogEvent; titles: Titles; who: string }) {
  const [isOpen, open] = useState(false);
  const { seq, type, at, interactionId, data } = event;
  const [about = ''] = type.split('.');
  const runId = (data.run as { id?: string } | undefined)?.id;
  return (
    <li class={`event about-${about} ${type.replace('.', '-')}`}>
      <details onToggle={({ currentTarget }) => open(currentTarget.open)}>
        <summary>
          <span class="event-text">
            <b>{who}</b> {describeEvent(event, titles)}
          </span>
          <span class="event-about">
            <span class="event-type">{type}</span>
            <Time at={at} />
          </span>
        </summary>
        {isOpen && (
          <div class="event-more">
            <p class="hint">
              Number {seq} in the log, {exactTime(at)}
              {interactionId && (
                <>
                  {' · '}
                  <a href={href('inbox', interactionId)}>The question</a>
                </>
              )}
              {runId && (
                <>
                  {' · '}
                  <a href={href('runs', runId)}>The run</a>
                </>
              )}
            </p>
            <Code text={JSON.stringify(event, null, 2)} what={`event ${seq}`} />
          </div>
        )}
      </details>
    </li>
  );
}
