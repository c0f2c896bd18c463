/** Follows the log for those who speak a dialect. */
import { defined, fail } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EventFormat } from '../../delivery/following.ts';
import { openEvents } from '../../operations/follow-events.ts';
import type { StreamRoute } from '../../routes/dialect.ts';
import { isResponderToken } from '../../signing/responder-tokens.ts';
import type { Store } from '../../stores/store.ts';
import { inputReader } from '../requests/read-input.ts';
import { type EventStreamOptions, openStream } from './event-stream.ts';

export function addDialectStream(
  app: FastifyInstance,
  stream: StreamRoute,
  { context, hub, admission }: EventStreamOptions,
): void {
  const { path, query, types } = stream;
  const readInput = inputReader({ method: 'GET', query });
  const format = formatOf(stream, context.store);
  const onRequest = stream.takesTokenInQuery ? [moveToken, admission.admit] : admission.admit;
  app.get(path, { onRequest, exposeHeadRoute: false }, async (request, reply) => {
    const caller = admission.callerOf(request);
    const { ephemeral = false, after, ...filter } = stream.read(readInput(request, reply, caller).query);
    const from = request.headers['last-event-id'] ?? after;
    const wanted = { ...filter, types, ...defined({ after: from === undefined ? undefined : String(from) }) };
    const opened = await openEvents(context, caller, wanted);
    const isStillAdmitted = () => admission.isStillAdmitted(request);
    openStream(request, reply, {
      ...opened,
      hub,
      orgId: caller.orgId,
      format,
      ephemeral,
      opening: `id: ${opened.after}\n\n`,
      isStillAdmitted,
    });
  });
}

function formatOf({ render, renderEphemeral }: StreamRoute, store: Pick<Store, 'getInteraction'>): EventFormat {
  const frame = (sent: { type: string }) => `event: ${sent.type}\ndata: ${JSON.stringify(sent)}\n\n`;
  return {
    async render(event, orgId) {
      const { interactionId: id } = event;
      const interaction = id === undefined ? undefined : await store.getInteraction({ orgId, id });
      const rendered = render(event, interaction, orgId);
      return rendered && `id: ${event.cursor}\n${frame(rendered)}`;
    },
    renderEphemeral(event) {
      const rendered = renderEphemeral?.(event);
      return rendered && frame(rendered);
    },
  };
}

/** Accepts only a token that expires soon, because proxies log addresses. */
async function moveToken({ headers, query }: FastifyRequest): Promise<void> {
  const { token } = query as { token?: unknown };
  if (typeof token !== 'string') return;
  if (!isResponderToken(token))
    fail(
      'unauthenticated',
      'API keys are not accepted in the address. Send the key in the Authorization header, or a short-lived responder token as token.',
    );
  headers.authorization ??= `Bearer ${token}`;
}
