/** GET /v1/events: the log as server-sent events, from any cursor. */
import {
  defined,
  type EventFilter,
  EventSchema,
  type EventType,
  ephemeralTypes,
  eventTypes,
  fail,
  limits,
  strictObject,
} from '@holdpoint/protocol';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { EventFormat } from '../../delivery/event-channel.ts';
import { inboxFormat } from '../../delivery/inbox-format.ts';
import type { Caller } from '../../domain/caller.ts';
import type { StreamClaims } from '../../operations/context.ts';
import {
  logStart,
  type OpenedEvents,
  type OpenedInbox,
  openEvents,
  openInboxEvents,
} from '../../operations/follow-events.ts';
import { invalidInput } from '../../operations/invalid-input.ts';
import { eventsPath } from '../admission/browser-requests.ts';
import type { DocumentedCall } from '../openapi/openapi.ts';
import { inputReader } from '../requests/read-input.ts';
import { type EventStreamOptions, openStream } from './open-stream.ts';

const Id = Type.String({ minLength: 1, maxLength: limits.idLength });

export const eventsRoute: DocumentedCall = {
  operationId: 'followEvents',
  method: 'GET',
  path: eventsPath,
  tag: 'Events',
  summary: 'Follow the log',
  description:
    'Sends events in order, without a gap from any cursor, as server-sent events. Reconnect with Last-Event-ID to resume. The server disconnects readers that are too slow. They can resume. A token for an inbox receives new events that name its person. The EventSource of a browser cannot send headers. It needs the cookie of the console, or a stream token in the address.',
  query: strictObject({
    after: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'A cursor, or start. Last-Event-ID overrides it. Without both, the stream sends new events only.',
      }),
    ),
    threadId: Type.Optional(Id),
    interactionId: Type.Optional(Id),
    types: Type.Optional(Type.String({ maxLength: 1000, description: `Comma-separated: ${eventTypes.join(', ')}.` })),
    ephemeral: Type.Optional(
      Type.Enum(['true', 'false'], {
        default: 'false',
        description: `true: also ephemeral events, in frames without an id: ${ephemeralTypes.join(', ')}.`,
      }),
    ),
    token: Type.Optional(
      Type.String({
        maxLength: 8_192,
        description:
          'A stream token, in place of the Authorization header. It has the filter of the stream, so only `after` is allowed with it.',
      }),
    ),
  }),
  params: strictObject({}),
  takesKey: false,
  status: 200,
  output: EventSchema,
  gives: 'text/event-stream',
};

export const nativeFormat: EventFormat = {
  render: (event) => `id: ${event.cursor}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  // Without an id, so that a reader resumes after the last event of the log.
  renderEphemeral: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
};

export interface StreamQuery extends Omit<EventFilter, 'types'> {
  after?: string;
  types?: string;
  ephemeral?: 'true' | 'false';
  token?: string;
}

export function addEventStream(app: FastifyInstance, options: EventStreamOptions): void {
  const { context, admission } = options;
  const readInput = inputReader(eventsRoute);
  const inboxes = inboxFormat(context.store);
  app.get(eventsPath, { onRequest: admission.admit, exposeHeadRoute: false }, async (request, reply) => {
    const caller = admission.callerOf(request);
    const sent = readInput(request, reply, caller).query as StreamQuery;
    const lastEventId = request.headers['last-event-id'];
    const from = lastEventId === undefined ? {} : { after: String(lastEventId) };
    const { openedStream } = request;
    const { ephemeral, ...wanted } = openedStream
      ? allowedEvents(openedStream, { ...sent, ...from })
      : { ...wantedEvents(sent), ...from };
    const reopen = async (by: Caller): Promise<OpenedEvents & Partial<OpenedInbox>> =>
      (await openInboxEvents(context, by, wanted)) ?? openEvents(context, by, wanted);
    const opened = await reopen(caller);
    const how = opened.assignees
      ? { format: inboxes, opening: 'retry: 1000\n\n' }
      : { ephemeral, opening: `retry: 1000\nid: ${opened.after}\n\n` };
    openStream(request, reply, options, { ...opened, ...how, reopen });
  });
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

/** Returns the events that a stream token opens, from the latest cursor of the reader. */
function allowedEvents(
  { filter, ephemeral, after: first }: StreamClaims,
  { token: _, ...sent }: StreamQuery,
): WantedEvents {
  const { after, ...others } = sent;
  const problems = Object.keys(others).map((name) => ({
    pointer: `/query/${name}`,
    code: 'with-token',
    message: 'The stream token has the filter. Set the filter when you create the token.',
  }));
  if (problems.length > 0) throw invalidInput(problems);
  const from = after === 'start' ? logStart : (after ?? first);
  // Cursors sort as text.
  if (from < first) fail('forbidden', `The stream token opens the stream at the cursor ${first} or later.`);
  return { ...filter, ephemeral, after: from };
}

function readTypes(text: string): EventType[] {
  const types = text.split(',').map((type) => type.trim());
  const unknown = types.find((type) => !eventTypes.includes(type as EventType));
  if (unknown === undefined) return types as EventType[];
  const message = `"${unknown}" is not an event type; there are ${eventTypes.join(', ')}.`;
  throw invalidInput([{ pointer: '/query/types', code: 'option', message }]);
}
