/** The calls about a session: opening it, and what the person does in the page. */
import { defined } from '@holdpoint/protocol';
import { route } from '../../routes/route.ts';
import { OpenBodySchema, OpenedSchema, RecordedSchema, TelemetryBatchSchema, TelemetrySchema } from './schemas.ts';
import { sessionOf } from './session-of.ts';
import { recordAll, type Telemetry } from './telemetry.ts';

const tag = 'Blocks';

export const sessionRoutes = [
  route({
    method: 'POST',
    path: '/api/public/v1/chat/sessions',
    tag,
    summary: 'Open a session with a public key',
    body: OpenBodySchema,
    keyInBody: 'publicKey',
    isRemembered: false,
    status: 201,
    response: OpenedSchema,
    handle: async (service, { body: { publicKey: _known, ...person }, origin }) => {
      const { token, threadId, ...session } = await service.openSession({
        ...person,
        ...defined({ origin }),
      });
      return { sessionToken: token, conversationId: threadId, ...session };
    },
  }),
  route({
    method: 'POST',
    path: '/api/public/v1/chat/events',
    tag,
    summary: 'Record an event of the page',
    body: TelemetrySchema,
    isRemembered: false,
    status: 200,
    response: RecordedSchema,
    handle: async (service, { body, caller }) =>
      recordAll(service, sessionOf(caller), [{ event: body as Telemetry, at: '' }]),
  }),
  route({
    method: 'POST',
    path: '/api/public/v1/chat/events/batch',
    tag,
    summary: 'Record up to 50 events of the page',
    body: TelemetryBatchSchema,
    isRemembered: false,
    status: 200,
    response: RecordedSchema,
    handle: async (service, { body, caller }) =>
      recordAll(
        service,
        sessionOf(caller),
        (body.events as Telemetry[]).map((event, index) => ({ event, at: `/events/${index}` })),
      ),
  }),
];
