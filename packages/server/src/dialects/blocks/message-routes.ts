/** The calls of the conversation: to say, to resume, to read what was said, and to ask how an execution stands. */
import { type FreeObject, fail } from '@holdpoint/protocol';
import type { Static } from 'typebox';
import { route } from '../../routes/route.ts';
import { currentReply, replyOfRun, replyToMessage, turnMs } from './execution.ts';
import { readHistory } from './history.ts';
import { type Resume, resume } from './resume.ts';
import {
  ExecutionParams,
  HistoryQuery,
  HistorySchema,
  MessageBodySchema,
  MessageQuery,
  ReplySchema,
} from './schemas.ts';
import { sessionOf } from './session-of.ts';
import { postTrigger, type Trigger } from './trigger.ts';

const tag = 'Blocks';

export const messageRoutes = [
  route({
    method: 'POST',
    path: '/api/public/v1/chat/messages',
    tag,
    summary: 'Say something, or resume an execution that waits for input',
    query: MessageQuery,
    body: MessageBodySchema,
    status: 200,
    response: ReplySchema,
    handle: async (service, { query: { waitMs = turnMs }, body, caller, write, signal }) => {
      const session = sessionOf(caller);
      const patience = { timeoutMs: waitMs, signal: signal() };
      const sent = readBody(body);
      if ('text' in sent) {
        const message = await postTrigger(service, session, sent, write);
        return { reply: await replyToMessage(service, session, message, patience) };
      }
      const { id } = await resume(service, session, sent, write);
      return { reply: await replyOfRun(service, session, id, patience) };
    },
  }),
  route({
    method: 'GET',
    path: '/api/public/v1/chat/messages',
    tag,
    summary: 'Read what was said in the conversation',
    description: 'The newest page first; in a page the oldest message first.',
    query: HistoryQuery,
    status: 200,
    response: HistorySchema,
    handle: (service, { query, caller }) => readHistory(service, sessionOf(caller), query),
  }),
  route({
    method: 'GET',
    path: '/api/public/v1/chat/executions/:executionId',
    tag,
    summary: 'How an execution stands',
    params: ExecutionParams,
    status: 200,
    response: ReplySchema,
    handle: async (service, { params, caller }) => ({
      reply: await currentReply(service, sessionOf(caller), params.executionId),
    }),
  }),
];

type Body = Static<typeof MessageBodySchema>;

const ofTrigger = ['text', 'intentName', 'context', 'variables'] as const;
const ofResume = ['waitToken', 'executionId', 'values'] as const;

/** Any word of a resume makes it one. */
function readBody(body: Body): Trigger | Resume {
  const isResume = ofResume.some((name) => body[name] !== undefined);
  const missing = (isResume ? ofResume : (['text'] as const)).filter((name) => body[name] === undefined);
  const tooMany = isResume ? ofTrigger.filter((name) => body[name] !== undefined) : [];
  const problems = [
    ...missing.map((name) => ({ pointer: `/${name}`, code: 'required', message: 'This is missing.' })),
    ...tooMany.map((name) => ({ pointer: `/${name}`, code: 'not-allowed', message: 'A resume does not have this.' })),
  ];
  if (problems.length > 0)
    fail('invalid-input', 'Send either a text, or waitToken, executionId and values.', { problems });
  return body as Trigger | (Resume & { values: FreeObject });
}
