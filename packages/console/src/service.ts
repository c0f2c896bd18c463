/** Every verb, called with the session of the console; and the log, followed live. */

import { httpService } from '@holdpoint/client';
import type { EphemeralEvent, EventType, HoldpointService, LogEvent } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import { followEvents as follow } from '@holdpoint/widget/follow-events';

/** Heard by the frame: the session is over, and one has to sign in again. */
export const signedOutEvent = 'holdpoint-signed-out';

/** The cookie says who it is; the header, which no page of another origin can send, that it is the console who asks. */
export async function consoleFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.delete('authorization');
  headers.set('x-holdpoint-console', '1');
  const reply = await fetch(input, { ...init, headers });
  if (reply.status === 401) dispatchEvent(new Event(signedOutEvent));
  return reply;
}

/** For three seconds a call is tried again by itself; then the person is told, and can. */
export const service: HoldpointService = httpService({
  url: location.origin,
  key: '',
  fetch: consoleFetch,
  retryForMs: 3_000,
});

export interface FollowFilter {
  threadId?: string;
  interactionId?: string;
  types?: readonly EventType[];
  /** Also what is told and kept nowhere. */
  ephemeral?: boolean;
}

/** A hidden tab lets go of its stream after this: a browser opens six connections to a server, for all tabs together. */
const hiddenMs = 20_000;

/**
 * Until the signal: each event as it comes, resumed where it broke off. `onOpen` is called when the stream opens and what
 * came before has to be loaded: at first, and when a tab that was hidden for long is looked at again.
 */
export function followEvents(
  filter: FollowFilter,
  onEvent: (event: LogEvent | EphemeralEvent) => void,
  signal: AbortSignal,
  onOpen: () => void = () => {},
): void {
  const { types, ephemeral, ...place } = filter;
  const query = new URLSearchParams({
    ...place,
    ...defined({ types: types?.join(','), ephemeral: ephemeral ? 'true' : undefined }),
  });
  let stream: AbortController | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    const connection = new AbortController();
    stream = connection;
    void follow({
      open: (lastEventId, ended) =>
        consoleFetch(`/v1/events?${query}`, {
          headers: lastEventId ? { 'last-event-id': lastEventId } : {},
          signal: ended,
        }),
      onOpen: (isFirst) => {
        if (isFirst) onOpen();
      },
      onEvent,
      onLost() {},
      onRefused() {},
      signal: connection.signal,
    });
  };
  const onVisibility = () => {
    clearTimeout(hiding);
    if (document.hidden)
      hiding = setTimeout(() => {
        stream?.abort();
        stream = undefined;
      }, hiddenMs);
    else if (!stream) open();
  };
  if (signal.aborted) return;
  open();
  document.addEventListener('visibilitychange', onVisibility);
  signal.addEventListener('abort', () => {
    clearTimeout(hiding);
    document.removeEventListener('visibilitychange', onVisibility);
    stream?.abort();
  });
}
