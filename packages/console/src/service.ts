/** The API client of the console, and the event stream. */

import { httpService } from '@holdpoint/client';
import {
  defined,
  type EphemeralEvent,
  type EventType,
  type HoldpointService,
  type LogEvent,
} from '@holdpoint/protocol';
import { followEvents as follow } from '@holdpoint/widget/follow-events';

/** Dispatched when the session has ended. The app then shows the sign-in page. */
export const signedOutEvent = 'holdpoint-signed-out';

/**
 * The cookie identifies the session. Pages of other origins cannot send the header, so the server knows the call comes
 * from the console.
 */
export async function consoleFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.delete('authorization');
  headers.set('x-holdpoint-console', '1');
  const reply = await fetch(input, { ...init, headers });
  if (reply.status === 401) dispatchEvent(new Event(signedOutEvent));
  return reply;
}

/** Retries for three seconds, then reports the failure, and the user can retry. */
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
  /** Includes ephemeral events. */
  ephemeral?: boolean;
}

/**
 * A hidden tab closes its stream after this time, because a browser opens only six connections to a server for all
 * tabs.
 */
const hiddenMs = 20_000;

/**
 * Delivers events until the signal aborts, and resumes after a lost connection. `onOpen` is called when earlier events
 * must be loaded: at the start, and when a tab that was hidden for long becomes visible.
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
