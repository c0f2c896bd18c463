/** The client's part of the verb table held against the routes of the server. */
import { verbTable } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { documentedRoutes } from '../../src/http/docs/reference.ts';
import { eventsRoute } from '../../src/http/streams/event-stream.ts';

test('[CL1] every native route is reached by one verb of the client, and no verb leads elsewhere', () => {
  const offered = documentedRoutes
    .filter((route) => route !== eventsRoute)
    .map(({ method, path }) => `${method} ${path}`);
  const reached = Object.values(verbTable).flatMap(({ method, paths }) => paths.map((path) => `${method} ${path}`));
  expect(reached.sort()).toEqual(offered.sort());
});

test('[CL4] the verbs that the client repeats under a key are those that take one', () => {
  const taking = documentedRoutes.filter((route) => route.takesKey).map(({ path }) => path);
  const keyed = Object.values(verbTable).flatMap(({ paths, repeat }) => (repeat.endsWith('key') ? paths : []));
  expect(keyed.toSorted()).toEqual(taking.toSorted());
});

test('[CL4] what shows a secret once is repeated only under a key that the caller chose', () => {
  const verbs = Object.entries(verbTable).flatMap(([verb, { repeat }]) => (repeat === 'by-given-key' ? [verb] : []));
  expect(verbs.sort()).toEqual([
    ...['createApiKey', 'createOrg', 'createPerson', 'createSignInLink'],
    ...['createWebhook', 'rotateWebhookSecret', 'takeSecrets'],
  ]);
});
