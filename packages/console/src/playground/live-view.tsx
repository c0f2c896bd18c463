/** Creates the request for real, to answer it and watch its events. */
import type { Interaction, LogEvent } from '@holdpoint/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { wordsFor } from '../error-text.ts';
import { useActorNames } from '../look-up.ts';
import { Empty } from '../parts/states.tsx';
import { WidgetElement } from '../parts/widget-element.tsx';
import { useUserName } from '../preferences.ts';
import { href } from '../route.ts';
import { followEvents } from '../service.ts';
import { tokenFor } from '../session.ts';
import { EventLine } from '../threads/event-log.tsx';
import { ask, type DialectName, threadFor } from './asking.ts';

export interface Live {
  interaction: Interaction | undefined;
  /** Newest first. */
  events: readonly LogEvent[];
  isAsking: boolean;
  fault: string;
  create(dialect: DialectName, body: object): void;
}

/** Opens the stream before it creates the request, so that it sees every event. */
export function useLive(onAsked: () => void): Live {
  const [interaction, setInteraction] = useState<Interaction>();
  const [events, setEvents] = useState<readonly LogEvent[]>([]);
  const [isAsking, setAsking] = useState(false);
  const [fault, setFault] = useState('');
  const stream = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stream.current?.abort(), []);

  async function create(dialect: DialectName, body: object): Promise<void> {
    if (isAsking) return;
    stream.current?.abort();
    const follow = new AbortController();
    stream.current = follow;
    setAsking(true);
    setFault('');
    setInteraction(undefined);
    setEvents([]);
    try {
      const threadId = await threadFor(dialect);
      await opened(threadId, follow.signal, (event) => setEvents((before) => [event, ...before]));
      const asked = await ask(dialect, threadId, body);
      if (asked.ok) {
        setInteraction(asked.interaction);
        onAsked();
      } else setFault(asked.detail);
    } catch (error) {
      setFault(wordsFor(error));
    }
    setAsking(false);
  }

  const own = events.filter(({ interactionId }) => interactionId === interaction?.id);
  return { interaction, events: interaction ? own : [], isAsking, fault, create: (...what) => void create(...what) };
}

/** Resolves when the stream is open. */
const opened = (threadId: string, signal: AbortSignal, onEvent: (event: LogEvent) => void): Promise<void> =>
  new Promise((resolve) => {
    followEvents(
      { threadId },
      (event) => onEvent(event as LogEvent),
      signal,
      () => resolve(),
    );
  });

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
        You answer as <b>{as}</b>. <a href={href('inbox', id)}>Open in inbox</a> or{' '}
        <a href={href('threads', threadId)}>open the thread</a>.
      </p>
      <section aria-labelledby="live-events">
        <h3 id="live-events">Events</h3>
        <ol class="event-log" aria-label="Events, newest first" aria-live="polite">
          {events.map((event) => (
            <EventLine key={event.seq} event={event} titles={new Map([[id, title]])} who={nameOf(event.actor)} />
          ))}
        </ol>
      </section>
    </>
  );
}
