/**
 * The ceiling: the same Fastify, body parser and checks respond with the same body. It checks no key,
 * stores nothing, creates no request id and counts nothing.
 */
import type { AddressInfo } from 'node:net';
import { fastify, LogController } from 'fastify';
import { type CreateInteraction, checkQuestion, type SubmitAnswer, verbCalls } from '../packages/protocol/src/index.ts';
import { readAnswer } from '../packages/server/src/domain/read-answer.ts';
import { acceptJson } from '../packages/server/src/http/requests/parse-json.ts';
import { inputReader } from '../packages/server/src/http/requests/read-input.ts';
import { answerSample, askSample } from './sample.ts';

const now = Date.now();
const ids = { id: '01900000-0000-7000-8000-000000000001', threadId: '01900000-0000-7000-8000-000000000002' };
const asked = askSample({ ...ids, now }).interaction;
const answered = answerSample(asked, now).interaction;

const answers: Record<string, { body: unknown; check(body: unknown): { ok: boolean } }> = {
  'POST /v1/threads/:threadId/interactions': {
    body: asked,
    check: (body) => {
      const { metadata: _metadata, ...input } = body as CreateInteraction;
      return checkQuestion(input);
    },
  },
  'GET /v1/interactions/:interactionId': { body: asked, check: () => ({ ok: true }) },
  'POST /v1/interactions/:interactionId/answers': {
    body: answered,
    check: (body) => readAnswer(asked, body as { values: NonNullable<SubmitAnswer['values']> }),
  },
  'GET /v1/interactions/:interactionId/wait': { body: answered, check: () => ({ ok: true }) },
};

const app = fastify({
  logger: { level: 'error', stream: process.stderr },
  logController: new LogController({ disableRequestLogging: true }),
  bodyLimit: 1024 * 1024,
  routerOptions: { maxParamLength: 1_024 },
  keepAliveTimeout: 72_000,
  forceCloseConnections: 'idle',
});
acceptJson(app);
const caller = { kind: 'key', orgId: 'default', keyId: 'admin', role: 'admin' } as const;
for (const route of verbCalls) {
  const answer = answers[`${route.method} ${route.path}`];
  if (!answer) continue;
  const readInput = inputReader(route);
  app.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      const checked = answer.check(readInput(request, reply, caller).body);
      if (!checked.ok) throw new Error(`the ceiling refused: ${JSON.stringify(checked)}`);
      reply.code(route.status).type('application/json; charset=utf-8');
      return JSON.stringify(answer.body);
    },
  });
}
await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`ceiling ready http://127.0.0.1:${(app.server.address() as AddressInfo).port}\n`);
