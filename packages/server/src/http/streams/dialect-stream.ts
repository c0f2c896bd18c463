/** Server-sent events of dialects: the log, and routes that stream their result. */
import { defined, fail } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EventFormat } from '../../delivery/event-channel.ts';
import { localEvents } from '../../delivery/local-events.ts';
import type { Caller } from '../../domain/caller.ts';
import { openEvents } from '../../operations/follow-events.ts';
import type { StreamRoute } from '../../routes/dialect.ts';
import type { Route, RouteStream } from '../../routes/route.ts';
import { isResponderToken } from '../../signing/responder-tokens.ts';
import type { Store } from '../../stores/store.ts';
import { inputReader, routeService } from '../requests/read-input.ts';
import { beginStream, cutOff, type EventStreamOptions, openStream, socketSink } from './open-stream.ts';

export function addDialectStream(app: FastifyInstance, stream: StreamRoute, options: EventStreamOptions): void {
  const { context, admission } = options;
  const { path, query, types } = stream;
  const readInput = inputReader({ method: 'GET', query });
  const format = formatOf(stream, context.store);
  const onRequest = stream.takesTokenInQuery ? [moveToken, admission.admit] : admission.admit;
  app.get(path, { onRequest, exposeHeadRoute: false }, async (request, reply) => {
    const caller = admission.callerOf(request);
    const { ephemeral = false, after, ...filter } = stream.read(readInput(request, reply, caller).query);
    const from = request.headers['last-event-id'] ?? after;
    const wanted = { ...filter, types, ...defined({ after: from === undefined ? undefined : String(from) }) };
    const open = (by: Caller) => openEvents(context, by, wanted);
    const opened = await open(caller);
    const opening = `id: ${opened.after}\n\n`;
    openStream(request, reply, options, { ...opened, format, ephemeral, opening, reopen: open });
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

export const asksForEvents = ({ headers: { accept } }: FastifyRequest): boolean =>
  accept !== undefined && /(^|[\s,])text\/event-stream\s*(;|,|$)/i.test(accept);

export function streamHandler(route: Route, { open, headers }: RouteStream, options: EventStreamOptions) {
  const readInput = inputReader(route);
  const { context, hub, admission } = options;
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const caller = admission.callerOf(request);
    const input = readInput(request, reply, caller);
    const gone = new AbortController();
    reply.raw.on('close', () => gone.abort());
    const follow = async (threadId: string) => {
      const opened = await openEvents(context, caller, { threadId });
      return localEvents(hub, { orgId: caller.orgId, ...opened, ephemeral: true }, gone.signal);
    };
    open(routeService(context, route, input), { ...input, follow })
      .then((texts) =>
        sendTexts(
          beginStream(reply, headers, () => admission.isStillAdmitted(request)),
          texts,
        ),
      )
      .catch((error: unknown) => {
        if (reply.raw.headersSent) cutOff(request, reply, gone.signal, error);
        else reply.send(error);
      })
      .finally(() => gone.abort());
  };
}

async function sendTexts(raw: FastifyReply['raw'] | undefined, texts: AsyncIterable<string>): Promise<void> {
  if (!raw) return;
  const sink = socketSink(raw);
  for await (const text of texts) {
    sink.send(`data: ${text}\n\n`);
    await sink.drained();
  }
  sink.end();
}
