/** Answers a call with server-sent events, for as long as its caller listens. */
import type { EphemeralEvent, LogEvent } from '@holdpoint/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { localEvents } from '../../delivery/local-events.ts';
import type { Caller } from '../../domain/caller.ts';
import { openEvents } from '../../operations/follow-events.ts';
import type { Route, RouteStream } from '../../routes/route.ts';
import { inputReader, routeService } from '../requests/read-input.ts';
import { type EventStreamOptions, keepAliveMs, socketSink } from './event-stream.ts';

export const asksForEvents = ({ headers: { accept } }: FastifyRequest): boolean =>
  accept !== undefined && /(^|[\s,])text\/event-stream\s*(;|,|$)/i.test(accept);

export function streamHandler(
  route: Route,
  { open, headers }: RouteStream<unknown, unknown, unknown>,
  options: EventStreamOptions,
) {
  const readInput = inputReader(route);
  const { context, admission } = options;
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const caller = admission.callerOf(request);
    const input = readInput(request, reply, caller);
    const gone = new AbortController();
    reply.raw.on('close', () => gone.abort());
    const follow = (threadId: string) => followThread(options, caller, threadId, gone.signal);
    const isStillAdmitted = () => admission.isStillAdmitted(request);
    open(routeService(context, route, input), { ...input, follow })
      .then((texts) => sendTexts(reply, texts, { headers, isStillAdmitted }))
      .catch((error: unknown) => {
        if (!reply.raw.headersSent) return void reply.send(error);
        if (!gone.signal.aborted) request.log.warn({ reqId: request.id, err: error }, 'a stream was cut off');
        reply.raw.destroy();
      })
      .finally(() => gone.abort());
  };
}

async function followThread(
  { context, hub }: EventStreamOptions,
  caller: Caller,
  threadId: string,
  signal: AbortSignal,
): Promise<AsyncIterable<LogEvent | EphemeralEvent>> {
  const opened = await openEvents(context, caller, { threadId });
  return localEvents(hub, { orgId: caller.orgId, ...opened, ephemeral: true }, signal);
}

interface SendOptions {
  headers: Readonly<Record<string, string>>;
  isStillAdmitted(): Promise<boolean>;
}

async function sendTexts(
  reply: FastifyReply,
  texts: AsyncIterable<string>,
  { headers, isStillAdmitted }: SendOptions,
): Promise<void> {
  const { raw } = reply.hijack();
  // A caller that left meanwhile will not say so again.
  if (raw.destroyed) return;
  raw.on('error', () => raw.destroy());
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    ...headers,
  });
  const keepAlive = setInterval(() => {
    raw.write(': keep-alive\n\n');
    isStillAdmitted().then((isAdmitted) => isAdmitted || raw.end());
  }, keepAliveMs);
  const sink = socketSink(raw);
  try {
    for await (const text of texts) {
      sink.send(`data: ${text}\n\n`);
      await sink.drained();
    }
    sink.end();
  } finally {
    clearInterval(keepAlive);
  }
}
