/** Mounts the calls of the dialects. Where two share a path, what is sent tells whose call it is. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Call, Dialect } from '../routes/dialect.ts';
import type { Route } from '../routes/route.ts';
import { addRoute, routeHandler } from './add-route.ts';
import type { EventStreamOptions } from './event-stream.ts';
import { addFileRoute } from './file-content.ts';
import { asksForEvents, streamHandler } from './route-stream.ts';

interface Offered {
  route: Route;
  takes(call: Call): boolean;
}

export function addDialectRoutes(
  app: FastifyInstance,
  dialects: readonly Dialect[],
  { context, ...others }: EventStreamOptions,
): void {
  const options: EventStreamOptions = { ...others, context: { ...context, isDialect: true } };
  const offered = dialects.flatMap(({ routes, takes = () => true }) =>
    routes.map((route): Offered => ({ route, takes })),
  );
  for (const same of Map.groupBy(offered, ({ route }) => `${route.method} ${route.path}`).values()) {
    const [{ route }] = same as [Offered];
    if (route.givesFile) addFileRoute(app, route, options.context, options.admission);
    else if (same.length === 1 && !route.stream) addRoute(app, route, options.context, options.admission);
    else addChosen(app, route, same, options);
  }
}

function addChosen(
  app: FastifyInstance,
  { method, path: url }: Route,
  offered: readonly Offered[],
  options: EventStreamOptions,
): void {
  const known = offered.map(({ route, takes }) => ({ takes, handle: handlerOf(route, options) }));
  app.route({
    method,
    url,
    onRequest: options.admission.admit,
    handler: (request, reply) => {
      const call = { method, path: request.url.split('?', 1)[0] ?? '', body: request.body };
      // What nobody takes is refused by the last, which says what it lacks.
      const chosen = known.find(({ takes }) => takes(call)) ?? known.at(-1);
      chosen?.handle(request, reply);
    },
  });
}

function handlerOf(route: Route, options: EventStreamOptions): (request: FastifyRequest, reply: FastifyReply) => void {
  const answer = routeHandler(route, options.context, options.admission);
  if (!route.stream) return answer;
  const stream = streamHandler(route, route.stream, options);
  return (request, reply) => (asksForEvents(request) ? stream(request, reply) : answer(request, reply));
}
