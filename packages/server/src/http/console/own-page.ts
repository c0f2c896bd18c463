/** Whether a request was sent by a page of this server, or by no page at all. */
import type { FastifyRequest } from 'fastify';

/**
 * A browser says of which origin the page is that sends something, and most say of all they send how it came about.
 * A proxy may have put a name of its own in the place of the one that was called: then only `publicUrl` tells.
 */
export function isOfOwnPage({ headers }: Pick<FastifyRequest, 'headers'>, publicUrl?: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined || origin === publicUrl) return true;
  return host !== undefined && [`http://${host}`, `https://${host}`].includes(origin);
}
