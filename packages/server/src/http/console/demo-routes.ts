/** Routes of the demo: start it, read its state, kill its agent. */
import { fail } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Caller, isAdmin } from '../../domain/caller.ts';
import { operatorOrg } from '../../operations/access/orgs.ts';
import type { Admission } from '../admission/admission.ts';
import { checkedBody } from '../requests/read-input.ts';

/** killed: the server restarts it. */
export type DemoState = 'off' | 'starting' | 'running' | 'killed';

/** The demo, as the pages see it. */
export interface Demo {
  describe(): { state: DemoState; threadId?: string; pid?: number };
  /** Starts another demo in its own thread. */
  open(caller: Caller, origin: string): Promise<{ threadId: string }>;
  kill(): void;
}

export interface DemoRoutes {
  /** Undefined if the demo is switched off. */
  demo: Demo | undefined;
  admission: Admission;
  publicUrl(): string;
}

const path = '/console/demo';

export function addDemo(app: FastifyInstance, { demo, admission, publicUrl }: DemoRoutes): void {
  const { admit, callerOf } = admission;
  const described = () => (demo ? { isOn: true, ...demo.describe() } : off);
  app.get(path, { onRequest: admit }, async (request, reply) => {
    checkedBody(request);
    const { orgId } = adminOf(callerOf(request));
    return reply.header('cache-control', 'no-store').send(orgId === operatorOrg ? described() : off);
  });
  app.post(path, { onRequest: admit }, async (request, reply) => {
    checkedBody(request);
    const opened = await theDemo(request).open(callerOf(request), originOf(request, publicUrl()));
    return reply.code(201).send(opened);
  });
  app.post(`${path}/kill`, { onRequest: admit }, async (request, reply) => {
    checkedBody(request);
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

  /** The demo belongs to the org of the operator. */
  function theDemo(request: FastifyRequest): Demo {
    const { orgId } = adminOf(callerOf(request));
    if (demo && orgId === operatorOrg) return demo;
    return fail('route-not-found', demo ? 'The demo belongs to another org.' : 'The demo is turned off (--no-demo).');
  }
}

const off = { isOn: false, state: 'off' } as const;

const adminOf = (caller: Caller): Caller => (isAdmin(caller) ? caller : fail('forbidden', 'Only admins run the demo.'));

/** The origin of the page that starts the demo. A page may load images only from its own origin. */
function originOf({ headers: { origin, host } }: FastifyRequest, publicUrl: string): string {
  const own = [`http://${host}`, `https://${host}`];
  if (origin !== undefined && own.includes(origin)) return origin;
  return publicUrl;
}

/** The picture of the demo: the steps of a release, in light and dark colors. */
const stops = ['Details', 'Approval', 'Roll-out', 'Sign-off', 'Announce'];
const gap = 132;
const first = 56;

const stop = (label: string, index: number): string => {
  const x = first + index * gap;
  return `<circle class="stop" cx="${x}" cy="56" r="24"/><text class="number" x="${x}" y="63">${index + 1}</text><text x="${x}" y="114">${label}</text>`;
};

const demoPicture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 140" width="640" height="140" role="img" aria-label="The steps of a release">
<style>
.page { fill: #f5f6f9 }
.way { stroke: #868d9c; stroke-width: 4; stroke-dasharray: 2 10; stroke-linecap: round }
.stop { fill: #2f56d9 }
text { font: 500 21px system-ui, sans-serif; text-anchor: middle; fill: #1b1d22 }
.number { fill: #fff; font-weight: 700; font-size: 20px }
@media (prefers-color-scheme: dark) {
.page { fill: #20232b }
.way { stroke: #6c7484 }
.stop { fill: #8fa8ff }
text { fill: #eceef3 }
.number { fill: #0d1330 }
}
</style>
<rect class="page" width="640" height="140" rx="14"/>
<line class="way" x1="${first}" y1="56" x2="${first + 4 * gap}" y2="56"/>
${stops.map(stop).join('\n')}
</svg>
`;
