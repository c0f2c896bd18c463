/** The API client of the console, the words for its errors, and the event stream. */
import { httpService } from '@holdpoint/client';
import {
  defined,
  type EphemeralEvent,
  type EventType,
  HoldpointError,
  type HoldpointService,
  type LogEvent,
} from '@holdpoint/protocol';
import { followEvents as follow } from '@holdpoint/widget/follow-events';

/** Dispatched when the session may have ended. The app then loads it again. */
export const sessionEvent = 'holdpoint-session';

/**
 * The cookie identifies the session. Pages of other origins cannot send the header, so the server knows the call comes
 * from the console.
 */
export async function consoleFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.delete('authorization');
  headers.set('x-holdpoint-console', '1');
  const reply = await fetch(input, { ...init, headers });
  if (reply.status === 401) dispatchEvent(new Event(sessionEvent));
  return reply;
}

export const postJson = (path: string, body: object, options: RequestInit = {}): Promise<Response> => {
  const headers = { 'content-type': 'application/json' };
  return consoleFetch(path, { ...options, method: 'POST', headers, body: JSON.stringify(body) });
};

/** Retries for three seconds, then reports the failure, and the user can retry. */
export const service: HoldpointService = httpService({
  url: location.origin,
  key: '',
  fetch: consoleFetch,
  retryForMs: 3_000,
});

/** Dispatched with a person who was changed here. It may be the user, whose name and rights are on every page. */
export const personEvent = 'holdpoint-person';

export async function savePerson(change: Parameters<HoldpointService['updatePerson']>[0]): Promise<void> {
  const detail = await service.updatePerson(change);
  dispatchEvent(new CustomEvent(personEvent, { detail }));
}

/** Turns an error into text that tells the user what to do. */
export function wordsFor(error: unknown): string {
  if (error instanceof HoldpointError) return error.fault.detail;
  // fetch throws a TypeError, worded by the browser, when there is no connection.
  if (error instanceof TypeError) return 'Could not reach the server. Check that it is running.';
  return error instanceof Error ? error.message : String(error);
}

/** The request does not exist for the user, or no longer: it was given to others. */
export const isGone = (error: unknown): boolean =>
  error instanceof HoldpointError && error.fault.code === 'interaction-not-found';

export interface FollowFilter {
  threadId?: string;
  types?: readonly EventType[];
}

/**
 * A hidden tab closes its stream after this time, because a browser opens only six connections to a server for all
 * tabs.
 */
const hiddenMs = 20_000;

/**
 * Delivers events until the returned function is called, and resumes after a lost connection. `onOpen` is called when
 * earlier events must be loaded: at the start, and when a tab that was hidden for long becomes visible.
 */
export const followEvents = (
  { threadId, types }: FollowFilter,
  onEvent: (event: LogEvent) => void,
  onOpen: () => void = () => {},
): (() => void) =>
  followStream(defined({ threadId, types: types?.join(',') }), (event) => onEvent(event as LogEvent), onOpen);

export type Viewing = Extract<EphemeralEvent, { type: 'interaction.viewing' }>['data'];

/** Reports who opens and leaves a question, until the returned function is called. */
export const followViewing = (
  interactionId: string,
  { onOpen, onViewing }: { onOpen(): void; onViewing(viewing: Viewing): void },
): (() => void) =>
  followStream(
    { interactionId, ephemeral: 'true' },
    (event) => {
      if (event.type === 'interaction.viewing') onViewing(event.data);
    },
    onOpen,
  );

/** A report that is lost is repeated soon. A page that closes sends its last one. */
export function reportViewing(interactionId: string, isViewing: boolean): void {
  const path = `/v1/interactions/${encodeURIComponent(interactionId)}/viewing`;
  postJson(path, { isViewing }, { keepalive: !isViewing }).catch(() => {});
}

function followStream(
  filter: Readonly<Record<string, string>>,
  onEvent: (event: LogEvent | EphemeralEvent) => void,
  onOpen: () => void,
): () => void {
  const query = new URLSearchParams(filter);
  let stream: AbortController | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    stream = new AbortController();
    void follow({
      open: (lastEventId, signal) =>
        consoleFetch(`/v1/events?${query}`, { headers: { ...defined({ 'last-event-id': lastEventId }) }, signal }),
      onOpen: (isFirst) => {
        if (isFirst) onOpen();
      },
      onEvent,
      onLost() {},
      onRefused() {},
      signal: stream.signal,
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
  open();
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    clearTimeout(hiding);
    document.removeEventListener('visibilitychange', onVisibility);
    stream?.abort();
  };
}
