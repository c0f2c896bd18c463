/** The calls of the blocks dialect under /api/public/v1. */
import { defined, fail, type HoldpointService } from '@holdpoint/protocol';
import type { Static } from 'typebox';
import type { Dialect } from '../../routes/dialect.ts';
import { type RouteInput, route, type SentFile } from '../../routes/route.ts';
import { refuse as refuseInput, refuseProblems } from '../pointers.ts';
import { resume } from './answer-codec.ts';
import { currentReply, questionFor, readHistory, replyOfRun, replyToMessage } from './executions.ts';
import { refuse, renderFault } from './fault-codec.ts';
import { postTrigger, recordAll } from './request-codec.ts';
import {
  HistoryQuery,
  MessageBodySchema,
  MessageQuery,
  OpenBodySchema,
  type Resume,
  type Session,
  TelemetryBatchSchema,
  TelemetrySchema,
  type Trigger,
  turnMs,
  UploadQuery,
} from './schemas.ts';

type Caller = RouteInput['caller'];

function sessionOf(service: HoldpointService, caller: Caller): Session {
  if (caller.kind === 'responder' && 'threadId' in caller.scope && caller.scope.interactionId === undefined)
    return { service, threadId: caller.scope.threadId, responderId: caller.responderId };
  return fail('unauthenticated', 'Send the session token of POST /chat/sessions.');
}

const sessionRoutes = [
  route('POST', '/api/public/v1/chat/sessions', {
    summary: 'Open a session with a public key',
    body: OpenBodySchema,
    keyInBody: 'publicKey',
    isRemembered: false,
    status: 201,
    handle: async (service, { body: { publicKey: _known, ...person }, origin }) => {
      const { token, threadId, ...session } = await service.openSession({ ...person, ...defined({ origin }) });
      return { sessionToken: token, conversationId: threadId, ...session };
    },
  }),
  route('POST', '/api/public/v1/chat/events', {
    summary: 'Record an event of the page',
    body: TelemetrySchema,
    isRemembered: false,
    handle: async (service, { body, caller }) => recordAll(sessionOf(service, caller), [{ event: body, at: '' }]),
  }),
  route('POST', '/api/public/v1/chat/events/batch', {
    summary: 'Record up to 50 events of the page',
    body: TelemetryBatchSchema,
    isRemembered: false,
    handle: async (service, { body, caller }) =>
      recordAll(
        sessionOf(service, caller),
        body.events.map((event, index) => ({ event, at: `/events/${index}` })),
      ),
  }),
];

const messageRoutes = [
  route('POST', '/api/public/v1/chat/messages', {
    summary: 'Post a message, or resume an execution that waits for input',
    query: MessageQuery,
    body: MessageBodySchema,
    handle: async (service, { query: { waitMs = turnMs }, body, caller, write, signal }) => {
      const session = sessionOf(service, caller);
      const patience = { timeoutMs: waitMs, signal: signal() };
      const sent = readBody(body);
      if ('text' in sent) {
        const message = await postTrigger(session, sent, write);
        return { reply: await replyToMessage(session, message, patience) };
      }
      const { id } = await resume(session, sent, write);
      return { reply: await replyOfRun(session, id, patience) };
    },
  }),
  route('GET', '/api/public/v1/chat/messages', {
    summary: 'List the messages of the conversation',
    query: HistoryQuery,
    handle: (service, { query, caller }) => readHistory(sessionOf(service, caller), query),
  }),
  route('GET', '/api/public/v1/chat/executions/:executionId', {
    summary: 'Get the current state of an execution',
    handle: async (service, { params, caller }) => ({
      reply: await currentReply(sessionOf(service, caller), params.executionId),
    }),
  }),
];

type Body = Static<typeof MessageBodySchema>;

const ofTrigger = ['text', 'intentName', 'context', 'variables'] as const;
const ofResume = ['waitToken', 'executionId', 'values'] as const;

/** A body with any property of a resume is a resume. */
function readBody(body: Body): Trigger | Resume {
  const isResume = ofResume.some((name) => body[name] !== undefined);
  const missing = (isResume ? ofResume : (['text'] as const)).filter((name) => body[name] === undefined);
  const tooMany = isResume ? ofTrigger.filter((name) => body[name] !== undefined) : [];
  const problem = (code: string, message: string) => (name: string) => ({ pointer: `/${name}`, code, message });
  refuseProblems([
    ...missing.map(problem('required', 'This property is missing.')),
    ...tooMany.map(problem('not-allowed', 'A resume does not have this property.')),
  ]);
  return body as Trigger | Resume;
}

const uploadsPath = '/api/public/v1/chat/uploads';

const uploads: ReadonlySet<string> = new Set(['file_upload', 'image_upload', 'signature']);

const uploadRoutes = [
  route('POST', uploadsPath, {
    summary: 'Upload a file for a field of a form',
    query: UploadQuery,
    takesFile: true,
    isRemembered: false,
    status: 201,
    handle: async (service, { query: { executionId, field }, body, caller }) => {
      const session = sessionOf(service, caller);
      const run = await service.getRun({ runId: executionId });
      if (run.status === 'cancelled') refuse('execution_aborted', 'The execution was aborted.');
      const question = await questionFor(session, run, ({ fields }) =>
        fields.some((one) => uploads.has(one.type) && 'name' in one && one.name === field),
      );
      if (!question)
        return refuseInput('/query/field', 'value', 'The execution does not wait for a file of this name.');
      const stored = await service.uploadFile({ interactionId: question.id, field, ...(body as unknown as SentFile) });
      // The native address does not accept session tokens.
      return { ...stored, url: `${uploadsPath}/${stored.file_id}` };
    },
  }),
  route('GET', `${uploadsPath}/:fileId`, {
    summary: 'Read a file that this session has uploaded',
    givesFile: true,
    handle: (service, { params, caller, range }) => {
      sessionOf(service, caller);
      return service.openFile({ ...params, ...range });
    },
  }),
];

export const blocks: Dialect = {
  name: 'blocks',
  prefixes: ['/api/public/v1'],
  routes: [...sessionRoutes, ...messageRoutes, ...uploadRoutes],
  isOpenToPages: true,
  renderFault,
};
