/** Responses of server-sent events, until the caller goes away, the server stops or the admission of the caller ends. */
import { jsonEqual } from '@holdpoint/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Following, Sink } from '../../delivery/event-channel.ts';
import type { EventHub } from '../../delivery/event-hub.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Context } from '../../operations/context.ts';
import type { Admission } from '../admission/admission.ts';

const keepAliveMs = 15_000;
const maxPendingBytes = 1_048_576;
const maxStallMs = 30_000;

export interface EventStreamOptions {
  context: Context;
  hub: EventHub;
  admission: Admission;
}

/** The events that a caller may follow. */
type Opened = Pick<Following, 'filter' | 'assignees'>;

export interface StreamOptions extends Omit<Following, 'sink' | 'orgId'> {
  /** The first frame. */
  opening: string;
  /** Opens the stream again, as its caller is by then. */
  reopen(caller: Caller): Promise<Opened>;
}

/** Responds with the events of the log that a filter lets through. */
export function openStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { hub, admission }: EventStreamOptions,
  { opening, reopen, ...following }: StreamOptions,
): void {
  // A page of another origin may ask for the stream as if it were a script.
  const headers = { 'x-content-type-options': 'nosniff' };
  const raw = beginStream(reply, headers, async () => {
    const caller = await admission.currentCaller(request);
    return caller !== undefined && (caller.kind !== 'person' || isSame(following, await reopen(caller)));
  });
  if (!raw) return;
  raw.write(opening);
  const gone = new AbortController();
  raw.on('close', () => gone.abort());
  const { orgId } = admission.callerOf(request);
  hub
    .follow({ ...following, orgId, sink: socketSink(raw) }, gone.signal)
    .catch((error: unknown) => cutOff(request, reply, gone.signal, error));
}

const isSame = (before: Opened, now: Opened): boolean =>
  jsonEqual([before.filter, before.assignees ?? null], [now.filter, now.assignees ?? null]);

/**
 * Sends the head of the response, and keeps it alive until the caller would no longer be sent the same. Returns undefined
 * if the caller left before.
 */
export function beginStream(
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
  isStillAllowed: () => Promise<boolean>,
): FastifyReply['raw'] | undefined {
  const { raw } = reply.hijack();
  // A caller that left before this causes no second close event.
  if (raw.destroyed) return undefined;
  raw.on('error', () => raw.destroy());
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    ...headers,
  });
  const keepAlive = setInterval(() => {
    if (!raw.writableEnded) raw.write(': keep-alive\n\n');
    isStillAllowed().then(
      (isAllowed) => isAllowed || raw.end(),
      () => raw.end(),
    );
  }, keepAliveMs);
  raw.on('close', () => clearInterval(keepAlive));
  return raw;
}

/** Closes the connection of a stream that failed. Logs the reason, except that the caller is gone. */
export function cutOff(request: FastifyRequest, { raw }: FastifyReply, gone: AbortSignal, error: unknown): void {
  if (!gone.aborted) request.log.warn({ reqId: request.id, err: error }, 'a stream was cut off');
  raw.destroy();
}

/** Cuts off a reader that falls behind. Its Last-Event-ID brings it back without a gap. */
export function socketSink(raw: FastifyReply['raw']): Sink {
  return {
    send(frame) {
      if (raw.writableLength > maxPendingBytes) raw.destroy();
      else if (!raw.writableEnded) raw.write(frame);
    },
    async drained() {
      if (raw.destroyed) throw new Error('the reader is gone');
      if (!raw.writableNeedDrain) return;
      await new Promise<void>((resolve, reject) => {
        const settle = (end: () => void) => () => {
          clearTimeout(timer);
          raw.off('drain', onDrain).off('close', onClose);
          end();
        };
        const onDrain = settle(resolve);
        const onClose = settle(() => reject(new Error('the reader is gone')));
        const onStall = settle(() => reject(new Error('the reader is too slow')));
        const timer = setTimeout(onStall, maxStallMs);
        raw.on('drain', onDrain).on('close', onClose);
      });
    },
    end: () => raw.end(),
  };
}
