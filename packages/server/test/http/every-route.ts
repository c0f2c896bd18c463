/** Calls of every route of the table, made from the table, so that a new route is covered before anybody thinks of it. */
import type { Grant, Interaction, Page } from '@holdpoint/protocol';
import { documentedRoutes } from '../../src/http/routes.ts';
import type { SpecClient } from './spec-server.ts';

export interface Things {
  threadId: string;
  interactionId: string;
  grantId: string;
  keyId: string;
}

export interface RouteCall {
  method: string;
  /** As in the table, with its parameters' names. */
  route: string;
  path: string;
  body?: unknown;
  /** The parameters in the path. */
  names: (keyof Things)[];
}

/** One of everything that a path can name. */
export async function makeThings(client: SpecClient): Promise<Things> {
  const options = [
    { value: 'always', label: 'Always', kind: 'allow_always' },
    { value: 'no', label: 'No', kind: 'reject_once' },
  ];
  const { id: threadId } = await client.newThread();
  const asked = await client.ask({ kind: 'approval', options, grant: { key: 'k', scope: 'thread' } }, threadId);
  await client.answer(asked.id, { decision: 'always' });
  const { body } = await client.get<Page<Grant>>('/v1/grants?key=k&limit=1');
  const interaction: Interaction = await client.ask({}, threadId);
  const { keyId } = await client.withKey();
  return { threadId, interactionId: interaction.id, grantId: body.data[0]?.id ?? '', keyId };
}

/** Valid bodies; a route that needs one and has none here fails the tests that ask for it. */
export const validBodies: Record<string, (things: Things) => unknown> = {
  'POST /v1/threads': () => ({ title: 'A thread' }),
  'POST /v1/threads/:threadId/messages': () => ({ text: 'Hello' }),
  'POST /v1/threads/:threadId/interactions': () => ({ title: 'Name?' }),
  'PATCH /v1/interactions/:interactionId': () => ({ metadata: { a: 1 } }),
  'POST /v1/interactions/:interactionId/answers': () => ({ values: { choice: 'yes' } }),
  'POST /v1/interactions/:interactionId/decline': () => ({ reason: 'Not now' }),
  'POST /v1/interactions/:interactionId/cancel': () => ({ reason: 'Moot' }),
  'POST /v1/keys': () => ({ name: 'a key', role: 'agent' }),
  'POST /v1/orgs': () => ({ id: `org-${Math.random().toString(36).slice(2)}` }),
  'POST /v1/responder-tokens': ({ threadId }) => ({ responderId: 'ada', threadId }),
};

export function everyCall(things: Things): RouteCall[] {
  return documentedRoutes.map(({ method, path: route, body }) => {
    const names = [...route.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof Things);
    const path = names.reduce((url, name) => url.replace(`:${name}`, encodeURIComponent(things[name])), route);
    const valid = validBodies[`${method} ${route}`]?.(things);
    if (body && valid === undefined) throw new Error(`add a valid body for ${method} ${route}`);
    return { method, route, path, names, ...(valid === undefined ? {} : { body: valid }) };
  });
}
