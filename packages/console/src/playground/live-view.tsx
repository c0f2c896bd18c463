/** Creates the request for real, to answer it, watch its events, and see them as webhook messages. */
import { defined, type Interaction, type LogEvent } from '@holdpoint/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { mayAnswer, useMe } from '../me.ts';
import { useAction } from '../parts/button.tsx';
import { Code } from '../parts/code.tsx';
import { Select } from '../parts/form.tsx';
import { Empty } from '../parts/states.tsx';
import { Assignees } from '../parts/who.tsx';
import { WidgetElement } from '../parts/widget-element.tsx';
import { YouAnswer } from '../parts/you-answer.tsx';
import { href } from '../route.ts';
import { followEvents, wordsFor } from '../service.ts';
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
  const me = useMe();
  if (fault)
    return (
      <div class="failed" role="alert">
        <p>{fault}</p>
      </div>
    );
  if (!interaction)
    return (
      <Empty title="No request created yet" icon="playground">
        Select “Create request” to create it in its own thread. Then answer it here and watch the events that your agent
        receives.
      </Empty>
    );
  const { id, threadId, title, responder } = interaction;
  const isMine = mayAnswer(interaction, me);
  return (
    <>
      {isMine ? (
        <>
          <YouAnswer />
          <WidgetElement name="holdpoint-request" of={{ interaction: id }} />
        </>
      ) : (
        <p class="notice">
          {responder.assignees ? (
            <>
              Only <Assignees assignees={responder.assignees} /> may answer this request.
            </>
          ) : (
            'Only an agent or a system can answer this request, over the API.'
          )}
        </p>
      )}
      <p class="hint">
        <a href={href('inbox', id)}>Open in inbox</a> or <a href={href('threads', threadId)}>open the thread</a>.
      </p>
      <section aria-labelledby="live-events">
        <h3 id="live-events">Events</h3>
        <ol class="event-log" aria-label="Events, newest first" aria-live="polite">
          {events.map((event) => (
            <EventLine key={event.seq} event={event} titles={new Map([[id, title]])} />
          ))}
        </ol>
      </section>
    </>
  );
}

/** The message as the server sends it, except for the signature, which needs a secret. */
function webhookMessage(event: LogEvent, interaction: Interaction): string {
  const { id, kind, title, run, trace, metadata } = interaction;
  const summary = { id, kind, title, ...defined({ run, trace, metadata }) };
  const body = { type: event.type, timestamp: event.at, data: { ...event, interaction: summary } };
  return `POST /your/endpoint
content-type: application/json; charset=utf-8
webhook-id: evt_${event.cursor}
webhook-timestamp: ${Math.floor(Date.parse(event.at) / 1_000)}
webhook-signature: v1,<base64 of the HMAC-SHA256 with the webhook's secret>

${JSON.stringify(body, null, 2)}
`;
}

export function WebhookView({ live: { interaction, events } }: { live: Live }) {
  const [chosen, choose] = useState<number>();
  const event = events.find(({ seq }) => seq === chosen) ?? events[0];
  if (!interaction || !event)
    return (
      <Empty title="No events yet" icon="deliveries">
        Create the request to see each of its events as a webhook message.
      </Empty>
    );
  return (
    <>
      <Select
        label="Event"
        value={String(event.seq)}
        options={events.map(({ seq, type }) => [String(seq), type])}
        onValue={(seq) => choose(Number(seq))}
      />
      <Code text={webhookMessage(event, interaction)} what="the message" />
      <p class="hint">
        Create a webhook under <a href={href('deliveries')}>Deliveries</a> to receive it.
      </p>
    </>
  );
}
