/** GET /v1/events: the log as server-sent events, from any cursor, with a bound on what a slow reader may pile up. */
import {
  defined,
  type EventFilter,
  EventSchema,
  type EventType,
  ephemeralTypes,
  eventTypes,
  fail,
  limits,
} from '@holdpoint/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { EventFormat, Following, Sink } from '../../delivery/event-channel.ts';
import type { EventHub } from '../../delivery/event-hub.ts';
import { inboxFormat } from '../../delivery/inbox-format.ts';
import type { Context, StreamClaims } from '../../operations/context.ts';
import { logStart, openEvents, openInboxEvents } from '../../operations/follow-events.ts';
import { invalidInput } from '../../operations/invalid-input.ts';
import type { Admission } from '../admission/admission.ts';
import type { DocumentedCall } from '../openapi/openapi.ts';
import { inputReader } from '../requests/read-input.ts';
import { eventsPath } from './event-source.ts';

const Id = Type.String({ minLength: 1, maxLength: limits.idLength });
export const keepAliveMs = 15_000;
const maxPendingBytes = 1_048_576;
const maxStallMs = 30_000;

export const eventsRoute: DocumentedCall = {
  operationId: 'followEvents',
  method: 'GET',
  path: eventsPath,
  tag: 'Events',
  summary: 'Follow the log',
  description:
    'Server-sent events: ordered, without a gap from any cursor. Reconnect with Last-Event-ID to go on where you were. A reader too slow to keep up is cut off and can resume. A token for an inbox follows what names its person, from now on. The EventSource of a browser sends no header: it is admitted by the cookie of the console, or by a stream token in the address.',
  query: Type.Object(
    {
      after: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'A cursor, or start. Last-Event-ID wins. Without either: from now on.',
        }),
      ),
      threadId: Type.Optional(Id),
      interactionId: Type.Optional(Id),
      types: Type.Optional(Type.String({ maxLength: 1000, description: `Comma-separated: ${eventTypes.join(', ')}.` })),
      ephemeral: Type.Optional(
        Type.Enum(['true', 'false'], {
          default: 'false',
          description: `true: also what is told and kept nowhere, in frames without an id: ${ephemeralTypes.join(', ')}.`,
        }),
      ),
      token: Type.Optional(
        Type.String({
          maxLength: 8_192,
          description:
            'A stream token, in place of the Authorization header. It carries the filter: beside it only after is taken.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  params: Type.Object({}, { additionalProperties: false }),
  takesKey: false,
  status: 200,
  output: EventSchema,
};

export const nativeFormat: EventFormat = {
  render: (event) => `id: ${event.cursor}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  // Without an id: who resumes goes on after the last event of the log.
  renderEphemeral: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
};

export interface StreamQuery extends Omit<EventFilter, 'types'> {
  after?: string;
  types?: string;
  ephemeral?: 'true' | 'false';
  token?: string;
}

export interface EventStreamOptions {
  context: Context;
  hub: EventHub;
  admission: Admission;
}

export function addEventStream(app: FastifyInstance, { context, hub, admission }: EventStreamOptions): void {
  const readInput = inputReader(eventsRoute);
  const inboxes = inboxFormat(context.store);
  app.get(eventsRoute.path, { onRequest: admission.admit, exposeHeadRoute: false }, async (request, reply) => {
    const caller = admission.callerOf(request);
    const sent = readInput(request, reply, caller).query as StreamQuery;
    const lastEventId = request.headers['last-event-id'];
    const from = lastEventId === undefined ? {} : { after: String(lastEventId) };
    const { openedStream } = request;
    const { ephemeral, ...wanted } = openedStream
      ? allowedEvents(openedStream, { ...sent, ...from })
      : { ...wantedEvents(sent), ...from };
    const shared = { hub, orgId: caller.orgId, isStillAdmitted: () => admission.isStillAdmitted(request) };
    const inbox = await openInboxEvents(context, caller, wanted);
    if (inbox) return openStream(request, reply, { ...shared, ...inbox, format: inboxes, opening: 'retry: 1000\n\n' });
    const opened = await openEvents(context, caller, wanted);
    openStream(request, reply, {
      ...shared,
      ...opened,
      ephemeral,
      opening: `retry: 1000\nid: ${opened.after}\n\n`,
    });
  });
}

export interface StreamOptions extends Omit<Following, 'sink'> {
  hub: EventHub;
  /** The first frame. */
  opening: string;
  /** Asked each time the stream is kept alive: keys are revoked and tokens expire meanwhile. */
  isStillAdmitted(): Promise<boolean>;
}

/** Answers a request with server-sent events, from here on until its caller, the server or its admission goes. */
export function openStream(request: FastifyRequest, reply: FastifyReply, options: StreamOptions): void {
  const { hub, opening, isStillAdmitted, ...following } = options;
  const { raw } = reply.hijack();
  // A caller that left meanwhile will not say so again.
  if (raw.destroyed) return;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // A page of another origin may ask for the stream as if it were a script.
    'x-content-type-options': 'nosniff',
  });
  raw.write(opening);
  const gone = new AbortController();
  const keepAlive = setInterval(() => {
    raw.write(': keep-alive\n\n');
    isStillAdmitted().then((isAdmitted) => isAdmitted || raw.end());
  }, keepAliveMs);
  raw.on('error', () => raw.destroy());
  raw.on('close', () => {
    clearInterval(keepAlive);
    gone.abort();
  });
  hub.follow({ ...following, sink: socketSink(raw) }, gone.signal).catch((error: unknown) => {
    if (!gone.signal.aborted) request.log.warn({ reqId: request.id, err: error }, 'a stream was cut off');
    raw.destroy();
  });
}

/** A reader that falls behind is cut off: its Last-Event-ID brings it back without a gap. */
export function socketSink(raw: FastifyReply['raw']): Sink {
  return {
    send(frame) {
      if (raw.writableLength > maxPendingBytes) raw.destroy();
      else if (!raw.writableEnded) raw.write(frame);
    },
    async drained() {
      if (raw.destroyed) throw new Error('the reader is gone');
      if (!raw.writableNeedDrain) return;
      await new Promise<void>((resolve, reject) => {
        const settle = (end: () => void) => () => {
          clearTimeout(timer);
          raw.off('drain', onDrain).off('close', onClose);
          end();
        };
        const onDrain = settle(resolve);
        const onClose = settle(() => reject(new Error('the reader is gone')));
        const onStall = settle(() => reject(new Error('the reader is too slow')));
        const timer = setTimeout(onStall, maxStallMs);
        raw.on('drain', onDrain).on('close', onClose);
      });
    },
    end: () => raw.end(),
  };
}

interface WantedEvents extends EventFilter {
  after?: string;
  ephemeral: boolean;
}

export const wantedEvents = ({ types, ephemeral, token: _, ...asked }: StreamQuery): WantedEvents => ({
  ...asked,
  ephemeral: ephemeral === 'true',
  ...defined({ types: types === undefined ? undefined : readTypes(types) }),
});

/** What a stream token was made for, from the cursor that the reader has by now. */
function allowedEvents(
  { filter, ephemeral, after: first }: StreamClaims,
  { token: _, ...sent }: StreamQuery,
): WantedEvents {
  const { after, ...others } = sent;
  const problems = Object.keys(others).map((name) => ({
    pointer: `/query/${name}`,
    code: 'with-token',
    message: 'The stream token carries the filter. Name it when the token is made.',
  }));
  if (problems.length > 0) throw invalidInput(problems);
  const from = after === 'start' ? logStart : (after ?? first);
  // Cursors sort as text.
  if (from < first) fail('forbidden', `The stream token opens the stream from the cursor ${first}, not before.`);
  return { ...filter, ephemeral, after: from };
}

function readTypes(text: string): EventType[] {
  const types = text.split(',').map((type) => type.trim());
  const unknown = types.find((type) => !eventTypes.includes(type as EventType));
  if (unknown === undefined) return types as EventType[];
  const message = `"${unknown}" is not an event type; there are ${eventTypes.join(', ')}.`;
  throw invalidInput([{ pointer: '/query/types', code: 'option', message }]);
}
