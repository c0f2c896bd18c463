/** The client's table of verbs held against the server's table of routes. */
import { verbRoutes } from '@holdpoint/client';
import { expect, test } from 'vitest';
import { eventsRoute } from '../../src/http/event-stream.ts';
import { documentedRoutes } from '../../src/http/routes.ts';

test('[CL1] every native route is reached by one verb of the client, and no verb leads elsewhere', () => {
  const offered = documentedRoutes
    .filter((route) => route !== eventsRoute)
    .map(({ method, path }) => `${method} ${path}`);
  const reached = Object.values(verbRoutes).flatMap(({ method, paths }) => paths.map((path) => `${method} ${path}`));
  expect(reached.sort()).toEqual(offered.sort());
});
