/** Routes of the playground: preview a request of any dialect, create it, and read its schema. */
import {
  type CreateInteraction,
  checkShape,
  FieldSchema,
  FreeObjectSchema,
  type HoldpointService,
  type Interaction,
  outerId,
  type VerbCall,
  verbCalls,
} from '@holdpoint/protocol';
import type { FastifyInstance } from 'fastify';
import { type Static, type TObject, Type } from 'typebox';
import type { Caller } from '../../domain/caller.ts';
import { callerService } from '../../operations/caller-service.ts';
import type { Context } from '../../operations/context.ts';
import { previewInteraction } from '../../operations/interactions/create-interaction.ts';
import { invalidInput } from '../../operations/invalid-input.ts';
import { authorize } from '../../operations/perform.ts';
import type { Dialect } from '../../routes/dialect.ts';
import { type Route, route } from '../../routes/route.ts';
import type { Admission } from '../admission/admission.ts';

/** The dialects that can create requests. */
const askingDialects = ['native', 'chat-requests', 'input-requests', 'agent-service', 'mcp'] as const;

interface Asking {
  route: Route;
  /** The path parameters that name the thread. */
  params(threadId: string): Record<string, string>;
  /** The body properties that name the thread. */
  bodyParams?(threadId: string): Record<string, string>;
}

const { method, path, summary, body } = verbCalls.find(({ verb }) => verb === 'createInteraction') as VerbCall;
const nativeRoute = route(method, path, {
  summary,
  status: 201,
  body: body as TObject,
  handle: (service, { params, body: sent }) =>
    service.createInteraction({ ...(params as { threadId: string }), ...(sent as unknown as CreateInteraction) }),
});

function askingsOf(dialects: readonly Dialect[]): Readonly<Record<(typeof askingDialects)[number], Asking>> {
  const find = (path: string): Route => {
    const routes = dialects.flatMap((dialect) => dialect.routes);
    const found = routes.find((route) => route.method === 'POST' && route.path === path);
    if (!found) throw new Error(`There is no route POST ${path}.`);
    return found;
  };
  const conversation: Asking = {
    route: find('/conversations/:conversationId/input-requests'),
    params: (conversationId) => ({ conversationId }),
  };
  return {
    native: { route: nativeRoute, params: (threadId) => ({ threadId }) },
    'chat-requests': { route: find('/api/v1/chats/:chatId/requests'), params: (chatId) => ({ chatId }) },
    'input-requests': conversation,
    'agent-service': {
      route: find('/spec/v1/interactions'),
      params: () => ({}),
      bodyParams: (threadId) => ({ threadId }),
    },
    // The input of the MCP tool is the body of the call.
    mcp: { ...conversation, bodyParams: (threadId) => ({ conversation_id: threadId }) },
  };
}

const strict = { additionalProperties: false };
const DialectSchema = Type.Enum([...askingDialects]);
const PreviewSchema = Type.Object({ dialect: DialectSchema, body: FreeObjectSchema }, strict);
const AskSchema = Type.Object({ dialect: DialectSchema, threadId: outerId(), body: FreeObjectSchema }, strict);
const SchemaQuery = Type.Object({ dialect: DialectSchema }, strict);

/** A preview belongs to no thread. One dialect requires a UUID. */
const noThread = '00000000-0000-7000-8000-000000000000';

interface PlaygroundOptions {
  context: Context;
  dialects: readonly Dialect[];
  admission: Admission;
}

export function addPlaygroundRoutes(app: FastifyInstance, { context, dialects, admission }: PlaygroundOptions): void {
  const { admit, callerOf } = admission;
  const askings = askingsOf(dialects);
  app.post('/console/preview', { onRequest: admit }, async (request, reply) => {
    const { dialect, body } = checked(PreviewSchema, request.body);
    const caller = callerOf(request);
    const create: Create = (input) => previewInteraction(context, caller, input);
    const interaction = await ask({ ...askings[dialect], body, threadId: noThread, caller, context, create });
    return reply.send({ interaction });
  });
  app.post('/console/ask', { onRequest: admit }, async (request, reply) => {
    const { dialect, body, threadId } = checked(AskSchema, request.body);
    const caller = callerOf(request);
    const service = callerService(dialect === 'native' ? context : { ...context, isDialect: true }, caller);
    const create: Create = (input) => service.createInteraction(input);
    const interaction = await ask({ ...askings[dialect], body, threadId, caller, context, create });
    return reply.code(201).send({ interaction });
  });
  app.get('/console/schema', { onRequest: admit }, async (request, reply) => {
    const { dialect } = checked(SchemaQuery, request.query);
    authorize(callerOf(request), 'createInteraction');
    return reply.send({ body: askings[dialect].route.body, named: { Field: FieldSchema } });
  });
}

type Create = HoldpointService['createInteraction'];

interface Asked extends Asking {
  body: Record<string, unknown>;
  threadId: string;
  caller: Caller;
  context: Context;
  create: Create;
}

/** Calls the route of the dialect with a service that captures the created interaction. */
async function ask(asked: Asked): Promise<Interaction | undefined> {
  const { route, params, bodyParams, body, threadId, caller, context, create } = asked;
  authorize(caller, 'createInteraction');
  const sent = { ...body, ...bodyParams?.(threadId) };
  const problems = checkShape(route.body as TObject, sent);
  if (problems.length > 0) throw invalidInput(problems);
  let created: Interaction | undefined;
  const service: HoldpointService = {
    ...callerService(context, caller),
    createInteraction: async (input) => {
      created = await create(input);
      return created;
    },
  };
  await route.handle(service, { params: params(threadId), query: {}, body: sent, caller, write: {}, signal: never });
  return created;
}

const never = () => {
  throw new Error('Creating a request does not wait.');
};

function checked<S extends TObject>(schema: S, given: unknown): Static<S> {
  const problems = checkShape(schema, given ?? {});
  if (problems.length > 0) throw invalidInput(problems);
  return given as Static<S>;
}
