/** The HTTP server: parse, authenticate, call one operation, render. */
import cors from '@fastify/cors';
import { type FastifyInstance, fastify, LogController } from 'fastify';
import type { EventHub } from '../delivery/event-hub.ts';
import type { Context } from '../operations/context.ts';
import type { Dialect } from '../routes/dialect.ts';
import type { SignInStates } from '../signing/sign-in-states.ts';
import type { StreamTokenKeeper } from '../signing/stream-tokens.ts';
import { type Authenticator, admission } from './admission/admission.ts';
import { openToPages, pagePaths } from './admission/browser-requests.ts';
import { type RateLimits, rateLimiter } from './admission/rate-limit.ts';
import { drainOnClose, lingerBeforeClose } from './connections/drain.ts';
import { addSessionRoutes, type ConsoleSessions } from './console/console-sessions.ts';
import { addDemo, type Demo } from './console/demo-routes.ts';
import { addPasskeyRoutes } from './console/passkey-routes.ts';
import { addPlaygroundRoutes } from './console/playground-routes.ts';
import { addProviderRoutes } from './console/provider-routes.ts';
import { addReference } from './docs/reference.ts';
import { answerBrokenHttp } from './faults/broken-http.ts';
import { otherFaults, rejectUnknownRoutes } from './faults/send-fault.ts';
import { addFileContent } from './files/file-content.ts';
import { addHealth } from './health.ts';
import { addMcp, type InputRequestsOf, mcpFaults } from './mcp/mcp.ts';
import { mcpCallers, mcpPath, metadataPath } from './mcp/mcp-authorization.ts';
import { addMetrics } from './metrics.ts';
import { addAnswerPage } from './pages/answer-page.ts';
import { addConsoleFiles, addWidgetFiles } from './pages/static-files.ts';
import { addVerbRoutes } from './requests/add-route.ts';
import { addDialects } from './requests/dialect-routes.ts';
import { acceptJson } from './requests/parse-json.ts';
import { addEventStream } from './streams/event-stream.ts';

export interface AppOptions {
  context: Context;
  dialects: readonly Dialect[];
  inputRequestsOf: InputRequestsOf;
  /** The URL at which people reach the server, once it listens. */
  publicUrl(): string;
  authenticate: Authenticator;
  sessions: ConsoleSessions;
  signInStates: SignInStates;
  streamTokens: StreamTokenKeeper;
  version: string;
  /** Undefined if it is turned off. */
  demo?: Demo | undefined;
  hub: EventHub;
  waiters(): number;
  rateLimits: RateLimits;
  /** Whether only an admin may read the metrics. */
  metricsTakeKey?: boolean;
  corsOrigins: readonly string[];
  bodyLimitBytes: number;
  logLevel: string;
  /** A stopping server closes its listener when no call has arrived for this time. */
  drainQuietMs?: number | undefined;
}

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { context, inputRequestsOf, authenticate, sessions, streamTokens, hub, waiters, rateLimits, corsOrigins } =
    options;
  const dialects = [...options.dialects, mcpFaults];
  const app = createServer(options, dialects);
  // In this order, even the response to a rejected call has its id, and a browser may read it.
  identifyRequests(app, options.logLevel);
  const isForPages = pagePaths(dialects);
  openToPages(app, (path) => isForPages(path) || path === metadataPath);
  if (corsOrigins.length > 0) await admitOrigins(app, corsOrigins);
  drainOnClose(app, options.drainQuietMs);
  app.addHook('onSend', lingerBeforeClose);
  rejectUnknownRoutes(app);
  const limit = rateLimiter(rateLimits);
  const admitted = admission(app, {
    authenticate,
    mcp: { path: mcpPath, callerOf: mcpCallers(context, authenticate) },
    sessions,
    streamTokens,
    limit,
    isForPages,
  });
  const metricsAdmission = options.metricsTakeKey ? admitted : undefined;
  addMetrics(app, { store: context.store, waiters, streams: () => hub.size(), admission: metricsAdmission });
  addVerbRoutes(app, context, admitted);
  addEventStream(app, { context, hub, admission: admitted });
  const running = () => ({ version: options.version, uptimeSeconds: Math.floor(process.uptime()) });
  addDialects(app, options.dialects, { context, hub, admission: admitted, running });
  addFileContent(app, context, admitted);
  addMcp(app, { context, inputRequestsOf, admission: admitted, corsOrigins });
  addHealth(app, context, options.version);
  addWidgetFiles(app);
  addAnswerPage(app);
  addSessionRoutes(app, { context, sessions });
  addProviderRoutes(app, { context, sessions, states: options.signInStates });
  addPasskeyRoutes(app, { context, sessions });
  addPlaygroundRoutes(app, { context, dialects, admission: admitted });
  addDemo(app, { demo: options.demo, admission: admitted, publicUrl: options.publicUrl });
  addConsoleFiles(app);
  addReference(app, dialects);
  return app;
}

/** `read-input.ts` checks the routes. Without these, Fastify would load compilers that nobody calls: megabytes. */
const unused = () => (): never => {
  throw new Error('No route has a schema of Fastify.');
};

function createServer(
  { context, logLevel, bodyLimitBytes }: AppOptions,
  dialects: readonly Dialect[],
): FastifyInstance {
  const onFault = otherFaults(dialects);
  const app = fastify({
    logger: { level: logLevel, stream: process.stderr },
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger for every request would cost more than the few log lines that name their request themselves.
    childLoggerFactory: (logger) => logger,
    bodyLimit: bodyLimitBytes,
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
    routerOptions: { maxParamLength: 1_024 },
    genReqId: ({ headers: { 'x-request-id': given } }) =>
      typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : context.newId(),
    keepAliveTimeout: 72_000,
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void onFault(error, request, reply),
    clientErrorHandler: answerBrokenHttp(context.newId),
  }) as unknown as FastifyInstance;
  // RFC 9110 lets a server ignore unknown expectations. Node would respond 417 with an empty body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  acceptJson(app);
  app.setErrorHandler(onFault);
  return app;
}

function identifyRequests(app: FastifyInstance, logLevel: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  if (logLevel !== 'debug' && logLevel !== 'trace') return;
  app.addHook('onResponse', ({ id, method, routeOptions, log }, { statusCode: status, elapsedTime: ms }, done) => {
    log.debug({ reqId: id, method, route: routeOptions.url, status, ms }, 'answered');
    done();
  });
}

async function admitOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  await app.register(cors, {
    origin: [...origins],
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    exposedHeaders: [
      ...['x-request-id', 'retry-after', 'content-disposition', 'content-range', 'etag'],
      ...['mcp-session-id', 'www-authenticate'],
    ],
    maxAge: 600,
    strictPreflight: false,
  });
}
