/** Mounts the dialects. If two of them have the same path, the request decides which one takes the call. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Dialect, RunningServer } from '../../routes/dialect.ts';
import type { Route } from '../../routes/route.ts';
import { callOf, renderFaultsBy } from '../faults/send-fault.ts';
import { addDownloadRoute } from '../files/file-content.ts';
import { addDialectStream, asksForEvents, streamHandler } from '../streams/dialect-stream.ts';
import type { EventStreamOptions } from '../streams/open-stream.ts';
import { addRoute, routeHandler } from './add-route.ts';

interface DialectOptions extends EventStreamOptions {
  running(): RunningServer;
}

interface Offer {
  route: Route;
  dialect: Dialect;
}

export function addDialects(app: FastifyInstance, dialects: readonly Dialect[], options: DialectOptions): void {
  const forCalls = { ...options, context: { ...options.context, isDialect: true as const } };
  const offers = dialects.flatMap((dialect) => dialect.routes.map((route): Offer => ({ route, dialect })));
  const byPath = [...Map.groupBy(offers, ({ route }) => `${route.method} ${route.path}`).values()];
  for (const dialect of dialects)
    app.register(async (scope) => {
      renderFaultsBy(scope, () => dialect);
      for (const [offer, ...others] of byPath)
        if (offer?.dialect === dialect && others.length === 0) addOwn(scope, offer.route, forCalls);
      for (const [path, document] of Object.entries(dialect.documents ?? {}))
        scope.get(path, async () => (typeof document === 'function' ? document(options.running()) : document));
      if (dialect.stream) addDialectStream(scope, dialect.stream, options);
    });
  for (const shared of byPath.filter(({ length }) => length > 1))
    app.register(async (scope) => {
      renderFaultsBy(scope, (request) => chosen(shared, request).dialect);
      addShared(scope, shared, forCalls);
    });
}

function addOwn(scope: FastifyInstance, route: Route, options: EventStreamOptions): void {
  const { context, admission } = options;
  const { method, path: url } = route;
  if (route.givesFile) addDownloadRoute(scope, route, context, admission);
  else if (route.stream) scope.route({ method, url, onRequest: admission.admit, handler: handlerOf(route, options) });
  else addRoute(scope, route, context, admission);
}

function addShared(scope: FastifyInstance, offers: readonly Offer[], options: EventStreamOptions): void {
  const [{ route }] = offers as [Offer];
  const handlers = new Map(offers.map((offer) => [offer, handlerOf(offer.route, options)]));
  scope.route({
    method: route.method,
    url: route.path,
    onRequest: options.admission.admit,
    handler: (request, reply) => handlers.get(chosen(offers, request))?.(request, reply),
  });
}

/** Gives a call that no dialect takes to the last one, whose error names the missing parts. */
function chosen(offers: readonly Offer[], request: FastifyRequest): Offer {
  const call = callOf(request);
  return offers.find(({ dialect: { takes } }) => takes?.(call) ?? true) ?? (offers.at(-1) as Offer);
}

function handlerOf(route: Route, options: EventStreamOptions): (request: FastifyRequest, reply: FastifyReply) => void {
  const answer = routeHandler(route, options.context, options.admission);
  if (!route.stream) return answer;
  const stream = streamHandler(route, route.stream, options);
  return (request, reply) => (asksForEvents(request) ? stream(request, reply) : answer(request, reply));
}
