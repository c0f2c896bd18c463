/** Responds to a call with server-sent events, for as long as its caller listens. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { localEvents } from '../../delivery/local-events.ts';
import { openEvents } from '../../operations/follow-events.ts';
import type { Route, RouteStream } from '../../routes/route.ts';
import { inputReader, routeService } from '../requests/read-input.ts';
import { beginStream, cutOff, type EventStreamOptions, socketSink } from './open-stream.ts';

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
      .then((texts) => sendTexts(beginStream(request, reply, admission, headers), texts))
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
