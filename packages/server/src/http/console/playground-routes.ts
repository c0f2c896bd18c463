/** What the playground needs beside the API: a request of any dialect looked at, asked, and the schema it goes by. */
import {
  checkShape,
  FieldSchema,
  FreeObjectSchema,
  type HoldpointService,
  type Interaction,
  outerId,
} from '@holdpoint/protocol';
import type { FastifyInstance } from 'fastify';
import { type Static, type TObject, Type } from 'typebox';
import type { Caller } from '../../domain/caller.ts';
import { callerService } from '../../operations/caller-service.ts';
import type { Context } from '../../operations/context.ts';
import { previewInteraction } from '../../operations/create-interaction.ts';
import { invalidInput } from '../../operations/invalid-input.ts';
import { authorize } from '../../operations/perform.ts';
import type { Dialect } from '../../routes/dialect.ts';
import type { Admission } from '../admission.ts';
import { type AskingDialect, type Askings, askingDialects, askingsOf } from './asking-routes.ts';

const strict = { additionalProperties: false };
const DialectSchema = Type.Enum([...askingDialects]);
const PreviewSchema = Type.Object({ dialect: DialectSchema, body: FreeObjectSchema }, strict);
const AskSchema = Type.Object({ dialect: DialectSchema, threadId: outerId(), body: FreeObjectSchema }, strict);
const SchemaQuery = Type.Object({ dialect: DialectSchema }, strict);

/** A question that is only looked at is in no thread; in one dialect the id of a thread must be a UUID. */
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
    return reply.send({
      interaction: await ask({ asking: askings[dialect], body, threadId: noThread, caller, context, create }),
    });
  });
  app.post('/console/ask', { onRequest: admit }, async (request, reply) => {
    const { dialect, body, threadId } = checked(AskSchema, request.body);
    const caller = callerOf(request);
    const create: Create = (input) => callerService(context, caller).createInteraction(input);
    return reply
      .code(201)
      .send({ interaction: await ask({ asking: askings[dialect], body, threadId, caller, context, create }) });
  });
  app.get('/console/schema', { onRequest: admit }, async (request, reply) => {
    const { dialect } = checked(SchemaQuery, request.query);
    authorize(callerOf(request), 'createInteraction');
    return reply.send({ body: askings[dialect].route.body, named: { Field: FieldSchema } });
  });
}

type Create = HoldpointService['createInteraction'];

interface Asked {
  asking: Askings[AskingDialect];
  body: Record<string, unknown>;
  threadId: string;
  caller: Caller;
  context: Context;
  create: Create;
}

/** The dialect's own call, with a service that keeps hold of what is created. */
async function ask({ asking, body, threadId, caller, context, create }: Asked): Promise<Interaction | undefined> {
  authorize(caller, 'createInteraction');
  const { route, params, beside } = asking;
  const sent = { ...body, ...beside?.(threadId) };
  const problems = checkShape(route.body as TObject, sent);
  if (problems.length > 0) throw invalidInput(problems);
  let asked: Interaction | undefined;
  const service: HoldpointService = {
    ...callerService(context, caller),
    createInteraction: async (input) => {
      asked = await create(input);
      return asked;
    },
  };
  await route.handle(service, { params: params(threadId), query: {}, body: sent, caller, write: {}, signal: never });
  return asked;
}

const never = () => {
  throw new Error('to ask does not wait');
};

function checked<S extends TObject>(schema: S, given: unknown): Static<S> {
  const problems = checkShape(schema, given ?? {});
  if (problems.length > 0) throw invalidInput(problems);
  return given as Static<S>;
}
