/** /console/demo: opens the demo, says how it is, and kills its agent, which is a part of the show. */
import { checkShape, fail } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Caller } from '../../domain/caller.ts';
import { invalidInput } from '../../operations/invalid-input.ts';
import { operatorOrg } from '../../operations/orgs.ts';
import type { Admission } from '../admission.ts';
import { demoPicture } from './demo-picture.ts';

/** killed: it comes back by itself. */
export type DemoState = 'off' | 'starting' | 'running' | 'killed';

/** What of the demo the pages can do. */
export interface Demo {
  describe(): { state: DemoState; threadId?: string; pid?: number };
  /** Begins one more, in a thread of its own. */
  open(caller: Caller, origin: string): Promise<{ threadId: string }>;
  kill(): void;
}

export interface DemoRoutes {
  /** undefined: it is switched off. */
  demo: Demo | undefined;
  admission: Admission;
  publicUrl(): string;
}

const path = '/console/demo';
const Nothing = Type.Object({}, { additionalProperties: false });

export function addDemo(app: FastifyInstance, { demo, admission, publicUrl }: DemoRoutes): void {
  const { admit, callerOf } = admission;
  const described = () => (demo ? { isOn: true, ...demo.describe() } : off);
  app.get(path, { onRequest: admit }, async (request, reply) => {
    checked(request);
    const { orgId } = adminOf(callerOf(request));
    return reply.header('cache-control', 'no-store').send(orgId === operatorOrg ? described() : off);
  });
  app.post(path, { onRequest: admit }, async (request, reply) => {
    checked(request);
    const opened = await theDemo(request).open(callerOf(request), originOf(request, publicUrl()));
    return reply.code(201).send(opened);
  });
  app.post(`${path}/kill`, { onRequest: admit }, async (request, reply) => {
    checked(request);
    theDemo(request).kill();
    return reply.send(described());
  });
  app.get(`${path}/release.svg`, async (_request, reply) =>
    reply
      .headers({
        'content-type': 'image/svg+xml; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=3600',
      })
      .send(demoPicture),
  );

  /** It runs in the org of those who run the server, and for nobody else. */
  function theDemo(request: FastifyRequest): Demo {
    const { orgId } = adminOf(callerOf(request));
    if (demo && orgId === operatorOrg) return demo;
    return fail('route-not-found', demo ? 'The demo is for another org.' : 'The demo is switched off (--no-demo).');
  }
}

const off = { isOn: false, state: 'off' } as const;

function adminOf(caller: Caller): Caller & { kind: 'key' } {
  if (caller.kind === 'key' && caller.role === 'admin') return caller;
  return fail('forbidden', 'The demo takes admin rights.');
}

function checked({ body, query }: FastifyRequest): void {
  const problems = [...checkShape(Nothing, query, '/query'), ...checkShape(Nothing, body ?? {})];
  if (problems.length > 0) throw invalidInput(problems);
}

/** Where the person who opens it looks at it: a page lets images be shown of its own origin alone. */
function originOf({ headers: { origin, host } }: FastifyRequest, publicUrl: string): string {
  const own = [`http://${host}`, `https://${host}`];
  if (origin !== undefined && own.includes(origin)) return origin;
  return publicUrl;
}
