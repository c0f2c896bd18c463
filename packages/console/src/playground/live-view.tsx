/** The request that was asked, to be answered, and what happens to it. */
import { useActorNames } from '../look-up.ts';
import { tokenFor, useMe } from '../me.ts';
import { Empty } from '../parts/empty.tsx';
import { WidgetElement } from '../parts/widget-element.tsx';
import { href } from '../route.ts';
import { EventLine } from '../threads/event-log.tsx';
import type { Live } from './use-live.ts';

export function LiveView({ live }: { live: Live }) {
  const { interaction, events, fault } = live;
  const me = useMe();
  const nameOf = useActorNames();
  if (fault)
    return (
      <div class="failed" role="alert">
        <p>{fault}</p>
      </div>
    );
  if (!interaction)
    return (
      <Empty title="Not asked yet" icon="playground">
        <p>
          Press Create, and it is asked in a thread of its own: the same card, connected. Answer it, and watch the
          events that your agent would see.
        </p>
      </Empty>
    );
  const { id, threadId, title, responder } = interaction;
  const [first = me] = responder.assignees ?? [];
  const as = responder.assignees && !responder.assignees.includes(me) ? first : me;
  return (
    <>
      <WidgetElement
        name="holdpoint-request"
        of={{ interaction: id, 'data-as': as }}
        getToken={() => tokenFor({ interactionId: id }, as)}
      />
      <p class="hint">
        You answer as <b>{as}</b>. <a href={href('inbox', id)}>Open it in the inbox</a> or{' '}
        <a href={href('threads', threadId)}>its thread</a>.
      </p>
      <section aria-labelledby="live-events">
        <h3 id="live-events">Events</h3>
        <ol class="event-log" aria-label="Events, the newest first" aria-live="polite">
          {events.map((event) => (
            <EventLine key={event.seq} event={event} titles={new Map([[id, title]])} who={nameOf(event.actor)} />
          ))}
        </ol>
      </section>
    </>
  );
}
