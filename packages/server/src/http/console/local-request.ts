/** Decides whether a request comes from this machine, and whether it comes from our own pages. */
import type { FastifyRequest } from 'fastify';

/** Headers that reverse proxies and tunnels add. */
const signsOfAProxy = new RegExp(
  [
    '^(forwarded|via|cdn-loop|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|fly-client-ip',
    '(x-forwarded|x-original|x-arr|x-envoy|cf|tailscale|ngrok)-.*)$',
  ].join('|'),
);

/**
 * A local connection is not enough. A foreign page whose name resolves to this machine (DNS rebinding) sends its own
 * Host, and a proxy on this machine forwards requests from elsewhere.
 */
export function isLocal(request: FastifyRequest): boolean {
  const { headers, raw, socket } = request;
  return (
    isLoopback(socket.remoteAddress) &&
    raw.httpVersion === '1.1' &&
    isOwnHost(headers.host, socket.localPort) &&
    !Object.keys(headers).some((name) => signsOfAProxy.test(name)) &&
    isOfOwnPage(request)
  );
}

/** Names that need no name server, with the port of the server. */
function isOwnHost(host: string | undefined, port: number | undefined): boolean {
  const named = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::(\d{1,5}))?$/i.exec(host ?? '');
  return named !== null && port !== undefined && Number(named[1] ?? 80) === port;
}

const isLoopback = (address: string | undefined): boolean =>
  /^(?:::1|(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i.test(address ?? '');

/** True if only this machine can reach a server that listens on this host. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || isLoopback(host);

/**
 * Browsers send the origin of the page, and most also send Sec-Fetch-Site. A proxy may have replaced the Host. Then
 * only `publicUrl` identifies our pages.
 */
export function isOfOwnPage({ headers }: Pick<FastifyRequest, 'headers'>, publicUrl?: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined || origin === publicUrl) return true;
  return host !== undefined && [`http://${host}`, `https://${host}`].includes(origin);
}
