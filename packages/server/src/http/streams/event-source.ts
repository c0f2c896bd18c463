/** What a browser's EventSource can and cannot send: it always asks for events, and it sends no header of a page's own. */
import type { FastifyRequest } from 'fastify';

export const eventsPath = '/v1/events';

/**
 * Whether a request opens the event stream as an EventSource does. Images, scripts and navigations ask for other types.
 */
export const isEventSource = ({ method, routeOptions, headers: { accept = '' } }: FastifyRequest): boolean =>
  method === 'GET' && routeOptions.url === eventsPath && accept.includes('text/event-stream');

/** The token that stands in the address of the event stream, where it is taken. */
export function streamTokenOf({ routeOptions, query }: FastifyRequest): string | undefined {
  const { token } = query as { token?: unknown };
  return routeOptions.url === eventsPath && typeof token === 'string' ? token : undefined;
}
