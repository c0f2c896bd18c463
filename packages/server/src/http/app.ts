/** The HTTP server: parse, authenticate, call one operation, render. */
import cors from '@fastify/cors';
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import type { EventHub } from '../delivery/event-hub.ts';
import type { Caller } from '../domain/caller.ts';
import type { Context } from '../operations/context.ts';
import { addRoute, refuseOtherMethods } from './add-route.ts';
import type { Authenticator } from './authenticate.ts';
import { addEventStream } from './event-stream.ts';
import { addMetrics } from './metrics.ts';
import { acceptJson } from './parse-json.ts';
import { sendProblem, toFault } from './problem-details.ts';
import { type RateLimits, rateLimiter } from './rate-limit.ts';
import { addReference } from './reference.ts';
import { documentedRoutes, routes } from './routes.ts';

export interface AppOptions {
  context: Context;
  authenticate: Authenticator;
  hub: EventHub;
  waiters(): number;
  rateLimits: RateLimits;
  corsOrigins: readonly string[];
  bodyLimitBytes: number;
  logLevel: string;
}

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { context, authenticate, hub, waiters, corsOrigins } = options;
  const app = createServer(options);
  const limit = rateLimiter(options.rateLimits);
  const admit = async (request: FastifyRequest): Promise<Caller> => {
    const caller = await authenticate(request.headers.authorization);
    limit(caller);
    return caller;
  };
  if (corsOrigins.length > 0) {
    const exposedHeaders = ['x-request-id', 'retry-after'];
    await app.register(cors, {
      origin: [...corsOrigins],
      methods: ['GET', 'POST', 'PATCH'],
      exposedHeaders,
      maxAge: 600,
    });
  }
  addMetrics(app, { store: context.store, waiters, streams: () => hub.size() });
  for (const route of routes) addRoute(app, route, context, admit);
  addEventStream(app, { context, hub, admit });
  refuseOtherMethods(app, documentedRoutes);
  addHealth(app, context);
  addReference(app, documentedRoutes);
  return app;
}

function createServer({ context, logLevel, bodyLimitBytes }: AppOptions): FastifyInstance {
  const app = fastify({
    logger: { level: logLevel, stream: process.stderr },
    disableRequestLogging: true,
    bodyLimit: bodyLimitBytes,
    routerOptions: { maxParamLength: 1_024 },
    genReqId: (request) => givenRequestId(request.headers['x-request-id']) ?? context.newId(),
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => void sendProblem(reply, toFault(error, request)),
  }) as unknown as FastifyInstance;
  acceptJson(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, log } = request;
    log.debug({ method, route: routeOptions.url, status: reply.statusCode, ms: reply.elapsedTime }, 'answered');
    done();
  });
  app.setErrorHandler((error, request, reply) => sendProblem(reply, toFault(error, request)));
  app.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, { code: 'route-not-found', detail: 'There is nothing at this path; see /docs.' }),
  );
  return app;
}

function addHealth(app: FastifyInstance, { store }: Context): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    await store.checkReady();
    return { status: 'ready' };
  });
}

const givenRequestId = (given: string | string[] | undefined): string | undefined =>
  typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : undefined;
