/** Creates the request for real, to answer it and watch its events. */
import type { Interaction, LogEvent } from '@holdpoint/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useActorNames } from '../look-up.ts';
import { useAction } from '../parts/button.tsx';
import { Empty } from '../parts/states.tsx';
import { WidgetElement } from '../parts/widget-element.tsx';
import { useUserName } from '../preferences.ts';
import { href } from '../route.ts';
import { followEvents, wordsFor } from '../service.ts';
import { tokenFor } from '../session.ts';
import { EventLine } from '../threads/event-log.tsx';
import { ask, type DialectName, threadFor } from './asking.ts';

export type Live = ReturnType<typeof useLive>;

/** Opens the stream before it creates the request, so that it sees every event. */
export function useLive(onAsked: () => void) {
  const [interaction, setInteraction] = useState<Interaction>();
  const [events, setEvents] = useState<readonly LogEvent[]>([]);
  const [fault, setFault] = useState('');
  const stop = useRef(() => {});
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
      stop.current();
    },
    [],
  );
  const [create, isAsking] = useAction(
    async (dialect: DialectName, body: object) => {
      stop.current();
      setFault('');
      setInteraction(undefined);
      setEvents([]);
      const threadId = await threadFor(dialect);
      if (isGone.current) return;
      await new Promise<void>((onOpen) => {
        stop.current = followEvents({ threadId }, (event) => setEvents((before) => [event, ...before]), onOpen);
      });
      const asked = await ask(dialect, threadId, body);
      if (asked.ok) {
        setInteraction(asked.interaction);
        onAsked();
      } else setFault(asked.detail);
    },
    (error) => setFault(wordsFor(error)),
  );
  /** Newest first. */
  const own = interaction ? events.filter(({ interactionId }) => interactionId === interaction.id) : [];
  return { interaction, events: own, isAsking, fault, create };
}

export function LiveView({ live }: { live: Live }) {
  const { interaction, events, fault } = live;
  const me = useUserName();
  const nameOf = useActorNames();
  if (fault)
    return (
      <div class="failed" role="alert">
        <p>{fault}</p>
      </div>
    );
  if (!interaction)
    return (
      <Empty title="No request created yet" icon="playground">
        <p>
          Select “Create request” to create it in its own thread. Then answer it here and watch the events that your
          agent receives.
        </p>
      </Empty>
    );
  const { id, threadId, title, responder } = interaction;
  const { assignees = [me] } = responder;
  const as = assignees.includes(me) ? me : (assignees[0] ?? me);
  return (
    <>
      <WidgetElement
        name="holdpoint-request"
        of={{ interaction: id, 'data-as': as }}
        getToken={() => tokenFor({ interactionId: id }, as)}
      />
      <p class="hint">
        You answer as <b>{as}</b>. <a href={href('inbox', id)}>Open in inbox</a> or{' '}
        <a href={href('threads', threadId)}>open the thread</a>.
      </p>
      <section aria-labelledby="live-events">
        <h3 id="live-events">Events</h3>
        <ol class="event-log" aria-label="Events, newest first" aria-live="polite">
          {events.map((event) => (
            <EventLine key={event.seq} event={event} titles={new Map([[id, title]])} actor={nameOf(event.actor)} />
          ))}
        </ol>
      </section>
    </>
  );
}
