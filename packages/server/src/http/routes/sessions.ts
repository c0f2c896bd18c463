import {
  defined,
  OpenSessionSchema,
  RecordedTelemetrySchema,
  RecordTelemetrySchema,
  SessionSchema,
} from '@holdpoint/protocol';
import { route } from '../../routes/route.ts';
import { ThreadParams } from '../../routes/schemas.ts';

const tag = 'Sessions';

export const sessionRoutes = [
  route({
    operationId: 'openSession',
    method: 'POST',
    path: '/v1/sessions',
    tag,
    summary: 'Open a session with a public key',
    description:
      'Makes a thread with the agent of the key, and a token for one person that reaches it for an hour, by the paths of the dialect for pages and no others. The page that calls, by its Origin header, must be one the key is for.',
    body: OpenSessionSchema,
    isRemembered: false,
    status: 201,
    response: SessionSchema,
    handle: (service, { body, origin }) => service.openSession({ ...body, ...defined({ origin }) }),
  }),
  route({
    operationId: 'recordTelemetry',
    method: 'POST',
    path: '/v1/threads/:threadId/telemetry',
    tag,
    summary: 'Record what a person did in a page',
    description: 'An event of the thread’s log that no agent is handed.',
    params: ThreadParams,
    body: RecordTelemetrySchema,
    isRemembered: false,
    status: 200,
    response: RecordedTelemetrySchema,
    handle: (service, { params, body }) => service.recordTelemetry({ ...params, ...body }),
  }),
];
